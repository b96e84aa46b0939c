import { describe, expect, it } from "vitest";

import {
  countWord, formatChange, formatCorrelation, formatCount, formatPoints, formatRate, formatSeconds, formatShare,
  formatTokens, ordinal, plural,
} from "./format";

describe("tokens", () => {
  it.each([
    [0, "0"],
    [9_999, "9,999"],
    [10_000, "10.0K"],
    [640_500, "641K"],
    [999_600, "1.00M"],
    [36_000_000, "36.0M"],
    [241_400_000, "241M"],
    [1_040_000_000, "1.04B"],
    [6_800_000_000, "6.80B"],
    [2_500_000_000_000, "2.50T"],
    [-36_000_000, "\u221236.0M"],
    [null, "N/A"],
  ])("prints %s as %s", (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });
});

describe("shares", () => {
  it.each([
    [0, 0, "0%"],
    [0.001, 0, "<1%"],
    [0.23, 0, "23%"],
    [0.448, 1, "44.8%"],
    [0.0002, 1, "<0.1%"],
    [0.999, 0, ">99%"],
    [0.9999, 1, ">99.9%"],
    [1, 0, "100%"],
    [null, 0, "N/A"],
  ])("prints %s with %s digits as %s", (share, digits, text) => {
    expect(formatShare(share, digits)).toBe(text);
  });

  it("prints a change as points with a true minus sign", () => {
    expect(formatPoints(0.479)).toBe("+47.9");
    expect(formatPoints(-0.006)).toBe("\u22120.6");
    expect(formatPoints(-0.0001)).toBe("0.0");
    expect(formatPoints(null)).toBe("N/A");
    expect(formatChange(0.031)).toBe("+3.1%");
  });
});

describe("other numbers", () => {
  it("prints counts, rates and correlations", () => {
    expect(formatCount(30_873)).toBe("30,873");
    expect(formatRate(3_405.2)).toBe("3,405/h");
    expect(formatRate(0.3)).toBe("0.3/h");
    expect(formatRate(0.01)).toBe("0.1/h");
    expect(formatRate(0)).toBe("0/h");
    expect(formatCorrelation(-0.978)).toBe("\u22120.98");
    expect(formatCorrelation(0.14)).toBe("+0.14");
    expect(formatCorrelation(-0.001)).toBe("0.00");
  });

  it("prints durations and counted nouns", () => {
    expect(formatSeconds(2.14)).toBe("2.1 s");
    expect(formatSeconds(252)).toBe("4 min 12 s");
    expect(plural(1, "hour")).toBe("1 hour");
    expect(plural(2_016, "row")).toBe("2,016 rows");
    expect(countWord(2)).toBe("two");
    expect(countWord(13)).toBe("13");
    expect([1, 2, 3, 4, 11, 21, 112].map(ordinal)).toEqual(["1st", "2nd", "3rd", "4th", "11th", "21st", "112th"]);
  });
});
