import type { ReadoutMeasure, ReadoutMissing, ReadoutNumbers, ReadoutRow, ReadoutState, StateCount } from "../api/types";
import { countWord, formatPoints, plural } from "./format";

/** The colour family of a state: the token --r-<tone>. */
export type ReadoutTone = "improved" | "worse" | "same" | "wait" | "doubt" | "na";

interface ReadoutLook {
  word: string;
  tone: ReadoutTone;
}

/** Every state in the order of the filter. The words are the API's own; the filter needs them without rows. */
export const READOUTS: Readonly<Record<ReadoutState, ReadoutLook>> = {
  improved: { word: "Improved", tone: "improved" },
  worse: { word: "Worse", tone: "worse" },
  "no-detectable-change": { word: "No detectable change", tone: "same" },
  collecting: { word: "Collecting", tone: "wait" },
  "traffic-changed": { word: "Traffic changed", tone: "doubt" },
  contaminated: { word: "Contaminated", tone: "doubt" },
  suspicious: { word: "Suspicious", tone: "doubt" },
  "not-measurable": { word: "Not measurable", tone: "na" },
};

export const READOUT_STATES = Object.keys(READOUTS) as ReadoutState[];

export function isReadoutState(text: string): text is ReadoutState {
  return Object.hasOwn(READOUTS, text);
}

/** How the numbers of a state may be shown: as a claim, as a plain estimate, in brackets, or not at all. */
export type Standing = "claim" | "estimate" | "bracketed" | "unstated";

const STANDINGS: Readonly<Record<ReadoutState, Standing>> = {
  improved: "claim",
  worse: "claim",
  "no-detectable-change": "estimate",
  collecting: "unstated",
  "traffic-changed": "bracketed",
  contaminated: "bracketed",
  suspicious: "unstated",
  "not-measurable": "unstated",
};

export function standingOf(state: ReadoutState): Standing {
  return STANDINGS[state];
}

/** A change as its state lets it be shown. */
export function changeText(measure: ReadoutMeasure, state: ReadoutState): string {
  if (measure.change === null) return "N/A";
  return standingOf(state) === "bracketed" ? `(${measure.change_text})` : measure.change_text;
}

/** The change beyond the controls and the raw one it is made of; null where they are the same, or where it is no share. */
export function netText({ primary, net_change: net, state }: Pick<ReadoutRow, "primary" | "net_change" | "state">): { net: string; raw: string } | null {
  if (primary === null || primary.change === null || net === null || !isInPoints(primary)) return null;
  const text = formatPoints(net);
  if (text === primary.change_text) return null;
  return { net: standingOf(state) === "bracketed" ? `(${text})` : text, raw: primary.change_text };
}

/** What a collecting readout waits for that is counted in hours; the width of an interval is not. */
const COUNTED: readonly string[] = ["hours-to-read", "after-days", "busy-hours", "first-hours"];

/** How many hours a collecting readout has and needs; null where it waits for something else. */
export function progressOf(missing: ReadoutMissing | null): { have: number; need: number } | null {
  if (missing?.have == null || missing.need === null || !COUNTED.includes(missing.reason)) return null;
  return { have: missing.have, need: missing.need };
}

/** "today", "1 day ago", "in 3 days". */
export function daysWords(days: number): string {
  if (days === 0) return "today";
  return days > 0 ? `${plural(days, "day")} ago` : `in ${plural(-days, "day")}`;
}

/** A sentence as a heading: without its full stop. */
export function asHeading(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

/** The measure that gives the word, if it was taken. */
export function primaryOf(numbers: ReadoutNumbers | null): ReadoutMeasure | null {
  return numbers?.measures.find(({ name }) => name === numbers.primary) ?? null;
}

const POINT_MEASURES: readonly ReadoutMeasure["name"][] = ["busy_share", "quiet_share", "gap", "pooled_share", "first_hour_share"];

/** Whether a measure changes in points of a share, and so shares one scale with the others that do. */
export function isInPoints({ name }: Pick<ReadoutMeasure, "name">): boolean {
  return POINT_MEASURES.includes(name);
}

/** Both ends and the middle of such a scale in words: "\u221250", "0", "+50". */
export function scaleEnds(most: number): [string, string, string] {
  const end = (value: number) => formatPoints(value).replace(/\.0$/, "");
  return [end(-most), "0", end(most)];
}

const STEPS = [0.05, 0.1, 0.25, 0.5, 0.75, 1] as const;

/** The end of a scale around zero that holds every change and interval in points: a round share. */
export function pointScale(measures: readonly Pick<ReadoutMeasure, "change" | "interval">[]): number {
  const most = Math.max(0, ...measures.flatMap(({ change, interval }) => [change ?? 0, ...(interval ?? [])]).map(Math.abs));
  return STEPS.find((step) => step >= most) ?? Math.ceil(most);
}

/** How the measures read, counted. */
export function measureHeading(measures: readonly ReadoutMeasure[]): string {
  const judged = measures.filter(({ reading }) => reading !== "unknown");
  const expected = judged.filter(({ reading }) => reading === "as-expected").length;
  if (judged.length === 0) return "No measure could be read";
  if (expected === judged.length) return `All ${countWord(judged.length)} measures read as expected`;
  const count = expected === 0 ? "None" : capital(countWord(expected));
  return `${count} of ${countWord(judged.length)} measures ${expected === 1 ? "reads" : "read"} as expected`;
}

/** The list in one sentence: of nine shipped repairs, one helped and one hurt. */
export function listHeading(states: readonly Pick<StateCount, "state" | "count">[]): string {
  const counts = new Map(states.map(({ state, count }) => [state, count]));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return "No repair has been marked as shipped yet";
  const named = ["improved", "worse", "collecting"] as const;
  const said = named.filter((state) => counts.get(state)).map((state) => `${countWord(counts.get(state) ?? 0)} ${state}`);
  const rest = named.reduce((left, state) => left - (counts.get(state) ?? 0), total);
  if (rest > 0) said.push(`${countWord(rest)} without a claim`);
  return `Of ${countWord(total)} ${total === 1 ? "readout" : "readouts"}, ${joined(said)}`;
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const CHECKS: Readonly<Record<string, string>> = {
  cached_within_input: "Cached within input",
  parts_add_up: "Parts of the input",
  spread_of_hours: "Spread of hours",
  other_markers: "Other markers",
  control_series: "Untouched series",
  steady_cells: "Keys, tiers and models",
  within_cells: "Inside keys and tiers",
  input_per_request: "Input per request",
  matched_load: "Load seen before",
  requests_per_hour: "Requests per hour",
  same_clock_hours: "Same hours of the day",
  trend_before: "Trend before",
  quiet_hours: "Quiet hours",
  net_cost: "Net input cost",
};

/** A check's name in words. */
export function checkWord(name: string): string {
  return CHECKS[name] ?? capital(name.replaceAll("_", " "));
}

/** What fails beside the traffic of the series itself. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  cached_within_input: "The reported usage does not add up",
  parts_add_up: "The reported usage does not add up",
  spread_of_hours: "Hours of equal load differ too much among themselves",
  other_markers: "Another change lies in the two windows",
  control_series: "Untouched series moved at the same time",
};

/** What the checks found together, by the first that stands against a claim. */
export function checkHeading(checks: readonly { name: string; ok: boolean | null; blocks: boolean }[]): string {
  const differs = checks.some(({ ok }) => ok === false);
  if (checks.length === 0) return "Traffic was not compared yet";
  const blocking = checks.filter(({ blocks }) => blocks);
  if (blocking[0]) {
    const traffic = blocking.some(({ name }) => !Object.hasOwn(ELSEWHERE, name));
    return traffic ? "The two windows did not carry comparable traffic" : (ELSEWHERE[blocking[0].name] ?? "");
  }
  return differs ? "Some of the traffic differs, not enough to explain the change" : "The two windows carried comparable traffic";
}

/** What the looks say one after the other. */
export function lookHeading(looks: readonly { days: number; state: ReadoutState }[]): string {
  const last = looks.at(-1);
  if (!last) return "No look was reached yet";
  const held = looks.findLastIndex(({ state }) => state !== last.state) + 1;
  const since = looks[held]?.days ?? last.days;
  if (looks.length === 1) return `After ${plural(last.days, "day")}: ${READOUTS[last.state].word}`;
  return `${READOUTS[last.state].word} since day ${since}`;
}
