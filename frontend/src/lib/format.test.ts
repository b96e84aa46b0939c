import { describe, expect, it } from "vitest";

import {
  countWord, formatChange, formatCorrelation, formatCount, formatFixed, formatPoints, formatRate, formatSeconds,
  formatShare, formatTick, formatTokens, ordinal, plural, pointWords,
} from "./format";

describe("tokens", () => {
  it.each([
    [0, "0"],
    [640, "640"],
    [999, "999"],
    [999.5, "1.00k"],
    [9_994, "9.99k"],
    [9_999, "10.0k"],
    [10_000, "10.0k"],
    [640_500, "640k"],
    [641_500, "642k"],
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

it("leaves the zeros that say nothing out beside an axis", () => {
  expect([0, 500, 2_000, 2_500, 10_000, 250_000, 1_200_000].map(formatTick)).toEqual(["0", "500", "2k", "2.5k", "10k", "250k", "1.2M"]);
});

describe("shares", () => {
  it.each([
    [0, 0, "0%"],
    [0.003, 0, "0.3%"],
    [0.005, 0, "0.5%"],
    [0.125, 0, "12%"],
    [0.135, 0, "14%"],
    [0.23, 0, "23%"],
    [0.448, 1, "44.8%"],
    [0.0002, 1, "0.0%"],
    [0.999, 0, "100%"],
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

  it("prints a difference in words, with a digit where it is small", () => {
    expect([0.482, 0.0123, 0.01, -0.05, -0.0001].map(pointWords)).toEqual([
      "48 points", "1.2 points", "1.0 points", "\u22125 points", "0 points",
    ]);
  });
});

describe("rounding", () => {
  it("takes exact halves to the even neighbour, and only those, as the API does", () => {
    expect([0.5, 1.5, 2.5, 12.5].map((value) => formatFixed(value))).toEqual(["0", "2", "2", "12"]);
    expect([0.125, 0.375, 12.25].map((value) => formatFixed(value, 2 - Number(value > 1)))).toEqual(["0.12", "0.38", "12.2"]);
    // 1.015 is a little less than it looks, 2.675 too, 1.025 a little less as well.
    expect([1.015, 2.675, 1.025].map((value) => formatFixed(value, 2))).toEqual(["1.01", "2.67", "1.02"]);
    expect([-0.4, -1.6].map((value) => formatFixed(value))).toEqual(["0", "\u22122"]);
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
