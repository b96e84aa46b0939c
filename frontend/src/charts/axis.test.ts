import { describe, expect, it } from "vitest";

import { valueAxis } from "./axis";

describe("valueAxis", () => {
  it("is log only where the values span more than twenty times", () => {
    expect(valueAxis([100, 2000], [0, 700], 50).kind).toBe("linear");
    expect(valueAxis([100, 2001], [0, 700], 50).kind).toBe("log");
  });

  it("is linear when a value is not above zero", () => {
    expect(valueAxis([0, 5000], [0, 700], 50).kind).toBe("linear");
  });

  it("has 1, 2 and 5 of each decade on a wide log axis, and fewer where they have no room", () => {
    expect(valueAxis([33, 4973], [44, 778], 58).ticks).toEqual([50, 100, 200, 500, 1000, 2000, 5000]);
    expect(valueAxis([33, 4973], [34, 306], 44).ticks).toEqual([30, 100, 300, 1000, 3000]);
  });

  it("keeps every value and tick inside its pixels", () => {
    const axis = valueAxis([33, 4973], [44, 778], 58);
    for (const value of [33, 4973, ...axis.ticks]) {
      expect(axis.place(value)).toBeGreaterThanOrEqual(44);
      expect(axis.place(value)).toBeLessThanOrEqual(778);
    }
  });

  it("starts a linear axis at zero unless all values are far from it", () => {
    expect(valueAxis([100, 900], [0, 700], 50).ticks[0]).toBe(0);
    expect(valueAxis([800, 900], [0, 700], 50).ticks[0]).toBeGreaterThan(700);
  });

  it("stands for one repeated value and for none", () => {
    expect(valueAxis([500, 500], [0, 700], 50).place(500)).toBe(350);
    expect(valueAxis([], [0, 700], 50).ticks).toEqual([]);
  });

  it("never has a tick between two whole numbers", () => {
    expect(valueAxis([1, 3], [0, 700], 50).ticks).toEqual([0, 1, 2, 3]);
  });
});
