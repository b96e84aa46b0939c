import type { Run } from "../../api/types";
import type { MarkKind } from "../../ui/mark";
import { formatCount, plural } from "../../lib/format";
import { formatClock, formatDay, formatMoment } from "../../lib/time";

/** A notice that says which requests do not count, as they should not: nothing is wrong. */
const LEFT_OUT = /^[\d,]+ requests? left out: /;

/** How a run ended, as a sign and a few words. */
export function runResult(run: Run): { kind: MarkKind; words: string } {
  if (run.status === "running") return { kind: "wait", words: "running" };
  if (run.status === "failed") return { kind: "bad", words: "failed" };
  if (run.status === "interrupted") return { kind: "warn", words: "interrupted" };
  if (run.rows_rejected > 0) return { kind: "warn", words: `${plural(run.rows_rejected, isOfPushes(run) ? "request" : "value")} rejected` };
  return run.notices.some((notice) => !LEFT_OUT.test(notice)) ? { kind: "warn", words: "ok, with a notice" } : { kind: "okk", words: "ok" };
}

/** The hours a run asked for; the end is not part of them. */
export function runWindow({ start, end }: Run): string {
  const sameDay = start.slice(0, 10) === end.slice(0, 10);
  if (sameDay) return `${formatDay(start)} ${formatClock(start)} to ${formatClock(end)}`;
  return `${formatMoment(start)} to ${formatMoment(end)}`;
}

/** Whether a run stands for what others pushed within an hour of the clock, and read nothing itself. */
export function isOfPushes({ kind }: Pick<Run, "kind">): boolean {
  return kind === "pushed";
}

/** What the moment of a run is called. */
export function startedLabel(ofPushes: boolean): string {
  return ofPushes ? "Hour of the pushes" : "Started";
}

/** The heading of a run's page. */
export function runHeading(run: Run): string {
  if (isOfPushes(run) && run.status === "ok") return `Pushes of ${formatMoment(run.started_at)}: ${plural(run.hours, "hour")} counted, ${plural(run.rows_read, "row")} in them`;
  const kind = run.kind.charAt(0).toUpperCase() + run.kind.slice(1);
  const which = `${kind} run of ${formatMoment(run.started_at)}`;
  if (run.status === "running") return `${which} is reading`;
  if (run.status === "failed") return `${which} failed`;
  if (run.status === "interrupted") return `${which} was interrupted`;
  return `${which} read ${plural(run.rows_read, "row")} of ${plural(run.hours, "hour")}`;
}

/** The names of the counts, in the order of the table. Nothing is read of pushes, so that they have no pages: their hours are counted. */
export function countLabels(ofPushes: boolean): string[] {
  return [...(ofPushes ? ["Hours counted", "Rows in them"] : ["Pages", "Hours", "Rows read"]), "New", "Revised", "Removed", "Unchanged", "Rejected"];
}

/** The counts of a run in the order of a table of pushes, or of one that has other runs too. */
export function runCounts(run: Run, ofPushes: boolean): { label: string; text: string }[] {
  const counts = [
    ...(ofPushes ? [] : [run.pages]),
    run.hours,
    run.rows_read,
    run.rows_new,
    run.rows_changed,
    run.rows_removed,
    run.rows_unchanged,
    run.rows_rejected,
  ];
  return countLabels(ofPushes).map((label, place) => ({ label, text: formatCount(counts[place] ?? 0) }));
}
