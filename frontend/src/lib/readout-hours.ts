import type { AroundLevel, AroundSlot } from "../charts/HoursAround";
import type { ScatterPoint } from "../charts/scatter-layout";
import type { ReadoutMeasure, ReadoutNumbers } from "../api/types";
import type { TimedHour } from "./series-hours";
import { timelineSlots } from "./series-timeline";
import { HOUR_MS } from "./time";

/** The windows in milliseconds since the epoch, half-open. */
export interface Windows {
  before: [number, number];
  after: [number, number];
}

export function windowsOf({ windows: { before, after } }: Pick<ReadoutNumbers, "windows">): Windows {
  const ends = ({ start, end }: { start: string; end: string }): [number, number] => [Date.parse(start), Date.parse(end)];
  return { before: ends(before), after: ends(after) };
}

/** The hours the picture asks for: both windows and what lies between, at least a day after. */
export function spanOf({ before, after }: Windows): { from: number; to: number } {
  return { from: before[0], to: Math.max(after[1], after[0] + 24 * HOUR_MS) };
}

type Side = "before" | "after" | "between";

function sideOf(time: number, { before, after }: Windows): Side {
  if (time >= before[0] && time < before[1]) return "before";
  return time >= after[0] && time < after[1] ? "after" : "between";
}

/** The busiest hours of each window: as many of them as the busy-hour measure holds. Busy means at or above one load, so these are they. */
function busyHours(hours: readonly TimedHour[], busy: ReadoutMeasure | undefined, windows: Windows): Set<number> {
  const busiest = (side: Side, count: number) =>
    hours
      .filter((hour) => hour.state === "used" && sideOf(hour.time, windows) === side)
      .sort((a, b) => (b.requests ?? 0) - (a.requests ?? 0))
      .slice(0, count)
      .map(({ time }) => time);
  return new Set([...busiest("before", busy?.before.hours ?? 0), ...busiest("after", busy?.after.hours ?? 0)]);
}

/** One dot for each hour around the marker; the busy ones stand out. */
export function aroundSlots(hours: readonly TimedHour[], numbers: ReadoutNumbers): AroundSlot[] {
  const windows = windowsOf(numbers);
  const busy = busyHours(hours, numbers.measures.find(({ name }) => name === "busy_share"), windows);
  return timelineSlots(hours).map((slot) => ({ ...slot, side: sideOf(slot.start, windows), strong: busy.has(slot.start) }));
}

/** The pooled share of the measure on both sides, as the API gives it. */
export function aroundLevels(measure: ReadoutMeasure | undefined, windows: Windows): AroundLevel[] {
  return (["before", "after"] as const).flatMap((side) => {
    const [share, text] = [measure?.[side].value ?? null, measure?.[side].text ?? ""];
    return share === null ? [] : [{ from: windows[side][0], to: windows[side][1], share, text, side }];
  });
}

/** The used hours of both windows by their load. */
export function cloudPoints(hours: readonly TimedHour[], windows: Windows): ScatterPoint[] {
  return hours
    .filter((hour) => hour.state === "used" && hour.requests !== null && sideOf(hour.time, windows) !== "between")
    .sort((a, b) => (a.requests ?? 0) - (b.requests ?? 0))
    .map((hour) => ({ key: hour.time, x: hour.requests ?? 0, y: hour.share, mark: "dot" as const, colour: `var(--c-${sideOf(hour.time, windows)})` }));
}
