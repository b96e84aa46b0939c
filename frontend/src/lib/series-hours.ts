import type { HourState, SeriesHour } from "../api/types";
import { formatShare, formatTokens, plural } from "./format";
import { NOT_FETCHED } from "./pushed";
import { formatHour, HOUR_MS } from "./time";

/** An hour of a series with its start in milliseconds since the epoch. */
export interface TimedHour extends SeriesHour {
  time: number;
}

/** Every hour of the window in order; an hour the answer does not hold was not fetched, and holds nothing. */
export function fillHours(items: readonly SeriesHour[], start: string, end: string): TimedHour[] {
  const known = new Map(items.map((hour) => [Date.parse(hour.hour), hour]));
  const [first, last] = [Date.parse(start), Date.parse(end)];
  const count = Math.max(Math.round((last - first) / HOUR_MS), 0);
  return Array.from({ length: count }, (_, index) => {
    const time = first + index * HOUR_MS;
    return { ...(known.get(time) ?? missingHour(time)), time };
  });
}

function missingHour(time: number): SeriesHour {
  return {
    hour: new Date(time).toISOString(),
    state: "missing",
    requests: null,
    input_tokens: null,
    cached_tokens: null,
    cache_write_tokens: null,
    share: null,
    third: null,
  };
}

/** Why an hour is left out of the verdict, in words; null for an hour that is used. */
export const EXCLUSION: Record<HourState, string | null> = {
  used: null,
  after_gap: "after a gap",
  unknown_before: "the hour before is not known",
  settling: "still settling",
  open: "not over yet",
  no_traffic: "no traffic",
  missing: NOT_FETCHED,
  in_part: "read in part",
  no_input: "no input tokens",
  no_requests: "no request count",
  not_reported: "cached tokens not reported",
};

/** One line of raw numbers for an hour: when, how many requests, which share of which tokens, and why it is left out. */
export function hourWords(hour: SeriesHour, missing = NOT_FETCHED): string {
  const when = `${formatHour(hour.hour)} UTC`;
  if (hour.state === "no_traffic") return `${when}. No traffic.`;
  if (hour.state === "missing") return `${when}. ${capitalized(missing)}, so nothing is known.`;
  if (hour.state === "in_part") return `${when}. Read in part: a row of this hour could not be placed and may belong here, so nothing is known.`;
  const requests = hour.requests === null ? "requests N/A" : plural(hour.requests, "request");
  return `${when}. ${requests}, ${shareWords(hour)}.${exclusionWords(hour.state)}`;
}

function shareWords(hour: SeriesHour): string {
  if (hour.share === null) return `cached share N/A, ${tokenWords(hour)}`;
  return `cached ${formatShare(hour.share, 1)} (${tokenWords(hour)})`;
}

function tokenWords(hour: SeriesHour): string {
  return `${formatTokens(hour.cached_tokens)} of ${formatTokens(hour.input_tokens)} tokens`;
}

function exclusionWords(state: HourState): string {
  const reason = EXCLUSION[state];
  if (reason === null) return "";
  return ` ${capitalized(reason)}, excluded.`;
}

function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Tokens over tokens of the hours given; null where no hour holds both. */
export interface PooledHours {
  share: number | null;
  cached: number;
  input: number;
  hours: number;
}

/** The pooled share of the used hours among those given. */
export function poolUsed(hours: readonly SeriesHour[]): PooledHours {
  const pooled: PooledHours = { share: null, cached: 0, input: 0, hours: 0 };
  for (const hour of hours) {
    if (hour.state !== "used" || hour.input_tokens === null || hour.cached_tokens === null) continue;
    pooled.cached += hour.cached_tokens;
    pooled.input += hour.input_tokens;
    pooled.hours += 1;
  }
  pooled.share = pooled.input > 0 ? pooled.cached / pooled.input : null;
  return pooled;
}

/** How many of the hours are in each state. */
export function countStates(hours: readonly SeriesHour[]): Record<HourState, number> {
  const counts = Object.fromEntries(Object.keys(EXCLUSION).map((state) => [state, 0])) as Record<HourState, number>;
  for (const hour of hours) counts[hour.state] += 1;
  return counts;
}
