import { describe, expect, it } from "vitest";

import { measure } from "../testing/readout-fixture";

import { changeText, listHeading, lookHeading, measureHeading, pointScale, progressOf, standingOf } from "./readouts";

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
  it("is read from the sentence that says what is missing", () => {
    expect(progressOf("24 of 48 hours after the marker; look again on Mon 30 Nov 20:00 UTC.")).toEqual({ have: 24, need: 48, of: "hours after the marker" });
    expect(progressOf("No weekday before to compare with yet.")).toBeNull();
    expect(progressOf(null)).toBeNull();
  });
});

describe("headings", () => {
  it("the list counts what helped, what hurt and what claims nothing", () => {
    const rows = (["improved", "improved", "worse", "collecting", "contaminated"] as const).map((state) => ({ state }));
    expect(listHeading(rows, 5)).toBe("Of five readouts, two improved, one worse, one collecting and one without a claim");
    expect(listHeading([], 0)).toBe("No repair has been marked as shipped yet");
    expect(listHeading(rows, 700)).toBe("700 readouts of shipped repairs");
  });

  it("measures are counted by how they read", () => {
    const opposite = measure({ reading: "opposite" });
    expect(measureHeading([measure(), measure()])).toBe("All two measures read as expected");
    expect(measureHeading([measure(), opposite])).toBe("One of two measures reads as expected");
    expect(measureHeading([measure({ reading: "unknown" })])).toBe("No measure could be read");
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
  });
});
