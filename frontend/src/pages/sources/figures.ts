import type { Run, Source } from "../../api/types";
import type { Figure } from "../../ui/figure-strip";
import { formatCount, formatSeconds, plural, UNKNOWN } from "../../lib/format";
import { isPushed } from "../../lib/pushed";
import { formatAgo, formatClock, formatDate, formatMoment } from "../../lib/time";

/** The strip of a source: last run, what is stored, revised, rejected; pushed rows that are rejected are told to who sent them. */
export function sourceFigures(source: Source, now: Date): Figure[] {
  const figures = [lastRunFigure(source, now), storedFigure(source), revisedFigure(source)];
  return isPushed(source) ? figures : [...figures, rejectedFigure(source)];
}

function lastRunFigure(source: Source, now: Date): Figure {
  const label = "Last run";
  if (isPushed(source)) return lastPushFigure(source, now);
  const next = source.paused ? "paused, no next run" : source.next_run_at ? `next at ${formatClock(source.next_run_at)}` : "no next run planned";
  const worked = source.runs_total > 0 ? `; ${formatCount(source.runs_ok)} of the last ${plural(source.runs_total, "run")} worked` : "";
  if (!source.last_run) return { label, value: UNKNOWN, unit: "none yet", sub: next };
  return { label, value: formatClock(source.last_run.started_at), unit: runUnit(source.last_run, now), sub: next + worked };
}

function lastPushFigure({ last_run: run, paused }: Source, now: Date): Figure {
  const label = "Last counted";
  const sub = paused ? "paused, pushes are refused" : "counted within a minute of each push";
  if (!run?.finished_at) return { label, value: UNKNOWN, unit: "nothing pushed yet", sub };
  return { label, value: formatClock(run.finished_at), unit: formatAgo(run.finished_at, now), sub };
}

function runUnit(run: Run, now: Date): string {
  const ago = formatAgo(run.started_at, now);
  if (run.status === "running") return `${ago}, still running`;
  return run.seconds === null ? ago : `${ago}, ${formatSeconds(run.seconds)}`;
}

function storedFigure(source: Source): Figure {
  const reach = source.first_hour
    ? `${formatDate(source.first_hour)} to ${source.complete_to ? formatMoment(source.complete_to) : "now"}`
    : isPushed(source) ? "nothing pushed yet" : "nothing read yet";
  return {
    label: "Rows stored",
    value: formatCount(source.buckets_stored),
    unit: `${plural(source.hours_stored, "hour")}, ${formatCount(source.series_count)} series`,
    sub: reach,
  };
}

function revisedFigure(source: Source): Figure {
  const { revised_rows_7d, rows_7d } = source;
  return {
    label: "Revised, 7 days",
    value: formatCount(revised_rows_7d),
    unit: `of ${plural(rows_7d, "row")}`,
    sub: isPushed(source) ? "settled hours that got late rows" : "settled hours that the provider restated",
  };
}

function rejectedFigure({ rejected_rows_7d }: Source): Figure {
  return {
    label: "Rejected, 7 days",
    value: formatCount(rejected_rows_7d),
    unit: rejected_rows_7d === 1 ? "row" : "rows",
    sub: rejected_rows_7d === 0 ? "every value could be read" : "listed below with place and reason",
  };
}
