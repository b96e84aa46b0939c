import type { Coverage } from "../../api/types";
import { plural } from "../../lib/format";
import { formatWeekday } from "../../lib/time";

export type CoveredHour = Coverage["hours"][number];
export type CoverageState = CoveredHour["state"];

export const COVERAGE_STATES: readonly CoverageState[] = ["complete", "revised", "partly", "settling", "open", "missing"];

/** One UTC day: its label, the place of its first hour in the strip, and how many hours have each state. */
export interface CoverageDay {
  label: string;
  first: number;
  hours: CoveredHour[];
  counts: Record<CoverageState, number>;
}

/** The hours of the strip by UTC day, oldest first. */
export function coverageDays(hours: readonly CoveredHour[]): CoverageDay[] {
  const byDay = Map.groupBy(hours, ({ hour }) => hour.slice(0, 10));
  let first = 0;
  return [...byDay.values()].map((dayHours) => {
    const day = { label: formatWeekday(dayHours[0]?.hour ?? ""), first, hours: dayHours, counts: countStates(dayHours) };
    first += dayHours.length;
    return day;
  });
}

function countStates(hours: readonly CoveredHour[]): Record<CoverageState, number> {
  const counts = { complete: 0, revised: 0, partly: 0, settling: 0, open: 0, missing: 0 };
  for (const { state } of hours) counts[state] += 1;
  return counts;
}

/** The finding over the strip. */
export function coverageSentence(hours: readonly CoveredHour[]): string {
  const missing = hours.filter(({ state }) => state === "missing").length;
  if (hours.length === 0 || missing === hours.length) return "No hour of the last seven days is stored yet";
  const partly = hours.filter(({ state }) => state === "partly").length;
  const lacking = missing === 0 ? "No hour is missing" : `${plural(missing, "hour is", "hours are")} missing`;
  const read = partly === 0 ? "" : `, ${partly} ${partly === 1 ? "was" : "were"} partly read`;
  return `${lacking}${read} in the last seven days`;
}
