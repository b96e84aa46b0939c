import { describe, expect, it } from "vitest";

import type { HourState } from "../api/types";
import { hourFixture, seriesFixture } from "../testing/series-fixture";
import type { TimedHour } from "./series-hours";
import { dayHeading, dayShares, onsetMarkers, timelineHeading, timelineSlots } from "./series-timeline";

const HOUR = 3_600_000;
const MIDNIGHT = Date.parse("2026-11-23T00:00:00Z");
const timed = (index: number, state: HourState = "used", changes: Partial<TimedHour> = {}): TimedHour => ({
  ...hourFixture(MIDNIGHT + index * HOUR, state), time: MIDNIGHT + index * HOUR, ...changes,
});
const pooled = (index: number, cached: number) => timed(index, "used", { input_tokens: 100, cached_tokens: cached, share: cached / 100 });

describe("timelineSlots", () => {
  it.each<HourState>(["no_traffic", "missing"])("leave share and load of an hour that is %s unknown, never zero", (state) => {
    expect(timelineSlots([timed(0, state)])[0]).toMatchObject({ share: null, load: null });
  });

  it("keep idle hours and hours that were not fetched apart", () => {
    expect(timelineSlots([timed(0, "no_traffic"), timed(1, "missing")]).map(({ kind }) => kind)).toEqual(["empty", "unknown"]);
  });

  it("take hours that are not settled, or after a gap, out of the line", () => {
    const states: HourState[] = ["used", "after_gap", "unknown_before", "settling", "open", "no_input", "not_reported", "no_requests"];
    expect(timelineSlots(states.map((state, index) => timed(index, state))).map(({ kind }) => kind)).toEqual([
      "solid", "hollow", "hollow", "dashed", "dashed", "cross", "cross", "hollow",
    ]);
  });

  it("keep the load of an hour whose share is not known", () => {
    const [slot] = timelineSlots([timed(11, "no_input")]);
    expect(slot).toMatchObject({ share: null });
    expect(slot!.load).toBeGreaterThan(0);
  });
});

describe("dayShares", () => {
  it("pools tokens over the used hours of a day and leaves days with fewer than six out", () => {
    const hours = [...[10, 20, 30, 40, 50, 60].map((cached, index) => pooled(index, cached)), timed(7, "after_gap"), pooled(30, 90)];
    expect(dayShares(hours)).toEqual([{ day: MIDNIGHT, share: 0.35, cached: 210, input: 600, hours: 6, isPart: true }]);
  });
});

describe("headings", () => {
  it("say how far the hours lie apart", () => {
    expect(timelineHeading([pooled(0, 8), pooled(1, 74)])).toBe("From one linked hour to another, cached share ran between 8% and 74%");
    expect(timelineHeading([pooled(0, 70), pooled(1, 72)])).toBe("Every linked hour is much the same: 70% to 72% cached");
    expect(timelineHeading([timed(0, "missing")])).toBe("No linked hour in this time");
  });

  it("say what the hours after a gap have, which no linked hour shows", () => {
    const cold = { ...pooled(2, 0), state: "after_gap" as const };
    expect(timelineHeading([pooled(0, 79), pooled(1, 85), cold])).toBe(
      "From one linked hour to another, cached share ran between 79% and 85%; after a gap it was 0%",
    );
  });

  it("say which day was cached least and most", () => {
    const day = (index: number, share: number) => ({ day: MIDNIGHT + index * 24 * HOUR, share, cached: 0, input: 0, hours: 24, isPart: false });
    expect(dayHeading([day(0, 0.39), day(1, 0.2)])).toBe("By day, cached share ran from 20% (Tue 24 Nov) to 39% (Mon 23 Nov)");
    expect(dayHeading([day(0, 0.39), day(1, 0.2), { ...day(2, 0.61), isPart: true }])).toBe("By day, cached share ran from 20% (Tue 24 Nov) to 39% (Mon 23 Nov)");
    expect(dayHeading([day(0, 0.2), day(1, 0.22)])).toBe("Every day is much the same: 20% to 22% cached");
    expect(dayHeading([])).toBe("No day has six linked hours yet");
  });
});

describe("onsetMarkers", () => {
  const week = { start: "2026-11-19T13:00:00Z", end: "2026-11-26T13:00:00Z" };
  const begun = (at: string, provisional = false) => ({ verdict: { ...seriesFixture().verdict!, onset: { at, provisional } } });

  it("mark the hour at which it began, and say where that is provisional", () => {
    expect(onsetMarkers(begun("2026-11-24T14:00:00Z"), week)).toEqual([{ time: Date.UTC(2026, 10, 24, 14), label: "since Tue 24 Nov 14:00" }]);
    expect(onsetMarkers(begun("2026-11-24T14:00:00Z", true), week)[0]?.label).toBe("since Tue 24 Nov 14:00, provisional");
  });

  it("are absent outside the hours shown, and where nothing began", () => {
    expect(onsetMarkers(begun("2026-11-10T14:00:00Z"), week)).toEqual([]);
    expect(onsetMarkers(seriesFixture(), week)).toEqual([]);
  });
});
