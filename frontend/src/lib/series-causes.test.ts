import { describe, expect, it } from "vitest";

import type { Control, ControlStatus } from "../api/types";
import { boundWords, causeGroups, causeName, causesHeading } from "./series-causes";

const cause = (status: ControlStatus, name = "prompt-length"): Control => ({ name, status, statement: "", to_flip: "", numbers: {} });

describe("causesHeading", () => {
  it("counts the causes by how they stand, in words", () => {
    const causes = [cause("ruled_out"), cause("fired"), cause("ruled_out"), cause("open"), cause("not_testable"), cause("not_testable")];
    expect(causesHeading(causes)).toBe("Two causes are ruled out, one is open, two cannot be tested");
  });

  it("speaks of one cause in the singular and leaves out what does not occur", () => {
    expect(causesHeading([cause("ruled_out")])).toBe("One cause is ruled out");
    expect(causesHeading([cause("open"), cause("open")])).toBe("Two causes are open");
    expect(causesHeading([cause("not_testable")])).toBe("One cause cannot be tested");
  });

  it("does not claim that something was ruled out where only the finding itself was looked at", () => {
    expect(causesHeading([cause("fired")])).toBe("No other cause was looked at");
  });
});

describe("causeGroups", () => {
  it("stand in one order, what is shown first and what is open next, and keep the API's order inside", () => {
    const groups = causeGroups([cause("not_testable"), cause("open", "b"), cause("fired"), cause("open", "a")]);
    expect(groups.map(({ status, causes }) => [status, causes.map(({ name }) => name)])).toEqual([
      ["fired", ["prompt-length"]], ["open", ["b", "a"]], ["not_testable", ["prompt-length"]],
    ]);
  });
});

describe("boundWords", () => {
  const fall = (bound: number | null) => ({ ...cause("fired", "share-over-load"), numbers: { lower_bound: bound } });

  it("say how small the fall may be, and that it may be none", () => {
    expect(boundWords(fall(0.432))).toBe("The mean of the days is a fall of at least 43 points, with one-sided 95% confidence.");
    expect(boundWords(fall(-0.01))).toBe("With one-sided 95% confidence the mean of the days need not be a fall.");
  });

  it("are none where the bound is not known, and for other causes", () => {
    expect(boundWords(fall(null))).toBeNull();
    expect(boundWords(cause("fired"))).toBeNull();
  });
});

describe("causeName", () => {
  it("is the API's own name in words", () => expect(causeName("one-day-or-hour")).toBe("One day or hour"));
});
