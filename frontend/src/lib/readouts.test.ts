import { describe, expect, it } from "vitest";

import type { ReadoutState } from "../api/types";
import { measure, readoutRow } from "../testing/readout-fixture";

import { changeText, checkHeading, daysWords, listHeading, lookHeading, measureHeading, netText, pointScale, progressOf, scaleEnds, standingOf } from "./readouts";

describe("what a state lets a number say", () => {
  it("only improved and worse are claims", () => {
    const states = ["improved", "worse", "no-detectable-change", "collecting", "traffic-changed", "contaminated", "not-measurable", "suspicious"] as const;
    expect(states.filter((state) => standingOf(state) === "claim")).toEqual(["improved", "worse"]);
  });

  it("a change without a claim stands in brackets", () => {
    expect(changeText(measure(), "improved")).toBe("+47.5");
    expect(changeText(measure(), "contaminated")).toBe("(+47.5)");
    expect(changeText(measure({ change: null }), "improved")).toBe("N/A");
  });
});

describe("what is collected", () => {
  const missing = { reason: "after-days", have: 24, need: 48, look_again: null, since: null };

  it("is counted where the readout waits for hours", () => {
    expect(progressOf(missing)).toEqual({ have: 24, need: 48 });
    expect(progressOf({ ...missing, have: 0 })).toEqual({ have: 0, need: 48 });
  });

  it("is not drawn where it waits for a narrower interval, or for nothing that is counted", () => {
    expect(progressOf({ ...missing, reason: "interval", have: 0.11, need: 0.08 })).toBeNull();
    expect(progressOf({ ...missing, reason: "days-of-a-kind", have: null, need: null })).toBeNull();
    expect(progressOf(null)).toBeNull();
  });

  it("says how long ago the repair shipped", () => {
    expect([0, 1, 12, -1, -3].map(daysWords)).toEqual(["today", "1 day ago", "12 days ago", "in 1 day", "in 3 days"]);
  });
});

describe("headings", () => {
  it("the list counts what helped, what hurt and what claims nothing", () => {
    const states = [{ state: "improved", count: 2 }, { state: "worse", count: 1 }, { state: "collecting", count: 1 }, { state: "contaminated", count: 1 }] as const;
    expect(listHeading(states)).toBe("Of five readouts, two improved, one worse, one collecting and one without a claim");
    expect(listHeading([{ state: "improved", count: 1 }])).toBe("Of one readout, one improved");
    expect(listHeading([{ state: "improved", count: 0 }])).toBe("No repair has been marked as shipped yet");
  });

  it("measures are counted by how they read", () => {
    const opposite = measure({ reading: "opposite" });
    expect(measureHeading([measure(), measure()])).toBe("All two measures read as expected");
    expect(measureHeading([measure(), opposite])).toBe("One of two measures reads as expected");
    expect(measureHeading([measure({ reading: "unknown" })])).toBe("No measure could be read");
  });

  it("a change is told net, with the raw one where they differ in what is shown", () => {
    const of = (net_change: number | null, state: ReadoutState = "improved") => netText(readoutRow({ net_change, state }));
    expect(of(0.476)).toEqual({ net: "+47.6", raw: "+47.5" });
    expect(of(0.476, "contaminated")).toEqual({ net: "(+47.6)", raw: "+47.5" });
    expect(of(0.4751)).toBeNull();
    expect(of(null)).toBeNull();
  });

  it("checks say what stands against a claim", () => {
    const check = (name: string, blocks: boolean) => ({ name, ok: !blocks, blocks });
    expect(checkHeading([check("net_cost", false)])).toBe("The two windows carried comparable traffic");
    expect(checkHeading([{ name: "net_cost", ok: null, blocks: false }])).toBe("The two windows carried comparable traffic");
    expect(checkHeading([check("net_cost", false), check("other_markers", true)])).toBe("Another change lies in the two windows");
    expect(checkHeading([check("other_markers", true), check("requests_per_hour", true)])).toBe("The two windows did not carry comparable traffic");
  });

  it("looks say since when the word holds", () => {
    const look = (days: number, state: "collecting" | "improved") => ({ days, state });
    expect(lookHeading([look(2, "collecting"), look(4, "improved"), look(7, "improved")])).toBe("Improved since day 4");
    expect(lookHeading([look(2, "improved")])).toBe("After 2 days: Improved");
  });
});

describe("the scale of intervals", () => {
  it("is a round share that holds every interval", () => {
    expect(pointScale([{ change: 0.475, interval: [0.431, 0.53] }])).toBe(0.75);
    expect(pointScale([{ change: 0.001, interval: [-0.002, 0.004] }])).toBe(0.05);
    expect(pointScale([{ change: null, interval: null }])).toBe(0.05);
    expect(scaleEnds(0.5)).toEqual(["\u221250", "0", "+50"]);
  });
});
