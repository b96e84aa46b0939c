import { describe, expect, it } from "vitest";

import type { SeriesHour } from "../api/types";
import { countStates, fillHours, hourWords, poolUsed } from "./series-hours";

const hour = (time: string, changes: Partial<SeriesHour> = {}): SeriesHour => ({
  hour: time, state: "used", requests: 4973, input_tokens: 23_900_000, cached_tokens: 2_772_400,
  cache_write_tokens: null, share: 0.116, third: null, ...changes,
});

describe("fillHours", () => {
  it("calls an hour that the answer does not hold missing, and gives it no numbers", () => {
    const hours = fillHours([hour("2026-11-23T11:00:00Z")], "2026-11-23T10:00:00Z", "2026-11-23T13:00:00Z");
    expect(hours.map(({ state }) => state)).toEqual(["missing", "used", "missing"]);
    expect(hours[0]).toMatchObject({ requests: null, input_tokens: null, share: null, hour: "2026-11-23T10:00:00.000Z" });
  });

  it("leaves out hours outside the window, whose end does not belong to it", () => {
    const answer = [hour("2026-11-23T10:00:00Z"), hour("2026-11-23T11:00:00Z")];
    expect(fillHours(answer, "2026-11-23T10:00:00Z", "2026-11-23T11:00:00Z")).toHaveLength(1);
  });
});

describe("hourWords", () => {
  it("says when, how many requests, and which share of which tokens", () => {
    expect(hourWords(hour("2026-11-23T11:00:00Z"))).toBe("Mon 23 Nov 11:00 UTC. 4,973 requests, cached 11.6% (2.77M of 23.9M tokens).");
  });

  it("says why an hour is excluded", () => {
    expect(hourWords(hour("2026-11-23T11:00:00Z", { state: "after_gap" }))).toContain("After a gap, excluded.");
    expect(hourWords(hour("2026-11-23T11:00:00Z", { state: "settling" }))).toContain("Still settling, excluded.");
  });

  it("never turns what is not known into a zero", () => {
    const silent = { requests: null, input_tokens: null, cached_tokens: null, share: null };
    expect(hourWords(hour("2026-11-23T11:00:00Z", { state: "missing", ...silent }))).toBe("Mon 23 Nov 11:00 UTC. Not fetched, so nothing is known.");
    expect(hourWords(hour("2026-11-23T11:00:00Z", { state: "no_traffic", ...silent }))).toBe("Mon 23 Nov 11:00 UTC. No traffic.");
    expect(hourWords(hour("2026-11-23T11:00:00Z", { state: "in_part", ...silent }))).toBe(
      "Mon 23 Nov 11:00 UTC. Read in part: a row of this hour could not be placed and may belong here, so nothing is known.",
    );
    expect(hourWords(hour("2026-11-23T11:00:00Z", { state: "not_reported", cached_tokens: null, share: null }))).toContain("cached share N/A, N/A of 23.9M tokens");
  });

  it("shows a real zero as zero", () => {
    expect(hourWords(hour("2026-11-23T11:00:00Z", { cached_tokens: 0, share: 0 }))).toContain("cached 0.0% (0 of 23.9M tokens)");
  });
});

describe("poolUsed", () => {
  it("divides tokens by tokens, so that a large hour weighs more than a small one", () => {
    const hours = [
      hour("2026-11-23T10:00:00Z", { input_tokens: 900, cached_tokens: 90, share: 0.1 }),
      hour("2026-11-23T11:00:00Z", { input_tokens: 100, cached_tokens: 90, share: 0.9 }),
    ];
    expect(poolUsed(hours)).toEqual({ share: 0.18, cached: 180, input: 1000, hours: 2 });
  });

  it("takes used hours only", () => {
    const hours = [hour("2026-11-23T10:00:00Z", { state: "settling" }), hour("2026-11-23T11:00:00Z", { state: "after_gap" })];
    expect(poolUsed(hours)).toEqual({ share: null, cached: 0, input: 0, hours: 0 });
  });
});

describe("countStates", () => {
  it("counts every state, also those without an hour", () => {
    const counts = countStates([hour("2026-11-23T10:00:00Z"), hour("2026-11-23T11:00:00Z", { state: "missing" })]);
    expect(counts).toMatchObject({ used: 1, missing: 1, settling: 0 });
  });
});
