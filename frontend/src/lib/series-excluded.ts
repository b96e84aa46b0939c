import type { Excluded } from "../api/types";
import { formatCount } from "./format";
import { countStates, type TimedHour } from "./series-hours";

export interface ExclusionRow {
  reason: string;
  hours: number;
  why: string;
}

const REASONS: readonly { name: keyof Excluded; reason: string; why: string }[] = [
  { name: "after_gap", reason: "First hour after a gap", why: "Entries may have expired in the gap, which says nothing about load." },
  { name: "unknown_before", reason: "The hour before is not known", why: "The one before was not read, reports nothing or lies before the window: there may have been a gap." },
  { name: "no_input", reason: "No input tokens", why: "A share needs input tokens to divide by." },
  { name: "not_reported", reason: "Cached tokens not reported", why: "They link hours, but have no share." },
  { name: "no_requests", reason: "No request count", why: "They cannot be placed by load." },
  { name: "clipped", reason: "Known only in part", why: "Only a part of the hour was sent, or one of its rows could not be placed and may belong here." },
  { name: "unsettled", reason: "Not settled yet", why: "The provider may still change them." },
];

/** Why hours do not enter the verdict, most hours first; reasons without an hour are left out. */
export function exclusionRows(excluded: Excluded, windowHours: readonly TimedHour[], ofPushes: boolean): ExclusionRow[] {
  const counts = countStates(windowHours);
  const rows = [
    ...REASONS.map(({ name, ...words }) => ({ ...words, hours: excluded[name] })),
    { reason: "No traffic", hours: counts.no_traffic, why: "There is nothing to measure." },
    { reason: ofPushes ? "Nothing was pushed" : "Not fetched", hours: counts.missing, why: "Unknown, which is not the same as idle." },
  ];
  return rows.filter((row) => row.hours > 0).sort((a, b) => b.hours - a.hours);
}

/** The heading over the excluded hours. */
export function exclusionHeading(used: number, all: number): string {
  return used >= all ? `All ${formatCount(all)} hours are used` : `${formatCount(used)} of ${formatCount(all)} hours are used`;
}

/** The largest reasons in a few words: "16 no traffic, 10 first hour after a gap". */
export function exclusionsInShort(rows: readonly ExclusionRow[]): string {
  if (rows.length === 0) return "none left out";
  return rows.slice(0, 3).map((row) => `${formatCount(row.hours)} ${SHORT[row.reason] ?? row.reason.toLowerCase()}`).join(", ");
}

const SHORT: Record<string, string> = {
  "First hour after a gap": "after a gap",
  "The hour before is not known": "whose hour before is not known",
  "No traffic": "idle",
  "No input tokens": "no input",
  "Not settled yet": "settling",
};
