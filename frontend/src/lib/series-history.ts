import type { VerdictHistory, VerdictRun } from "../api/types";
import { countWord, formatCount, plural } from "./format";
import { DAY_MS, formatDay } from "./time";

/** How often the verdict changed from one day to the next. What days without a verdict hide is no flip. */
export function flipCount(history: VerdictHistory): number {
  return history.items.filter((run) => run.flipped_from !== null).length;
}

/** Of these, how many flips fall on a day that other rules judged: the traffic need not have changed. */
export function flipsOfRules(history: VerdictHistory): number {
  return history.items.filter((run) => run.flipped_from !== null && run.rules_changed).length;
}

/** How many days and flips are stored, and which of the flips say nothing of the traffic. */
export function historyNote(history: VerdictHistory): string {
  const flips = `${plural(history.days_stored, "day")} with a verdict, ${plural(flipCount(history), "flip")} between them`;
  const ofRules = flipsOfRules(history);
  return ofRules === 0 ? `${flips}.` : `${flips}, ${formatCount(ofRules)} of them where the rules changed and not the traffic.`;
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
