import type { CellRef, SeriesDetail, VerdictSummary } from "../api/types";
import { plural, pointWords, UNKNOWN } from "./format";
import { formatDay, formatHour, formatWeekday } from "./time";

/** A flag beside a verdict as people read it: "near-threshold" is "near threshold", "model-retires" names the day. */
export function flagWords(flag: string, { retires_on: day }: Pick<VerdictSummary, "retires_on">): string {
  const words = flag.replaceAll("-", " ");
  return flag === "model-retires" && day !== null ? `${words} ${formatDay(day)}` : words;
}

/**
 * Since when: the hour at which the state of affairs began, where the hours show it, else the first day of the verdict.
 * Before the first day that was judged it may have been the same.
 */
export function sinceWords(verdict: VerdictSummary, firstJudged: string | null = null): string {
  const days = plural(verdict.days, "day");
  if (verdict.onset === null && verdict.since === firstJudged) return `this verdict at least since ${formatWeekday(verdict.since)}, the first day judged: ${days}`;
  if (verdict.onset === null) return `this verdict since ${formatWeekday(verdict.since)}, ${days}`;
  const sure = verdict.onset.provisional ? ", provisional" : "";
  return `since ${formatHour(verdict.onset.at)} UTC${sure}; this verdict for ${days}`;
}

/** The part of the traffic that a verdict is about; null where it is about all of it. */
export function cellWords(cell: CellRef | null): string | null {
  if (cell === null) return null;
  const key = cell.api_key_name === null ? "no API key reported" : `API key ${cell.api_key_name}`;
  const tier = cell.service_tier === null ? "tier not reported" : `tier ${cell.service_tier}`;
  return [key, tier, batchWords(cell.batch)].join(", ");
}

function batchWords(batch: boolean | null): string {
  if (batch === null) return "batch not reported";
  return batch ? "batch" : "not batch";
}

export interface StabilityRow {
  name: string;
  value: string;
  /** What was left out, or why there is no value. */
  sub: string;
}

/** The fall with parts left out, in points. */
export function stabilityRows({ stability }: Pick<SeriesDetail, "stability">): StabilityRow[] {
  if (stability === null) return [];
  const { without_busiest_hour: hour, without_one_day: day, weakest_day_start: weakest } = stability;
  return [
    { name: "Without the busiest hour", value: fallWords(hour), sub: hour === null ? "no hour to compare with" : "the busiest of the whole window" },
    { name: "Without any one day", value: day === null ? UNKNOWN : `at least ${fallWords(day)}`, sub: day === null ? "fewer than two days to compare" : weakestWords(weakest) },
  ];
}

/** What the prompt cache of the model does depends on its generation. */
export function generationWords(generation: string | null): string | null {
  return generation === null ? null : `prompt cache generation: ${generation}`;
}

function fallWords(fall: number | null): string {
  return fall === null ? UNKNOWN : pointWords(fall);
}

function weakestWords(start: string | null): string {
  return start === null ? "the smallest of all days" : `least without the day from ${formatHour(start)} UTC`;
}

/** The heading over those rows; whether the fall stands is said by the API. */
export function stabilityHeading({ stability, verdict }: Pick<SeriesDetail, "stability" | "verdict">): string {
  if (stability?.stands) return "The fall does not hang on one hour or one day";
  if (stability?.without_one_day == null) return "Too few days to leave one out";
  return verdict?.code === "load-correlated-misses" ? "With one day left out it would be no finding" : "No fall that counts, whatever is left out";
}
