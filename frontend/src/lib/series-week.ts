import { group } from "d3-array";

import { formatCount, formatShare, formatTokens, plural } from "./format";
import { poolUsed, type PooledHours, type TimedHour } from "./series-hours";
import { HOUR_MS } from "./time";

export const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
export const DAY_HOURS = 24;

/** One hour of the week, pooled over the weeks given. */
export interface WeekCell extends PooledHours {
  /** Starts of all its hours, in milliseconds since the epoch. */
  times: number[];
}

/** Which hour of the week a moment falls in: 0 is Monday 00:00 UTC, 167 Sunday 23:00. */
export function weekHour(time: number): number {
  const at = new Date(time);
  return ((at.getUTCDay() + 6) % 7) * DAY_HOURS + at.getUTCHours();
}

/** The 168 hours of the week; the share is null where no hour of them was used. */
export function weekCells(hours: readonly TimedHour[]): WeekCell[] {
  const groups = group(hours, (hour) => weekHour(hour.time));
  return Array.from({ length: WEEKDAYS.length * DAY_HOURS }, (_, index) => {
    const ofCell = groups.get(index) ?? [];
    return { ...poolUsed(ofCell), times: ofCell.map((hour) => hour.time) };
  });
}

/** Mean requests by hour of the day. An hour without traffic counts as zero requests, one not fetched not at all. */
export function loadByHourOfDay(hours: readonly TimedHour[]): (number | null)[] {
  return byHourOfDay(hours).map((ofClock) => {
    const known = ofClock.flatMap((hour) => (hour.state === "no_traffic" ? [0] : hour.requests === null ? [] : [hour.requests]));
    return known.length === 0 ? null : known.reduce((sum, requests) => sum + requests, 0) / known.length;
  });
}

function byHourOfDay(hours: readonly TimedHour[]): TimedHour[][] {
  const groups = group(hours, (hour) => new Date(hour.time).getUTCHours());
  return Array.from({ length: DAY_HOURS }, (_, clock) => groups.get(clock) ?? []);
}

/** One cell in words, with its raw tokens. */
export function weekCellWords(index: number, cell: WeekCell): string {
  const when = `${WEEKDAYS[Math.floor(index / DAY_HOURS)] ?? ""} ${clock(index % DAY_HOURS)} UTC`;
  if (cell.share === null) return `${when}. N/A: no linked hour.`;
  return `${when}. Cached ${formatShare(cell.share, 1)} (${formatTokens(cell.cached)} of ${formatTokens(cell.input)} tokens), ${plural(cell.hours, "linked hour")}.`;
}

/** Hours of the day closer than this are called the same. */
const SAME_HOURS = 0.05;

/** The heading of the heat map: which hour of the day is cached most and least. */
export function weekHeading(hours: readonly TimedHour[]): string {
  const shares = byHourOfDay(hours).map((ofClock) => poolUsed(ofClock).share);
  const known = shares.flatMap((share, hour) => (share === null ? [] : [{ share, hour }])).sort((a, b) => a.share - b.share);
  const [least, most] = [known[0], known.at(-1)];
  if (!least || !most) return "No linked hour in these weeks";
  const days = fewDaysWords(hours);
  if (most.share - least.share < SAME_HOURS) return `Cached share hardly depends on the hour of the day${days}`;
  return `Most is cached at ${clock(most.hour)} (${formatShare(most.share)}), least at ${clock(least.hour)} (${formatShare(least.share)})${days}`;
}

/** With linked hours on fewer days than this, less than half of four weeks, the heading says on how many. */
const FEW_DAYS = 14;

function fewDaysWords(hours: readonly TimedHour[]): string {
  const weeks = hours.length >= 2 * FEW_DAYS * DAY_HOURS;
  const days = new Set(hours.filter(({ state }) => state === "used").map(({ time }) => Math.floor(time / (DAY_HOURS * HOUR_MS)))).size;
  return weeks && days < FEW_DAYS ? `, on the ${plural(days, "day")} of these weeks with linked hours` : "";
}

export function clock(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}

/** How many weeks the hours span, in words for a caption. */
export function weeksSpanned(hours: readonly TimedHour[]): string {
  const [first, last] = [hours[0], hours.at(-1)];
  const days = first && last ? (last.time - first.time + HOUR_MS) / (DAY_HOURS * HOUR_MS) : 0;
  return days >= 28 ? "four weeks pooled, UTC" : `${formatCount(days)} days pooled, UTC`;
}
