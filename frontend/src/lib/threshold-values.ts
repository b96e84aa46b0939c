import type { RulesThreshold } from "../api/types";
import { formatCount } from "./format";

const MINUS = "\u2212";
/** Enough for every threshold; what lies behind is the noise of binary fractions. */
const DIGITS = 6;

/** A threshold's value as its unit is read: a share in percent, points as points, the rest as it is. */
export function thresholdValue(value: number, unit: string): string {
  if (unit === "share") return `${plain(value * 100)}%`;
  return plain(unit === "points" ? value * 100 : value);
}

function plain(value: number): string {
  const size = Number(Math.abs(value).toPrecision(DIGITS));
  const text = Number.isInteger(size) ? formatCount(size) : String(size);
  return value < 0 ? MINUS + text : text;
}

/** What a team may set it to, in words. */
export function settableWords({ low, high, unit }: RulesThreshold): string {
  if (low === null || high === null) return "fixed";
  return `${thresholdValue(low, unit)} to ${thresholdValue(high, unit)}`;
}
