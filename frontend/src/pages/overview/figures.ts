import type { Overview, VerdictCode } from "../../api/types";
import type { Figure } from "../../ui/figure-strip";
import { formatCount, formatPoints, formatShare, formatTokens, plural, UNKNOWN } from "../../lib/format";

const WITHOUT_VERDICT: readonly VerdictCode[] = ["too-few-linked-hours", "load-does-not-vary"];

/** The strip above the table: cached share, findings, what rises with load, what has no verdict. */
export function overviewFigures(overview: Overview): Figure[] {
  const among = `of ${plural(overview.series, "series", "series")} in ${plural(overview.projects, "project")}`;
  return [
    shareFigure(overview),
    {
      label: "Findings",
      value: formatCount(overview.findings),
      unit: overview.new_findings > 0 ? `${formatCount(overview.new_findings)} new` : "none new",
      sub: among,
    },
    {
      label: "Misses rise with load",
      value: formatCount(overview.losing_under_load),
      sub: `of ${plural(overview.findings, "finding")}`,
    },
    undecidedFigure(overview),
  ];
}

function shareFigure({ pooled, previous_pooled, window }: Overview): Figure {
  const label = "Cached share, all series";
  if (pooled.share === null) return { label, value: UNKNOWN, sub: window === null ? "no verdict yet" : "no input tokens in the window" };
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

function undecidedFigure({ verdict_counts, series }: Overview): Figure {
  const undecided = verdict_counts.filter(({ code }) => WITHOUT_VERDICT.includes(code)).reduce((sum, { count }) => sum + count, 0);
  return {
    label: "Without a verdict",
    value: formatCount(undecided),
    unit: `of ${formatCount(series)} series`,
    sub: "too few linked hours, or a load that does not vary",
  };
}
