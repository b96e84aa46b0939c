import { HOUR_MS } from "./time";

/** Hours to show, half-open, in milliseconds since the epoch. */
export interface HourSpan {
  from: number;
  to: number;
}

export type DotColour = "hour" | "rollout";

export interface SeriesView {
  /** Null: the window of the verdict. */
  span: HourSpan | null;
  table: boolean;
  /** What the dots of the hero are coloured by. */
  colour: DotColour;
  /** One sentence for each part of the address that was passed over. */
  notices: string[];
}

/** The longest span the hours of a series can be asked for. */
export const LONGEST_SPAN_HOURS = 28 * 24;

const HOUR_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}(:00(:00)?Z?)?$/;

/** What the address asks to show. A value that is not understood is passed over with a notice. */
export function readSeriesView(search: URLSearchParams): SeriesView {
  const notices: string[] = [];
  const span = readSpan(search, notices);
  const view = search.get("view");
  if (view !== null && view !== "table") notices.push(`The address says view=${view}, which is not a view. Charts are shown.`);
  return { span, table: view === "table", colour: readColour(search, notices), notices };
}

function readColour(search: URLSearchParams, notices: string[]): DotColour {
  const colour = search.get("colour");
  if (colour !== null && colour !== "hour" && colour !== "rollout") notices.push(`The address says colour=${colour}, which is not known. Dots are coloured by hour of day.`);
  return colour === "rollout" ? "rollout" : "hour";
}

function readSpan(search: URLSearchParams, notices: string[]): HourSpan | null {
  const [fromText, toText] = [search.get("from"), search.get("to")];
  if (fromText === null && toText === null) return null;
  const [from, to] = [readHour(fromText), readHour(toText)];
  if (from === null || to === null) {
    notices.push("The address needs from and to as hours, such as from=2026-11-19T13. The whole window is shown.");
    return null;
  }
  if (to <= from || to - from > LONGEST_SPAN_HOURS * HOUR_MS) {
    notices.push("The address needs from before to, at most 28 days apart. The whole window is shown.");
    return null;
  }
  return { from, to };
}

function readHour(text: string | null): number | null {
  if (text === null || !HOUR_FORM.test(text)) return null;
  const time = Date.parse(`${text.slice(0, 13)}:00:00Z`);
  return Number.isNaN(time) ? null : time;
}

/** 2026-11-19T13, the form of an hour in addresses. */
export function hourParam(time: number): string {
  return new Date(time).toISOString().slice(0, 13);
}

/** The same address with another span; null takes it out. */
export function withSpan(search: URLSearchParams, span: HourSpan | null): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete("from");
  next.delete("to");
  if (span) {
    next.set("from", hourParam(span.from));
    next.set("to", hourParam(span.to));
  }
  return next;
}

/** The same address with tables in place of charts, or charts again. */
export function withTable(search: URLSearchParams, table: boolean): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete("view");
  if (table) next.set("view", "table");
  return next;
}

/** The same address with dots coloured by something else; the hour of day is left out. */
export function withColour(search: URLSearchParams, colour: DotColour): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete("colour");
  if (colour !== "hour") next.set("colour", colour);
  return next;
}

/** Where the same hours can be had as a file. */
export function hoursCsvPath(seriesPath: string, span: HourSpan | null): string {
  const search = withSpan(new URLSearchParams(), span).toString();
  return `${seriesPath}.csv${search === "" ? "" : `?${search}`}`;
}
