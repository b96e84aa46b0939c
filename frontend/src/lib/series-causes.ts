import type { Control, ControlStatus } from "../api/types";
import { countWord, pointWords } from "./format";

export interface CauseGroup {
  status: ControlStatus;
  /** Over its causes, in the order they are shown. */
  heading: string;
  /** Stands before what would change the status of each. */
  lead: string;
  causes: Control[];
}

/** What the numbers show comes first, what they leave open next: those two lead to work. */
const GROUPS: readonly Omit<CauseGroup, "causes">[] = [
  { status: "fired", heading: "What the numbers show", lead: "Would overturn it" },
  { status: "open", heading: "Still open", lead: "Would settle it" },
  { status: "ruled_out", heading: "Ruled out, with the evidence", lead: "Would reopen it" },
  { status: "not_testable", heading: "Cannot be tested on these hours", lead: "Would make it testable" },
];

/** The causes by how they stand; a status without a cause has no group. */
export function causeGroups(controls: readonly Control[]): CauseGroup[] {
  return GROUPS.map((group) => ({ ...group, causes: controls.filter(({ status }) => status === group.status) })).filter(
    ({ causes }) => causes.length > 0,
  );
}

/** The heading over the causes, in figures: "Seven causes are ruled out, two are open". */
export function causesHeading(controls: readonly Control[]): string {
  const count = (status: ControlStatus) => controls.filter((control) => control.status === status).length;
  const parts = [
    phrase(count("ruled_out"), "is ruled out", "are ruled out"),
    phrase(count("open"), "is open", "are open"),
    phrase(count("not_testable"), "cannot be tested", "cannot be tested"),
  ].flatMap((part) => (part === null ? [] : [part]));
  const [first, ...rest] = parts;
  if (!first) return "No other cause was looked at";
  const noun = first.startsWith("one ") ? "cause" : "causes";
  return [capital(first.replace(" ", ` ${noun} `)), ...rest].join(", ");
}

function phrase(count: number, one: string, many: string): string | null {
  return count === 0 ? null : `${countWord(count)} ${count === 1 ? one : many}`;
}

/** How small the fall inside the day may be: the lower end that is kept beside its median. */
export function boundWords({ name, numbers }: Control): string | null {
  const bound = name === "share-over-load" ? (numbers.lower_bound ?? null) : null;
  if (bound === null) return null;
  if (bound <= 0) return "With one-sided 95% confidence the mean of the days need not be a fall.";
  return `The mean of the days is a fall of at least ${pointWords(bound)}, with one-sided 95% confidence.`;
}

/** The name of a cause as people read it: "prompt-length" is "Prompt length". */
export function causeName(name: string): string {
  return capital(name.replaceAll("-", " "));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
