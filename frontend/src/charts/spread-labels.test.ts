import { describe, expect, it } from "vitest";

import { spreadLabels } from "./spread-labels";

describe("spreadLabels", () => {
  it("leaves blocks with room where they want to be", () => {
    expect(spreadLabels([{ wanted: 50, height: 20 }, { wanted: 200, height: 20 }], 0, 300)).toEqual([50, 200]);
  });

  it("moves blocks apart when they would overlap, in the order of their wishes", () => {
    const [first, second] = spreadLabels([{ wanted: 102, height: 20 }, { wanted: 100, height: 20 }], 0, 300);
    expect(first! - second!).toBe(20);
  });

  it("keeps blocks inside the bounds", () => {
    expect(spreadLabels([{ wanted: 290, height: 40 }, { wanted: 295, height: 40 }], 0, 300)).toEqual([240, 280]);
    expect(spreadLabels([{ wanted: -5, height: 40 }], 0, 300)).toEqual([20]);
  });

  it("has nothing to say about no blocks", () => {
    expect(spreadLabels([], 0, 300)).toEqual([]);
  });
});
