import { describe, expect, it } from "vitest";

import { heatStep } from "./HeatGrid";
import { labelledRuns } from "./run-labels";

const run = (x1: number, x2: number, word: string) => ({ x1, x2, word, strong: false });

describe("labelledRuns", () => {
  it("names the runs with room for their word, and always the last", () => {
    const runs = [run(0, 20, "No finding"), run(20, 200, "No finding"), run(200, 220, "Cannot tell")];
    expect(labelledRuns(runs, 400).map(({ x }) => x)).toEqual([20, 200]);
  });

  it("moves the last word left so that it stays inside", () => {
    const [only] = labelledRuns([run(390, 400, "Misses rise with load")], 400);
    expect(only!.x).toBeLessThan(280);
  });

  it("sets the last word at the right end of a strip that scrolls", () => {
    const [only] = labelledRuns([run(0, 640, "No finding")], 640, true);
    expect(only!.x).toBeGreaterThan(560);
  });

  it("leaves out a word that would run into the last one", () => {
    expect(labelledRuns([run(0, 90, "No finding"), run(90, 100, "Misses rise with load")], 110)).toHaveLength(1);
  });
});

describe("heatStep", () => {
  it.each([[0, 0], [0.09, 0], [0.1, 1], [0.3, 3], [0.79, 7], [0.8, 8], [1, 8]])("gives %s step %s", (share, step) => {
    expect(heatStep(share)).toBe(step);
  });
});
