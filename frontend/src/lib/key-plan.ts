import type { PlannedUnit, SeriesKeyPlan } from "../api/types";

import { formatCount, formatFixed, UNKNOWN } from "./format";

/** What is known besides the usage; what is left out is taken from the usage, or not known. */
export interface Assumptions {
  unit?: PlannedUnit;
  prefixes?: number;
  requests_per_minute?: number;
}

export interface ReadAssumptions {
  given: Assumptions;
  /** One sentence for each part of the address that was passed over. */
  notices: string[];
}

/** As cachewatch/analysis/key_advice/thresholds.py has them. */
export const MOST_PREFIXES = 10_000_000;
export const MOST_REQUESTS_PER_MINUTE = 100_000;

export const UNIT_WORDS: Readonly<Record<PlannedUnit, string>> = {
  conversation: "Conversation",
  "tenant-document": "Tenant document",
  template: "Template",
};

/** What the address takes as given. A value that is not understood is passed over with a notice. */
export function readAssumptions(search: URLSearchParams): ReadAssumptions {
  const given: Assumptions = {};
  const notices: string[] = [];
  const pass = (name: string, what: string) => notices.push(`The address says ${name}=${search.get(name)}, which is not ${what}. It is left out.`);
  const unit = search.get("unit") ?? "";
  if (Object.hasOwn(UNIT_WORDS, unit)) given.unit = unit as PlannedUnit;
  else if (unit !== "") pass("unit", "conversation, tenant-document or template");
  const prefixes = numberOf(search.get("prefixes"));
  if (prefixes !== null && Number.isInteger(prefixes) && prefixes >= 1 && prefixes <= MOST_PREFIXES) given.prefixes = prefixes;
  else if (prefixes !== null) pass("prefixes", `a whole number from 1 to ${formatCount(MOST_PREFIXES)}`);
  const rate = numberOf(search.get("requests_per_minute"));
  if (rate !== null && rate > 0 && rate <= MOST_REQUESTS_PER_MINUTE) given.requests_per_minute = rate;
  else if (rate !== null) pass("requests_per_minute", `a number above 0, at most ${formatCount(MOST_REQUESTS_PER_MINUTE)}`);
  return { given, notices };
}

/** Null where nothing is said; NaN, which is in no range, where it is no number. */
function numberOf(text: string | null): number | null {
  return text === null || text.trim() === "" ? null : Number(text);
}

/** The page Key plan of a series, from the address of the series. */
export function keyPlanPath(seriesPath: string): string {
  return seriesPath.replace(/^\/series\//, "/key-plan/");
}

/** "4", "4 to 6", "4 or more"; N/A where no template is keyed. */
export function shardWords(shards: SeriesKeyPlan["shards"]): string {
  if (shards === null) return UNKNOWN;
  if (shards.high === null) return shards.low === 1 ? "1" : `${formatCount(shards.low)} or more`;
  return shards.high === shards.low ? formatCount(shards.low) : `${formatCount(shards.low)} to ${formatCount(shards.high)}`;
}

/** Requests a minute as the plan's sentences print them: 9.4, 60. */
export function rateWords(rate: number | null): string {
  if (rate === null) return UNKNOWN;
  return rate < 10 ? formatFixed(rate, 1) : formatCount(rate);
}

const SHOWN_KEYS = 3;

/** The keys, with the ones in the middle of many left out. */
export function shownKeys(keys: readonly string[]): string[] {
  return keys.length <= SHOWN_KEYS + 1 ? [...keys] : [...keys.slice(0, SHOWN_KEYS - 1), "...", ...keys.slice(-1)];
}
