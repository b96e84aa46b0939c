import type { ReadoutMeasure, ReadoutNumbers, ReadoutRow, ReadoutState } from "../api/types";
import { countWord, plural } from "./format";

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

export interface Progress {
  have: number;
  need: number;
  /** What is counted: "hours after the marker". */
  of: string;
}

/** What a collecting readout has and needs, where its sentence counts something; else null. */
export function progressOf(missing: string | null): Progress | null {
  const found = /^(\d+) of (\d+) ([^.;]+)/.exec(missing ?? "");
  return found ? { have: Number(found[1]), need: Number(found[2]), of: found[3] ?? "" } : null;
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

/** How many readouts of each state. */
export function countStates(rows: readonly Pick<ReadoutRow, "state">[]): Record<ReadoutState, number> {
  const counts = Object.fromEntries(READOUT_STATES.map((state) => [state, 0])) as Record<ReadoutState, number>;
  for (const { state } of rows) counts[state] += 1;
  return counts;
}

/** The list in one sentence: of nine shipped repairs, one helped and one hurt. */
export function listHeading(rows: readonly Pick<ReadoutRow, "state">[], total: number): string {
  if (total === 0) return "No repair has been marked as shipped yet";
  if (total > rows.length) return `${plural(total, "readout")} of shipped repairs`;
  const counts = countStates(rows);
  const said = ([["improved", "improved"], ["worse", "worse"], ["collecting", "collecting"]] as const)
    .filter(([state]) => counts[state] > 0)
    .map(([state, word]) => `${countWord(counts[state])} ${word}`);
  const rest = total - counts.improved - counts.worse - counts.collecting;
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

/** How many checks passed. */
export function checkHeading(checks: readonly { ok: boolean; blocks: boolean }[]): string {
  const passed = checks.filter(({ ok }) => ok).length;
  if (checks.length === 0) return "Traffic was not compared yet";
  if (checks.some(({ blocks }) => blocks)) return "The two windows did not carry comparable traffic";
  return passed === checks.length ? "The two windows carried comparable traffic" : "Some of the traffic differs, not enough to explain the change";
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
