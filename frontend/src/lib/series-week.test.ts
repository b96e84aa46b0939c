import { describe, expect, it } from "vitest";

import type { HourState } from "../api/types";
import { hourFixture } from "../testing/series-fixture";
import type { TimedHour } from "./series-hours";
import { loadByHourOfDay, weekCells, weekCellWords, weekHeading, weekHour } from "./series-week";

const HOUR = 3_600_000;
const WEEK = 168 * HOUR;
const MONDAY = Date.parse("2026-11-23T00:00:00Z");
const timed = (time: number, state: HourState, requests: number | null, cached: number | null, input: number | null): TimedHour => ({
  ...hourFixture(time, state), time, requests, cached_tokens: cached, input_tokens: input,
});

describe("weekHour", () => {
  it("starts the week on Monday at midnight UTC", () => {
    expect(weekHour(MONDAY)).toBe(0);
    expect(weekHour(MONDAY - HOUR)).toBe(167);
  });
});

describe("weekCells", () => {
  it("pools the same hour of several weeks, tokens over tokens", () => {
    const cells = weekCells([timed(MONDAY, "used", 1, 90, 100), timed(MONDAY + WEEK, "used", 1, 0, 200)]);
    expect(cells[0]).toMatchObject({ share: 0.3, cached: 90, input: 300, hours: 2 });
    expect(cells[0]!.times).toHaveLength(2);
  });

  it("has no share, rather than zero, where no hour was used", () => {
    const cells = weekCells([timed(MONDAY, "no_traffic", null, null, null), timed(MONDAY + HOUR, "after_gap", 5, 0, 100)]);
    expect(cells).toHaveLength(168);
    expect(cells[0]!.share).toBeNull();
    expect(cells[1]!.share).toBeNull();
    expect(weekCellWords(1, cells[1]!)).toBe("Mon 01:00 UTC. N/A: no linked hour.");
  });

  it("shows a real zero", () => {
    const [cell] = weekCells([timed(MONDAY, "used", 5, 0, 100)]);
    expect(weekCellWords(0, cell!)).toBe("Mon 00:00 UTC. Cached 0.0% (0 of 100 tokens), 1 linked hour.");
  });
});

describe("loadByHourOfDay", () => {
  it("counts an idle hour as zero requests and an hour that was not fetched not at all", () => {
    const means = loadByHourOfDay([
      timed(MONDAY, "used", 100, 1, 2),
      timed(MONDAY + 24 * HOUR, "no_traffic", null, null, null),
      timed(MONDAY + 48 * HOUR, "missing", null, null, null),
    ]);
    expect(means[0]).toBe(50);
    expect(means[1]).toBeNull();
  });
});

describe("weekHeading", () => {
  it("says on how few days of four weeks there are linked hours", () => {
    const idle = Array.from({ length: 672 }, (_, index) => timed(MONDAY + index * HOUR, "no_traffic", null, null, null));
    const hours = idle.map((hour, index) => (index < 48 ? timed(hour.time, "used", 1, 50, 100) : hour));
    expect(weekHeading(hours)).toBe("Cached share hardly depends on the hour of the day, on the 2 days of these weeks with linked hours");
  });

  it("names the hour of the day that is cached most and least", () => {
    const hours = [timed(MONDAY + 3 * HOUR, "used", 1, 73, 100), timed(MONDAY + 12 * HOUR, "used", 1, 13, 100)];
    expect(weekHeading(hours)).toBe("Most is cached at 03:00 (73%), least at 12:00 (13%)");
    expect(weekHeading([])).toBe("No linked hour in these weeks");
  });
});
