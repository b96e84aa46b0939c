import { describe, expect, it } from "vitest";

import { settableWords, thresholdValue } from "./threshold-values";

describe("the value of a threshold", () => {
  it.each([
    [0.15, "share", "15%"],
    [0.02, "share", "2%"],
    [0.05, "points", "5"],
    [0.07, "points", "7"],
    [1.5, "ratio", "1.5"],
    [-0.55, "ratio", "\u22120.55"],
    [-0.4, "correlation", "\u22120.4"],
    [24, "hours", "24"],
    [3000, "tokens", "3,000"],
    [0, "correlation", "0"],
  ])("%d %s reads %s", (value, unit, text) => {
    expect(thresholdValue(value, unit)).toBe(text);
  });

  it("says what a team may set it to, and where it may not", () => {
    const threshold = { name: "quiet_floor", label: "Quiet-third share", unit: "share", value: 0.15, low: 0, high: 1, source: "the rule" };
    expect(settableWords(threshold)).toBe("0% to 100%");
    expect(settableWords({ ...threshold, low: null, high: null })).toBe("fixed");
  });
});
