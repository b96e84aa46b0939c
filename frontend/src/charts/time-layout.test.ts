import { describe, expect, it } from "vitest";

import {
  dashedPath, loadPath, slotAt, slotRuns, solidPath, timeFrame, timeTicks, type SlotKind, type TimeSlot,
} from "./time-layout";

const HOUR = 3_600_000;
const START = Date.parse("2026-11-19T13:00:00Z");

function slots(kinds: SlotKind[], share = 0.5, load = 100): TimeSlot[] {
  return kinds.map((kind, index) => {
    const silent = kind === "empty" || kind === "unknown";
    return {
      start: START + index * HOUR, kind, share: silent || kind === "cross" ? null : share, load: silent ? null : load,
    };
  });
}

const frameOf = (all: TimeSlot[], width = 992, narrow = false) => timeFrame(all, HOUR, width, narrow);

describe("lines", () => {
  it.each<SlotKind>(["empty", "unknown", "hollow", "cross", "dashed"])("break at a slot that is %s", (kind) => {
    const all = slots(["solid", "solid", kind, "solid", "solid"]);
    expect(solidPath(all, frameOf(all)).match(/M/g)).toHaveLength(2);
  });

  it("join the dashed tail to the last solid slot before it, and only there", () => {
    const joined = slots(["solid", "solid", "dashed", "dashed"]);
    expect(dashedPath(joined, frameOf(joined)).match(/L/g)).toHaveLength(2);
    const apart = slots(["solid", "empty", "dashed", "dashed"]);
    expect(dashedPath(apart, frameOf(apart)).match(/L/g)).toHaveLength(1);
  });

  it("never touch zero where nothing is known", () => {
    const all = slots(["solid", "empty", "unknown", "cross", "solid"]);
    expect(solidPath(all, frameOf(all))).not.toContain(",162");
  });
});

describe("loads", () => {
  it("have no bar where the load is unknown or zero, and no filled bar where it is not final", () => {
    const all = [...slots(["solid", "empty", "unknown", "dashed", "cross"]), { start: START + 5 * HOUR, kind: "solid" as const, share: null, load: 0 }];
    expect(loadPath(all, frameOf(all)).match(/M/g)).toHaveLength(2);
  });
});

describe("slotRuns", () => {
  it("joins neighbours of one kind and keeps different kinds apart", () => {
    const all = slots(["empty", "empty", "unknown", "solid", "empty"]);
    expect(slotRuns(all, ["empty", "unknown"])).toEqual([
      { kind: "empty", from: 0, to: 2 },
      { kind: "unknown", from: 2, to: 3 },
      { kind: "empty", from: 4, to: 5 },
    ]);
  });
});

describe("timeTicks", () => {
  const week = slots(Array.from({ length: 168 }, () => "solid" as const));

  it("marks each UTC midnight of a week", () => {
    const ticks = timeTicks(week, HOUR, frameOf(week));
    expect(ticks).toHaveLength(7);
    expect(new Date(ticks[0]!.time).toISOString()).toBe("2026-11-20T00:00:00.000Z");
    expect(ticks.every((tick) => tick.unit === "day")).toBe(true);
  });

  it("labels fewer days where there is no room for all", () => {
    const month = slots(Array.from({ length: 672 }, () => "solid" as const));
    const ticks = timeTicks(month, HOUR, frameOf(month));
    expect(ticks.length).toBe(28);
    expect(ticks.filter((tick) => tick.labelled).length).toBeLessThanOrEqual(12);
  });

  it("marks hours when the range is short", () => {
    const short = slots(Array.from({ length: 12 }, () => "solid" as const));
    const ticks = timeTicks(short, HOUR, frameOf(short));
    expect(ticks.some((tick) => tick.unit === "hour")).toBe(true);
  });
});

describe("slotAt", () => {
  it("names the slot under a place and nothing outside the plot", () => {
    const all = slots(["solid", "solid", "solid", "solid"]);
    const frame = frameOf(all);
    expect(slotAt(frame.left + 1, 4, frame)).toBe(0);
    expect(slotAt(frame.right - 1, 4, frame)).toBe(3);
    expect(slotAt(frame.left - 5, 4, frame)).toBeNull();
    expect(slotAt(frame.right + 5, 4, frame)).toBeNull();
  });
});
