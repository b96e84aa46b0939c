import { describe, expect, it } from "vitest";

import type { ThresholdRow, VerdictHistory, VerdictRun } from "../api/types";
import { historyFixture, linked, seriesFixture } from "../testing/series-fixture";
import { csvAddress } from "./series-csv";
import { exclusionHeading, exclusionRows, exclusionsInShort } from "./series-excluded";
import { flipCount, flipsOfRules, historyHeading, historyNote, runDays } from "./series-history";
import { limitWords, thresholdDomain, thresholdHeading, thresholdStanding, thresholdText } from "./series-thresholds";

describe("excluded hours", () => {
  it("are named with their reason, most hours first, and reasons without an hour are left out", () => {
    const rows = exclusionRows({ ...seriesFixture().excluded!, after_gap: 10, no_input: 1, unsettled: 0, unknown_before: 0 }, [], false);
    expect(rows.map(({ reason, hours }) => [reason, hours])).toEqual([["First hour after a gap", 10], ["No input tokens", 1]]);
    expect(exclusionsInShort(rows)).toBe("10 after a gap, 1 no input");
    expect(exclusionsInShort([])).toBe("none left out");
  });

  it("are counted against the whole window", () => {
    expect(exclusionHeading(141, 168)).toBe("141 of 168 hours are used");
    expect(exclusionHeading(168, 168)).toBe("All 168 hours are used");
  });
});

describe("thresholds", () => {
  const rows = seriesFixture().thresholds;
  const row = (changes: Partial<ThresholdRow>): ThresholdRow => ({ ...rows[0]!, ...changes });

  it("say where a finding starts in their own unit", () => {
    expect(rows.map(limitWords)).toEqual(["\u22120.40 or lower", "15% or higher", "60% or lower", "24 or more"]);
    expect(limitWords(row({ limit: 0.625, unit: "ratio", side: "at or above" }))).toBe("62.5% or higher");
    expect(limitWords(row({ limit: 0.06, unit: "points", side: "at or above" }))).toBe("6 points or more");
  });

  it("show a value with as many digits as it takes to differ from the limit", () => {
    expect(thresholdText({ value: null, limit: 0.6, unit: "share" })).toBe("N/A");
    expect(thresholdText({ value: 0.61, limit: 0.6, unit: "ratio" })).toBe("61%");
    expect(thresholdText({ value: 0.604, limit: 0.6, unit: "ratio" })).toBe("60.4%");
    expect(thresholdText({ value: 0.6, limit: 0.6, unit: "ratio" })).toBe("60%");
    expect(thresholdText({ value: -0.3999, limit: -0.4, unit: "correlation" })).toBe("\u22120.3999");
    expect(thresholdText({ value: 0.0123, limit: 0.06, unit: "points" })).toBe("1.2 points");
  });

  it("are drawn on a scale that fits the unit", () => {
    expect(thresholdDomain(row({ unit: "correlation" }))).toEqual([-1, 1]);
    expect(thresholdDomain(row({ unit: "hours" }))).toEqual([0, 168]);
  });

  it("are summed up by how many are passed; unknown is not passed", () => {
    const { verdict } = seriesFixture();
    expect(thresholdHeading(rows, verdict)).toBe("All four thresholds are passed");
    expect(thresholdHeading([row({ passes: true }), row({ passes: null })], verdict)).toBe("One of two thresholds is passed");
    expect(thresholdHeading([row({ passes: false }), row({ passes: null })], verdict)).toBe("None of the two thresholds is passed");
    expect(thresholdHeading([], verdict)).toBe("No threshold was looked at");
  });

  it("are summed up without those of other findings", () => {
    const fine = { code: "healthy", word: "No finding" } as const;
    const others = [...rows, row({ name: "flat_floor", passes: false, finding: "Flat low share" })];
    expect(thresholdHeading(others, fine)).toBe(thresholdHeading(rows, fine));
  });

  it("are named as those of a fall beside another verdict, and never contradict it", () => {
    const unsure = { code: "inconclusive", word: "Cannot tell" } as const;
    expect(thresholdHeading(rows, unsure)).toBe('All four thresholds of "Misses rise with load" are passed, and other evidence speaks against it');
    expect(thresholdHeading([row({}), row({ passes: false })], unsure)).toBe('One of two thresholds of "Misses rise with load" is passed');
  });

  it("are the verdict's own where it is about something else than a fall", () => {
    const cold = { code: "cold-only-after-idle", word: "Cold only after idle" } as const;
    const own = [row({ name: "min_cold_hours", unit: "hours", limit: 3, side: "at or above" }), row({ name: "eligible_input", unit: "tokens", limit: 3000, side: "at or above" })];
    expect(thresholdHeading(own, cold)).toBe('The numbers that decide "Cold only after idle"');
    expect(own.map(limitWords)).toEqual(["3 or more", "3,000 or more"]);
  });
});

describe("verdict history", () => {
  const history = historyFixture();
  const of = (items: VerdictHistory["items"]) => ({ ...history, items });

  it("says what holds, for how long, and how often before", () => {
    expect(historyHeading(history)).toBe("Misses rise with load for 10 days, for the second time since 1 Oct");
    expect(historyHeading(of(history.items.slice(0, 2)))).toBe("Share rises with load for 14 days, after too few linked hours");
    expect(historyHeading(of(history.items.slice(0, 1)))).toBe("Too few linked hours for 3 days, the only verdict so far");
    expect(historyHeading(of([]))).toBe("No verdict has been stored yet");
  });

  it("knows that missing days are no flip, and that the same verdict on both sides of them came up once", () => {
    const [few, , fine, misses, ok, now] = history.items as [VerdictRun, VerdictRun, VerdictRun, VerdictRun, VerdictRun, VerdictRun];
    const later = { ...now, start: "2026-11-20", days: 7 };
    const around = of(linked([few, { ...now, end: "2026-11-19", days: 2 }, later]));
    expect(flipCount(around)).toBe(0);
    expect(historyHeading(around)).toBe("Misses rise with load for 7 days, after too few linked hours");
    expect(historyHeading(of(linked([misses, later])))).toBe("Misses rise with load for 7 days, the only verdict so far");
    expect(flipCount(of(linked([fine, misses, ok, later])))).toBe(2);
    expect(historyHeading(of(linked([fine, misses, ok, later])))).toBe("Misses rise with load for 7 days, for the second time since 18 Oct");
  });

  it("tells a flip on a day that other rules judged from one of the traffic", () => {
    expect(historyNote(history)).toBe("57 days with a verdict, 5 flips between them.");
    const ofRules = history.items.map((run, place) => ({ ...run, rules_changed: place === 2 }));
    expect(flipsOfRules(of(ofRules))).toBe(1);
    expect(historyNote({ ...history, items: ofRules })).toBe(
      "57 days with a verdict, 5 flips between them, 1 of them where the rules changed and not the traffic.",
    );
  });

  it("counts flips between runs and names the days of a run", () => {
    expect(flipCount(history)).toBe(5);
    expect(runDays(history.items[3]!)).toBe("8 Nov to 11 Nov");
    expect(runDays({ ...history.items[3]!, end: "2026-11-09", days: 1 })).toBe("8 Nov");
  });
});

describe("csvAddress", () => {
  const textOf = (...rows: Parameters<typeof csvAddress>[1]) =>
    decodeURIComponent(csvAddress(["word", "share"], rows).split(",").slice(1).join(","));

  it("quotes what needs it and leaves unknown empty", () => {
    expect(textOf(['a "b", c', null], ["d", 0])).toBe('word,share\r\n"a ""b"", c",\r\nd,0\r\n');
  });

  it("keeps text that a spreadsheet would run as text, and numbers as numbers", () => {
    expect(textOf(["=A1", -0.5], [" @SUM(1)", 1], ["+1", 2], ["-1", 3])).toBe(
      "word,share\r\n'=A1,-0.5\r\n' @SUM(1),1\r\n'+1,2\r\n'-1,3\r\n",
    );
    expect(textOf(["\uff1dA1", 1], ["\u200b=A1", 2])).toBe("word,share\r\n'\uff1dA1,1\r\n'\u200b=A1,2\r\n");
  });
});

describe("thresholdStanding", () => {
  const row = (change: Partial<ThresholdRow>): ThresholdRow => ({ ...seriesFixture().thresholds[0]!, ...change });

  it("says on which side a value lies and how far away, in the threshold's own unit", () => {
    expect(thresholdStanding(row({ value: 0.68, limit: 0.15, unit: "share", passes: true }))).toBe("passed, by 53 points");
    expect(thresholdStanding(row({ value: -0.38, limit: -0.4, unit: "correlation", passes: false }))).toBe("not passed, by 0.020");
    expect(thresholdStanding(row({ value: 23, limit: 24, unit: "hours", passes: false }))).toBe("not passed, by 1 hour");
  });

  it("says so where a value is the threshold itself, and where there is none", () => {
    expect(thresholdStanding(row({ value: 24, limit: 24, unit: "hours", passes: true }))).toBe("passed, exactly");
    expect(thresholdStanding(row({ value: null, passes: null }))).toBe("cannot be said");
  });
});
