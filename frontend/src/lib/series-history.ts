import type { VerdictHistory, VerdictRun } from "../api/types";
import { countWord, plural } from "./format";
import { DAY_MS, formatDay } from "./time";

/** How often the verdict changed from one day to the next. What days without a verdict hide is no flip. */
export function flipCount(history: VerdictHistory): number {
  return history.items.filter((run) => run.flipped_from !== null).length;
}

/** The heading of the history: what holds, since when, and how often it changed before. */
export function historyHeading(history: VerdictHistory): string {
  const [first, last] = [history.items[0], history.items.at(-1)];
  if (!first || !last) return "No verdict has been stored yet";
  const held = `${last.word} for ${plural(last.days, "day")}`;
  const other = history.items.findLast((run) => run.code !== last.code);
  if (!other) return `${held}, the only verdict so far`;
  const times = timesHeld(history.items, last.code);
  if (times === 1) return `${held}, after ${lowerFirst(other.word)}`;
  return `${held}, for the ${nthTime(times)} time since ${formatDay(first.start)}`;
}

/** How often a verdict came up. Two runs of it with only missing days between them are one time. */
function timesHeld(runs: readonly VerdictRun[], code: VerdictRun["code"]): number {
  return runs.filter((run, index) => run.code === code && runs[index - 1]?.code !== code).length;
}

function nthTime(times: number): string {
  return ["zeroth", "first", "second", "third", "fourth", "fifth"][times] ?? `${countWord(times)}th`;
}

function lowerFirst(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}

/** "8 Nov to 12 Nov": the first and the last day of a run. */
export function runDays(run: VerdictRun): string {
  const last = new Date(Date.parse(run.end) - DAY_MS).toISOString();
  return run.days === 1 ? formatDay(run.start) : `${formatDay(run.start)} to ${formatDay(last)}`;
}
