import type { LoadIntervals, Pooled, SeriesDetail } from "../../api/types";
import { FigureStrip, type Figure } from "../../ui/figure-strip";
import { formatCorrelation, formatCount, formatFixed, formatShare, formatTokens, keepTogether, UNKNOWN } from "../../lib/format";
import { isPushed } from "../../lib/pushed";
import { exclusionRows, exclusionsInShort } from "../../lib/series-excluded";
import type { TimedHour } from "../../lib/series-hours";
import { busyChange } from "../../lib/series-load";

interface SeriesStripProps {
  series: SeriesDetail;
  windowHours: readonly TimedHour[];
}

/** The figures of the verdict, each with what it stands on. Intervals leave out one day at a time. */
export function SeriesStrip({ series, windowHours }: SeriesStripProps) {
  const reason = series.third_reason ?? "cannot be split by load";
  const figures: Figure[] = [
    pooled("Quiet third of the window", series.quiet, reason),
    pooled("Busy third of the window", series.busy, reason),
    gap(series, reason),
    rank(series, reason),
    hoursUsed(series, windowHours),
    pooled("All hours", series.pooled, whyNoShare(series)),
    avoidable(series),
  ];
  return (
    <div className="figures7">
      <FigureStrip figures={figures} />
    </div>
  );
}

function hoursUsed({ source, excluded, linked_hours, now_hours }: SeriesDetail, windowHours: readonly TimedHour[]): Figure {
  const label = "Hours used";
  if (excluded === null) return { label, value: UNKNOWN, sub: "no verdict yet" };
  const sub = exclusionsInShort(exclusionRows(excluded, windowHours, isPushed(source)));
  return { label, value: formatCount(linked_hours), unit: `of ${formatCount(now_hours)}`, sub };
}

function whyNoShare({ verdict, awaits_settling }: SeriesDetail): string {
  if (!verdict) return "no verdict yet";
  return awaits_settling ? "not settled yet" : "no input tokens";
}

/** A pooled share over its tokens; N/A with the reason where there is none. */
function pooled(label: string, tokens: Pooled | null, reason: string): Figure {
  if (tokens?.share == null) return { label, value: UNKNOWN, sub: reason };
  const sub = `${formatTokens(tokens.cached_tokens)} / ${formatTokens(tokens.input_tokens)} tokens`;
  return { label, value: formatShare(tokens.share, 1), sub };
}

function gap(series: SeriesDetail, reason: string): Figure {
  const change = busyChange(series);
  if (change === null) return { label: "Gap", value: UNKNOWN, sub: reason };
  const points = formatFixed(Math.abs(change) * 100, 1);
  const side = change < 0 ? "lower when busy" : "higher when busy";
  return { label: "Gap", value: points, unit: "points", sub: `${points === "0.0" ? "the same when busy" : side}, ${gapInterval(series, change < 0)}` };
}

function rank(series: SeriesDetail, reason: string): Figure {
  const label = "Rank correlation";
  if (series.rho === null) return { label, value: UNKNOWN, sub: reason };
  const { intervals } = series;
  // Without one of the days a correlation may be perfect that is not so with all of them.
  const sub = intervals !== null && intervals.rho === null ? "no interval: with all days, or without one, no hour is out of order" : intervalWords(intervals, intervals?.rho?.map((end) => formatCorrelation(end)));
  return { label, value: formatCorrelation(series.rho), sub };
}

/** The ends have the side of the figure above them: a fall is a positive number of points. */
function gapInterval({ intervals }: SeriesDetail, falls: boolean): string {
  const ends = falls ? intervals?.gap.map((end) => -end).reverse() : intervals?.gap;
  return intervalWords(intervals, ends?.map((end) => formatFixed(end * 100, 1)));
}

function intervalWords(intervals: LoadIntervals | null, ends: readonly string[] | undefined): string {
  if (!intervals || !ends) return "interval N/A: too few days, or hours changed since";
  return `${formatShare(intervals.confidence)} interval ${ends.join("\u00a0to\u00a0")}`;
}

/** The API's own words: a range of dollars, or why there is none; never a zero for what is not known. */
function avoidable({ avoidable: claim, money }: SeriesDetail): Figure {
  const sub = keepTogether([money.basis, money.note].filter((words) => words !== "").join(", "));
  return { label: "Avoidable", value: money.amount, ...(claim?.usd_per_week && { unit: "a week" }), sub };
}
