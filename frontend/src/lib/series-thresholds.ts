import type { SeriesDetail, ThresholdRow, VerdictSummary } from "../api/types";
import { countWord, formatCorrelation, formatCount, formatFixed, formatShare, plural, pointWords, UNKNOWN } from "./format";

type Unit = ThresholdRow["unit"];

const PRINT: Record<Unit, (value: number, moreDigits: number) => string> = {
  share: formatShare,
  ratio: formatShare,
  points: pointWords,
  correlation: (value, moreDigits) => formatCorrelation(value, 2 + moreDigits),
  hours: formatCount,
  tokens: formatCount,
  requests: formatCount,
  number: (value, moreDigits) => formatFixed(value, 1 + moreDigits),
};
const COUNTED: readonly Unit[] = ["hours", "points", "tokens", "requests", "number"];
const MOST_MORE_DIGITS = 4;

/** A threshold's value in its own unit, with as many digits as it takes to look different from the limit. */
export function thresholdText({ value, limit, unit }: Pick<ThresholdRow, "value" | "limit" | "unit">): string {
  if (value === null) return UNKNOWN;
  const print = PRINT[unit];
  const digits = Array.from({ length: MOST_MORE_DIGITS }, (_, more) => more);
  const enough = value === limit ? 0 : digits.find((more) => print(value, more) !== print(limit, more));
  return print(value, enough ?? MOST_MORE_DIGITS);
}

/** Where a finding starts, in words: "60% or lower", "24 or more". */
export function limitWords({ limit, unit, side }: ThresholdRow): string {
  const isPercent = unit === "share" || unit === "ratio";
  const text = PRINT[unit](limit, isPercent && !isWhole(limit * 100) ? 1 : 0);
  if (side === "at or below") return `${text} or lower`;
  return `${text} or ${COUNTED.includes(unit) ? "more" : "higher"}`;
}

/** On which side of the threshold the value lies, and how far from it in the threshold's own unit. */
export function thresholdStanding({ value, limit, unit, passes }: ThresholdRow): string {
  if (passes === null || value === null) return "cannot be said";
  const said = passes ? "passed" : "not passed";
  return value === limit ? `${said}, exactly` : `${said}, by ${distanceText(Math.abs(value - limit), unit)}`;
}

function distanceText(distance: number, unit: Unit): string {
  if (unit === "correlation") return formatFixed(distance, distance < 0.095 ? 3 : 2);
  if (unit === "number") return formatFixed(distance, 1);
  if (unit === "tokens") return plural(Math.round(distance), "token");
  if (unit === "requests") return `${formatFixed(distance, 1)} requests`;
  return unit === "hours" ? plural(distance, "hour") : pointWords(distance);
}

function isWhole(percent: number): boolean {
  return Math.abs(percent - Math.round(percent)) < 1e-6;
}

const DOMAINS: Record<Unit, [number, number]> = {
  share: [0, 1],
  ratio: [0, 1],
  points: [0, 1],
  correlation: [-1, 1],
  hours: [0, 168],
  tokens: [0, 6_000],
  requests: [0, 20],
  number: [0, 3],
};

/** The ends of the line a threshold is drawn on. */
export function thresholdDomain(row: ThresholdRow): [number, number] {
  return DOMAINS[row.unit];
}

const FALL = "load-correlated-misses";
/** Thresholds that only a fall has, under the full rules or the published one. */
const OF_A_FALL = ["gap_days_agree", "rho_floor"];

/** Whether these are the thresholds of "Misses rise with load"; else they are the verdict's own. */
export function areOfAFall(rows: readonly ThresholdRow[]): boolean {
  return rows.some(({ name }) => OF_A_FALL.includes(name));
}

/** The heading over the thresholds: whose they are, and how many are passed, without those of other findings. */
export function thresholdHeading(all: readonly ThresholdRow[], verdict: Pick<VerdictSummary, "code" | "word"> | null): string {
  const rows = all.filter(({ finding }) => finding === "");
  if (rows.length === 0) return "No threshold was looked at";
  if (!areOfAFall(rows)) return `The numbers that decide "${verdict?.word ?? "this verdict"}"`;
  if (verdict === null || verdict.code === FALL) return passedWords(rows, "");
  const words = passedWords(rows, ' of "Misses rise with load"');
  return rows.every((row) => row.passes) ? `${words}, and other evidence speaks against it` : words;
}

function passedWords(rows: readonly ThresholdRow[], whose: string): string {
  const passed = rows.filter((row) => row.passes === true).length;
  const all = rows.length === 1 ? `The one threshold${whose} is` : `All ${countWord(rows.length)} thresholds${whose} are`;
  if (passed === rows.length) return `${all} passed`;
  const none = rows.length === 1 ? `The one threshold${whose} is not passed` : `None of the ${countWord(rows.length)} thresholds${whose} is passed`;
  if (passed === 0) return none;
  const verb = passed === 1 ? "is" : "are";
  return `${capital(countWord(passed))} of ${countWord(rows.length)} thresholds${whose} ${verb} passed`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

export const SET_BY: Record<SeriesDetail["threshold_values"]["set_by"], string> = {
  default: "the defaults",
  source: "set for this source",
  series: "set for this series",
};
