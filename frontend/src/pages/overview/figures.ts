import type { Overview } from "../../api/types";
import type { Figure } from "../../ui/figure-strip";
import { formatCount, formatPoints, formatShare, formatTokens, plural, UNKNOWN } from "../../lib/format";

import { judgedCounts } from "./judged";

/** The strip above the table: cached share, what is avoidable, findings, readouts that are undecided. */
export function overviewFigures(overview: Overview): Figure[] {
  return [shareFigure(overview), avoidableFigure(overview), findingsFigure(overview), readoutsFigure(overview)];
}

function shareFigure({ pooled, previous_pooled, window }: Overview): Figure {
  const label = "Cached share, all series";
  if (pooled.share === null) return { label, value: UNKNOWN, sub: window === null ? "no verdict yet" : "no input tokens in a settled hour of the window" };
  const parts = `${formatTokens(pooled.cached_tokens)} / ${formatTokens(pooled.input_tokens)} input tokens`;
  const before = previous_pooled?.share ?? null;
  if (before === null) return { label, value: formatShare(pooled.share, 1), sub: `${parts}; the week before is not stored` };
  return {
    label,
    value: formatShare(pooled.share, 1),
    unit: `${formatPoints(pooled.share - before)} points on the week before`,
    sub: `${parts}; week before ${formatShare(before, 1)}`,
  };
}

/** Dollars where they are known, tokens where no list has a price; no claim is no dollar, and is not $0 either. */
function avoidableFigure(overview: Overview): Figure {
  const label = "Avoidable";
  const { avoidable, findings, window } = overview;
  const { amount, covers, tokens_per_week: tokens, usd_per_week: usd } = avoidable;
  if (window === null) return { label, value: UNKNOWN, sub: "no verdict yet" };
  if (tokens === null && findings > 0) return { label, value: UNKNOWN, sub: "no finding has a baseline to measure against" };
  if (tokens === null && judgedCounts(overview).judged === 0) return { label, value: UNKNOWN, sub: "nothing is judged yet" };
  if (tokens === null) return { label, value: amount, sub: "no open finding" };
  if (usd === null) return { label, value: amount, unit: `${tokens.map(formatTokens).join(" to ")} tokens a week`, sub: covers };
  return { label, value: amount, unit: "a week", sub: covers };
}

function findingsFigure(overview: Overview): Figure {
  const label = "Findings open";
  const { findings, new_findings, unowned_findings, near_threshold, series, projects } = overview;
  if (judgedCounts(overview).judged === 0) return { label, value: UNKNOWN, sub: "nothing is judged yet" };
  return {
    label,
    value: formatCount(findings),
    unit: findings === 0 ? undefined : `${partOf(findings, new_findings)} with a verdict that began in the last 3 days, ${partOf(findings, unowned_findings)} without an owner`,
    sub: `of ${plural(series, "series", "series")} in ${plural(projects, "project")}; ${near_threshold > 0 ? formatCount(near_threshold) : "none"} near a finding`,
  };
}

/** How many of all, without saying the number of all again. */
function partOf(all: number, part: number): string {
  if (part === 0) return "none";
  return part === all && all > 1 ? "all" : formatCount(part);
}

function readoutsFigure({ collecting_readouts: collecting, readouts_to_review: waiting }: Overview): Figure {
  const label = "Readouts undecided";
  const all = collecting + waiting;
  if (all === 0) return { label, value: "0", sub: "mark a key shipped on a series to start one" };
  return { label, value: formatCount(all), unit: `${formatCount(collecting)} collecting, ${formatCount(waiting)} to review`, sub: "one for each marked repair, so a series may have several" };
}
