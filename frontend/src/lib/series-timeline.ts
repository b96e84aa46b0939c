import { extent, group, sum } from "d3-array";

import type { SlotKind, TimeSlot } from "../charts/time-layout";
import type { TimeMarker } from "../charts/marker-layout";
import type { HourState, SeriesDetail, SeriesHours } from "../api/types";
import { formatShare } from "./format";
import { poolUsed, type TimedHour } from "./series-hours";
import { DAY_MS, formatHour, formatWeekday } from "./time";

const KINDS: Record<HourState, SlotKind> = {
  used: "solid",
  after_gap: "hollow",
  unknown_before: "hollow",
  no_requests: "hollow",
  settling: "dashed",
  open: "dashed",
  no_input: "cross",
  not_reported: "cross",
  no_traffic: "empty",
  missing: "unknown",
  in_part: "unknown",
};

/** One slot for each hour. What is not known stays null: no gap becomes a zero. */
export function timelineSlots(hours: readonly TimedHour[]): TimeSlot[] {
  return hours.map((hour) => {
    const kind = KINDS[hour.state];
    const silent = kind === "empty" || kind === "unknown";
    return {
      start: hour.time,
      kind,
      share: silent || kind === "cross" ? null : hour.share,
      load: silent ? null : hour.requests,
    };
  });
}

/** The hour at which the state of affairs began, where it lies among the hours shown. */
export function onsetMarkers({ verdict }: Pick<SeriesDetail, "verdict">, { start, end }: Pick<SeriesHours, "start" | "end">): TimeMarker[] {
  const onset = verdict?.onset;
  if (!onset) return [];
  const time = Date.parse(onset.at);
  if (time <= Date.parse(start) || time >= Date.parse(end)) return [];
  return [{ time, label: `since ${formatHour(onset.at)}${onset.provisional ? ", provisional" : ""}` }];
}

export interface DayShare {
  /** Midnight UTC, in milliseconds since the epoch. */
  day: number;
  share: number;
  cached: number;
  input: number;
  hours: number;
  /** Whether only some hours of the day lie in the window and are settled: night hours say little of a day. */
  isPart: boolean;
}

const DAY_HOURS = 24;

/** Linked hours a day needs before its pooled share says something about the day. */
const FULL_DAY_HOURS = 6;

/** The pooled share of the used hours of each UTC day; days with fewer than six of them are left out. */
export function dayShares(hours: readonly TimedHour[]): DayShare[] {
  const days = group(hours, (hour) => Math.floor(hour.time / DAY_MS) * DAY_MS);
  return [...days].flatMap(([day, ofDay]) => {
    const { share, ...pooled } = poolUsed(ofDay);
    return share !== null && pooled.hours >= FULL_DAY_HOURS ? [{ day, share, ...pooled, isPart: settledHours(ofDay) < DAY_HOURS }] : [];
  });
}

function settledHours(hours: readonly TimedHour[]): number {
  return hours.filter(({ state }) => state !== "settling" && state !== "open").length;
}

/** Shares closer than this are called the same. */
const SAME_SHARES = 0.05;

/** The heading of the timeline: how far the used hours lie apart, and what those after a gap have, which the verdict keeps apart. */
export function timelineHeading(hours: readonly TimedHour[]): string {
  const cold = pooledShare(hours.filter((hour) => hour.state === "after_gap"));
  return cold === null ? usedHeading(hours) : `${usedHeading(hours)}; after a gap it was ${formatShare(cold)}`;
}

/** Cached over input tokens of hours that report both. */
function pooledShare(hours: readonly TimedHour[]): number | null {
  const known = hours.filter((hour) => hour.input_tokens !== null && hour.cached_tokens !== null);
  const input = sum(known, (hour) => hour.input_tokens ?? 0);
  return input > 0 ? sum(known, (hour) => hour.cached_tokens ?? 0) / input : null;
}

function usedHeading(hours: readonly TimedHour[]): string {
  const used = hours.filter((hour) => hour.state === "used" && hour.share !== null);
  const [least, most] = extent(used, (hour) => hour.share ?? 0);
  if (least === undefined) return "No linked hour in this time";
  if (most - least < SAME_SHARES) return `Every linked hour is much the same: ${formatShare(least)} to ${formatShare(most)} cached`;
  return `From one linked hour to another, cached share ran between ${formatShare(least)} and ${formatShare(most)}`;
}

/** The heading of the days: which was cached least and most. Parts of days are not compared with whole ones. */
export function dayHeading(all: readonly DayShare[]): string {
  const whole = all.filter(({ isPart }) => !isPart);
  const days = whole.length > 1 ? whole : all;
  const sorted = [...days].sort((a, b) => a.share - b.share);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (!least || !most) return "No day has six linked hours yet";
  if (most.share - least.share < SAME_SHARES) return `Every day is much the same: ${formatShare(least.share)} to ${formatShare(most.share)} cached`;
  return `By day, cached share ran from ${formatShare(least.share)} (${weekday(least)}) to ${formatShare(most.share)} (${weekday(most)})`;
}

function weekday({ day }: DayShare): string {
  return formatWeekday(new Date(day).toISOString());
}
