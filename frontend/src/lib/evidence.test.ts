import { describe, expect, it } from "vitest";

import { evidenceNumbers, point } from "../testing/evidence-fixture";

import { accountLines, barParts, causeFill, MOST_ROWS, pointWords, spanWords, stripRows } from "./evidence";

describe("missed tokens as parts of a bar", () => {
  it("give the unknown no colour, so that it is hatched", () => {
    expect(causeFill("unknown")).toBeNull();
    expect(barParts(evidenceNumbers().missed).map(({ share, fill }) => [share, fill])).toEqual([
      [0.75, "var(--m-key)"],
      [0.25, null],
    ]);
  });

  it("are all unknown where nothing was missed", () => {
    const nothing = evidenceNumbers().missed.map((part) => ({ ...part, tokens: 0, share: null }));
    expect(barParts(nothing).map(({ key, share }) => [key, share])).toEqual([["unknown", 1]]);
  });

  it("leave out a cause without a token, the unknown too", () => {
    const [cause, unknown] = evidenceNumbers().missed;
    expect(barParts([cause!, { ...unknown!, tokens: 0, share: 0 }]).map(({ key }) => key)).toEqual(["key-churn"]);
    expect(barParts([{ ...cause!, tokens: 0, share: 0 }, unknown!]).map(({ key }) => key)).toEqual(["unknown"]);
  });
});

describe("the strip", () => {
  it("has one row for each arm, on the axis of all requests", () => {
    const rows = stripRows(evidenceNumbers());
    expect(rows.map(({ name, sub }) => [name, sub])).toEqual([
      ["no key", "2 requests, 0 of 2 full, 0% of tokens"],
      ["stable key", "2 requests, 1 of 2 full, 40% of tokens"],
    ]);
    expect(rows.map(({ bars }) => bars.map(({ place }) => place))).toEqual([[0, 2], [1, 3]]);
    expect(rows[1]?.bars[1]).toMatchObject({ height: 1, filled: 0.8, crossed: false, ticked: false });
  });

  it("has one row of a log without arms", () => {
    const rows = stripRows({ ...evidenceNumbers(), arms: [] });
    expect(rows.map(({ name, sub, bars }) => [name, sub, bars.length])).toEqual([["All requests", "4 requests, 1 missed", 4]]);
  });

  it("is bounded in rows", () => {
    const [arm] = evidenceNumbers().arms;
    const many = Array.from({ length: 30 }, (_, place) => ({ ...arm!, label: `arm ${place}` }));
    expect(stripRows({ points: [], arms: many })).toHaveLength(MOST_ROWS);
  });

  it("draws a line where the account changed, and no words where it does so all the time", () => {
    const changed = point({ account: 1, account_changed: true });
    expect(accountLines([point(), changed])).toEqual([{ place: 1, label: "to account 2" }]);
    expect(accountLines(Array.from({ length: 20 }, () => changed)).every(({ label }) => label === "")).toBe(true);
  });

  it("says a request in one line", () => {
    expect(pointWords(point({ first: true, account: 0 }), 0)).toBe("#1 13:10:04 UTC, account 1: 0 of 4,000 input tokens cached, first call of its prefix, cold by rule");
    expect(pointWords(point({ time: null, key_changed: true }), 8)).toBe("#9: 0 of 4,000 input tokens cached, key changed");
  });
});

describe("the span of a log", () => {
  it("names the day once, or both", () => {
    expect(spanWords({ first_at: "2026-11-25T13:10:04Z", last_at: "2026-11-25T13:26:41Z" })).toBe("Wed 25 Nov 13:10:04 to 13:26:41 UTC");
    expect(spanWords({ first_at: "2026-11-25T13:10:04Z", last_at: "2026-11-26T01:00:00Z" })).toBe("Wed 25 Nov 13:10:04 to Thu 26 Nov 01:00:00 UTC");
  });

  it("is not known without times", () => {
    expect(spanWords({ first_at: null, last_at: null })).toBeNull();
  });
});
