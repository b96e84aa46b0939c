import { describe, expect, it } from "vitest";

import type { ThresholdRow, VerdictHistory } from "../api/types";
import { historyFixture, seriesFixture } from "../testing/series-fixture";
import { csvAddress } from "./series-csv";
import { exclusionHeading, exclusionRows, exclusionsInShort } from "./series-excluded";
import { flipCount, historyHeading, runDays } from "./series-history";
import { limitWords, thresholdDomain, thresholdHeading, thresholdText } from "./series-thresholds";

describe("excluded hours", () => {
  it("are named with their reason, most hours first, and reasons without an hour are left out", () => {
    const rows = exclusionRows({ ...seriesFixture().excluded, after_gap: 10, no_input: 1, unsettled: 0, unknown_before: 0 }, []);
    expect(rows.map(({ reason, hours }) => [reason, hours])).toEqual([["First hour after a gap", 10], ["No input tokens", 1]]);
    expect(exclusionsInShort(rows)).toBe("10 after a gap, 1 no input");
    expect(exclusionsInShort([])).toBe("none left out");
  });

  it("are counted against the whole window", () => {
    expect(exclusionHeading({ linked_hours: 141, now_hours: 168 })).toBe("141 of 168 hours are used");
    expect(exclusionHeading({ linked_hours: 168, now_hours: 168 })).toBe("All 168 hours are used");
  });
});

describe("thresholds", () => {
  const rows = seriesFixture().thresholds;
  const row = (changes: Partial<ThresholdRow>): ThresholdRow => ({ ...rows[0]!, ...changes });

  it("say where a finding starts in their own unit", () => {
    expect(rows.map(limitWords)).toEqual(["\u22120.40 or lower", "15% or higher", "60% or lower", "24 or more"]);
    expect(thresholdText(null, "share")).toBe("N/A");
  });

  it("are drawn on a scale that fits the unit", () => {
    expect(thresholdDomain(row({ unit: "correlation" }))).toEqual([-1, 1]);
    expect(thresholdDomain(row({ unit: "hours" }))).toEqual([0, 168]);
  });

  it("are summed up by how many are passed; unknown is not passed", () => {
    expect(thresholdHeading(rows)).toBe("All four thresholds are passed");
    expect(thresholdHeading([row({ passes: true }), row({ passes: null })])).toBe("One of two thresholds is passed");
    expect(thresholdHeading([row({ passes: false }), row({ passes: null })])).toBe("None of the two thresholds is passed");
    expect(thresholdHeading([])).toBe("No threshold was looked at");
  });
});

describe("verdict history", () => {
  const history = historyFixture();
  const of = (items: VerdictHistory["items"]) => ({ items, days_stored: 1 });

  it("says what holds, for how long, and how often before", () => {
    expect(historyHeading(history)).toBe("Misses rise with load for 10 days, for the second time since 1 Oct");
    expect(historyHeading(of(history.items.slice(0, 2)))).toBe("Share rises with load for 14 days, after too few linked hours");
    expect(historyHeading(of(history.items.slice(0, 1)))).toBe("Too few linked hours for 3 days, the only verdict so far");
    expect(historyHeading(of([]))).toBe("No verdict has been stored yet");
  });

  it("counts flips between runs and names the days of a run", () => {
    expect(flipCount(history)).toBe(5);
    expect(runDays(history.items[3]!)).toBe("8 Nov to 11 Nov");
    expect(runDays({ ...history.items[3]!, end: "2026-11-09", days: 1 })).toBe("8 Nov");
  });
});

describe("csvAddress", () => {
  it("quotes what needs it and leaves unknown empty", () => {
    const address = csvAddress(["word", "share"], [['a "b", c', null], ["d", 0]]);
    expect(decodeURIComponent(address.split(",").slice(1).join(","))).toBe('word,share\r\n"a ""b"", c",\r\nd,0\r\n');
  });
});
