import type { SeriesDetail, ThresholdRow } from "../api/types";
import { countWord, formatCorrelation, formatCount, formatPoints, formatShare, UNKNOWN } from "./format";

/** A threshold's value or limit in its own unit. */
export function thresholdText(value: number | null, unit: ThresholdRow["unit"]): string {
  if (value === null) return UNKNOWN;
  switch (unit) {
    case "share":
    case "ratio":
      return formatShare(value);
    case "points":
      return formatPoints(value);
    case "correlation":
      return formatCorrelation(value);
    case "hours":
      return formatCount(value);
  }
}

/** Where a finding starts, in words: "60% or lower", "24 or more". */
export function limitWords(row: ThresholdRow): string {
  const limit = thresholdText(row.limit, row.unit);
  if (row.side === "at or below") return `${limit} or lower`;
  return `${limit} or ${row.unit === "hours" ? "more" : "higher"}`;
}

const DOMAINS: Record<ThresholdRow["unit"], [number, number]> = {
  share: [0, 1],
  ratio: [0, 1],
  points: [0, 1],
  correlation: [-1, 1],
  hours: [0, 168],
};

/** The ends of the line a threshold is drawn on. */
export function thresholdDomain(row: ThresholdRow): [number, number] {
  return DOMAINS[row.unit];
}

/** The heading over the thresholds: how many of them are passed. */
export function thresholdHeading(rows: readonly ThresholdRow[]): string {
  const passed = rows.filter((row) => row.passes === true).length;
  if (rows.length === 0) return "No threshold was looked at";
  const all = rows.length === 1 ? "The one threshold is" : `All ${countWord(rows.length)} thresholds are`;
  if (passed === rows.length) return `${all} passed`;
  const none = rows.length === 1 ? "The one threshold is not passed" : `None of the ${countWord(rows.length)} thresholds is passed`;
  if (passed === 0) return none;
  const verb = passed === 1 ? "is" : "are";
  return `${capital(countWord(passed))} of ${countWord(rows.length)} thresholds ${verb} passed`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export const SET_BY: Record<SeriesDetail["threshold_values"]["set_by"], string> = {
  default: "the defaults",
  source: "set for this source",
  series: "set for this series",
};
