import type { VerdictHistory, VerdictRun } from "../api/types";
import { countWord, plural } from "./format";
import { DAY_MS, formatDay } from "./time";

/** How often the verdict changed from one run of days to the next. */
export function flipCount(history: VerdictHistory): number {
  return Math.max(history.items.length - 1, 0);
}

/** The heading of the history: what holds, since when, and how often it changed before. */
export function historyHeading(history: VerdictHistory): string {
  const [first, last] = [history.items[0], history.items.at(-1)];
  if (!first || !last) return "No verdict has been stored yet";
  const earlier = history.items.slice(0, -1).filter((run) => run.code === last.code).length;
  const held = `${last.word} for ${plural(last.days, "day")}`;
  if (history.items.length === 1) return `${held}, the only verdict so far`;
  if (earlier === 0) return `${held}, after ${lowerFirst(history.items.at(-2)?.word ?? first.word)}`;
  return `${held}, for the ${nthTime(earlier + 1)} time since ${formatDay(first.start)}`;
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
