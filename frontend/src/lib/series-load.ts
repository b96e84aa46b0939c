import type { Mark, ScatterBand, ScatterPoint } from "../charts/scatter-layout";
import type { ScatterChange } from "../charts/ScatterSide";
import type { HourState, SeriesDetail, Third } from "../api/types";
import { formatCorrelation, formatCount, formatFixed, formatPoints, formatShare, formatTokens, plural } from "./format";
import type { TimedHour } from "./series-hours";

const MARKS: Partial<Record<HourState, Mark>> = {
  used: "dot",
  after_gap: "hollow",
  unknown_before: "hollow",
  settling: "dashed",
  no_input: "cross",
  not_reported: "cross",
};

/** The hours that have a mark: those with requests, unless they are not over or nothing is known of them. */
export function drawnHours(hours: readonly TimedHour[]): TimedHour[] {
  return hours.filter((hour) => MARKS[hour.state] !== undefined && hour.requests !== null && hour.requests > 0);
}

/**
 * One mark for each hour that has requests, in ascending order of load. Hours without a share stand in the lane
 * under the axis; hours without a request count, without traffic, not fetched or not over have no place and no mark.
 */
export function loadPoints(hours: readonly TimedHour[], isFaded: (time: number) => boolean, colourOf = hourColour): ScatterPoint[] {
  return drawnHours(hours)
    .map((hour) => loadPoint(hour, isFaded(hour.time), colourOf(hour.time)))
    .sort((a, b) => a.x - b.x);
}

/** The colour of an hour of the day. */
export function hourColour(time: number): string {
  return `var(--h${new Date(time).getUTCHours()})`;
}

function loadPoint(hour: TimedHour, faded: boolean, colour: string): ScatterPoint {
  const known = MARKS[hour.state] ?? "cross";
  const mark = hour.share === null ? "cross" : known;
  return { key: hour.time, x: hour.requests ?? 0, y: mark === "cross" ? null : hour.share, mark, colour, faded };
}

/** The quiet and the busy third, or nothing where the load cannot be split. */
export function loadBands(series: SeriesDetail): ScatterBand[] {
  const { quiet, busy } = series;
  if (!quiet || !busy) return [];
  return [loadBand("Quiet third", "when quiet", quiet), loadBand("Busy third", "when busy", busy)];
}

function loadBand(title: string, when: string, third: Third): ScatterBand {
  const rate = `${formatCount(third.requests_per_hour)} req/h`;
  return {
    title,
    note: `${third.hours} h, ${rate} on average`,
    shortNote: rate,
    from: third.low_requests,
    to: third.high_requests,
    level: third.share ?? 0,
    value: formatShare(third.share),
    lines: [when, `${formatTokens(third.cached_tokens)} / ${formatTokens(third.input_tokens)} tokens`],
  };
}

/** Smaller changes are drawn as level: neither lost nor gained. */
const LEVEL_CHANGE = 0.01;

/** What lies between the two thirds. */
export function loadChange(series: SeriesDetail): ScatterChange | null {
  const change = busyChange(series);
  if (change === null) return null;
  const hours = series.linked_hours;
  // A fall that other traffic or the clock explains is no loss.
  const lost = change <= -LEVEL_CHANGE && series.verdict?.code === "load-correlated-misses";
  return {
    lost,
    headline: changeHeadline(change, lost),
    lines: [`rank correlation ${formatCorrelation(series.rho)}`, ...(hours === null ? [] : [plural(hours, "linked hour")])],
    short: Math.abs(change) >= LEVEL_CHANGE ? formatPoints(change) : "0",
  };
}

function changeHeadline(change: number, lost: boolean): string {
  // With the digit that the figures above have: one gap is one number.
  const points = `${formatFixed(Math.abs(change) * 100, 1)} points`;
  if (change <= -LEVEL_CHANGE) return lost ? `${points} lost under load` : `${points} lower under load`;
  if (change >= LEVEL_CHANGE) return `${points} more under load`;
  return "less than a point apart";
}

/** Busy share less quiet share, -1 to 1; null where the load cannot be split. */
export function busyChange(series: Pick<SeriesDetail, "quiet" | "busy">): number | null {
  const [quiet, busy] = [series.quiet?.share ?? null, series.busy?.share ?? null];
  return quiet === null || busy === null ? null : busy - quiet;
}

/** The heading of the picture: what it shows, in figures. */
export function loadHeading(series: SeriesDetail): string {
  const { quiet, busy } = series;
  const change = busyChange(series);
  if (!quiet || !busy || change === null) return "The load of these hours cannot be split into quiet and busy";
  if (Math.abs(change) < 0.02) return `About as much is cached in busy hours (${formatShare(busy.share)}) as in quiet ones (${formatShare(quiet.share)})`;
  const verb = change < 0 ? "less" : "more";
  return `The busiest third of hours reads ${verb} from the prompt cache: ${formatShare(busy.share)} against ${formatShare(quiet.share)}`;
}

/** The picture in one sentence, for those who do not see it. */
export function loadFinding(series: SeriesDetail): string {
  const start = "Cached share against requests per hour, one dot for each linked hour.";
  const { quiet, busy } = series;
  if (!quiet || !busy) return `${start} ${series.third_reason ?? "The load cannot be split into thirds"}.`.replace("..", ".");
  return (
    `${start} Quiet third ${formatShare(quiet.share)} at ${formatCount(quiet.requests_per_hour)} requests an hour, ` +
    `busy third ${formatShare(busy.share)} at ${formatCount(busy.requests_per_hour)}. ` +
    `Rank correlation ${formatCorrelation(series.rho)}.`
  );
}
