import type { BackfillWeek } from "../../api/types";
import { plural } from "../../lib/format";

/** Neighbouring weeks in the same state. */
export interface WeekRun {
  state: string;
  start: string;
  first: number;
  weeks: number;
}

const WORDS: Readonly<Record<string, string>> = { partly: "partly refused" };

export function weekStateWord(state: string): string {
  return WORDS[state] ?? state;
}

/** The weeks as runs of equal state, oldest first. */
export function weekRuns(weeks: readonly BackfillWeek[]): WeekRun[] {
  const runs: WeekRun[] = [];
  for (const [index, { state, start }] of weeks.entries()) {
    const last = runs.at(-1);
    if (last?.state === state) last.weeks += 1;
    else runs.push({ state, start, first: index, weeks: 1 });
  }
  return runs;
}

/** How many weeks have each state, as words: "18 weeks fetched". */
export function weekCounts(weeks: readonly BackfillWeek[]): { state: string; words: string }[] {
  const byState = Map.groupBy(weeks, ({ state }) => state);
  return [...byState].map(([state, found]) => ({ state, words: `${plural(found.length, "week")} ${weekStateWord(state)}` }));
}

/** How much of a week is in, 0 to 1. */
export function weekProgress({ state, hours_fetched, hours_total }: BackfillWeek): number {
  if (state === "fetched") return 1;
  return hours_total > 0 ? Math.min(hours_fetched / hours_total, 1) : 0;
}

/** What the weeks' notes say, each sentence once, oldest first. */
export function weekNotes(weeks: readonly BackfillWeek[]): string[] {
  return [...new Set(weeks.map(({ note }) => note).filter((note) => note !== ""))];
}

/** The runs whose start can be labelled without touching the label before; `step` is a week's width; all lengths in one unit. */
export function fittingRuns(runs: readonly WeekRun[], step: number, labelWidth: number, end: number): WeekRun[] {
  const fitting: WeekRun[] = [];
  let free = 0;
  for (const run of runs) {
    const x = run.first * step;
    if (x < free || x > end) continue;
    fitting.push(run);
    free = x + labelWidth;
  }
  return fitting;
}
