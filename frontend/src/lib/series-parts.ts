import type { PartsCut, SeriesDetail, SeriesParts, Third, WeekPart } from "../api/types";
import { formatTokens } from "./format";
import { csvAddress, type CsvValue } from "./series-csv";
import { formatHour, HOUR_MS } from "./time";

/** Colour of the line from quiet to busy. A fall that other traffic or the clock explains is no loss. */
export function partColour({ direction }: WeekPart, { verdict }: Pick<SeriesDetail, "verdict">): string {
  if (direction === "rises") return "var(--v-rises)";
  return direction === "falls" && verdict?.code === "load-correlated-misses" ? "var(--v-scatter)" : "var(--ink-2)";
}

/** "28.4M / 41.8M" */
export function tokensOf({ cached_tokens: cached, input_tokens: input }: Pick<Third, "cached_tokens" | "input_tokens">): string {
  return `${formatTokens(cached)} / ${formatTokens(input)}`;
}

/** What divides the window, in words under the table; "" where nothing does. */
export function cutWords(cut: PartsCut | null): string {
  if (cut === null) return "";
  const at = `${formatHour(cut.at)} UTC`;
  if (cut.kind === "onset") return `Before and after the onset, ${at}.`;
  const ramp = cut.until === null ? "" : `; the hours of its ramp, until ${formatHour(cut.until)}, are in neither part`;
  return `Before and after: ${cut.word}, ${at}${ramp}.`;
}

export type Side = "before" | "between" | "after";

/** On which side of the cut an hour lies; the hours of a ramp, and the hour that holds the moment, are between. */
export function sideOf(time: number, cut: Pick<PartsCut, "at" | "until">): Side {
  if (time + HOUR_MS <= Date.parse(cut.at)) return "before";
  return time >= Date.parse(cut.until ?? cut.at) ? "after" : "between";
}

/** The side of an hour in words: "Before key shipped." */
export function sideWords(time: number, cut: PartsCut): string {
  const side = sideOf(time, cut);
  return side === "between" ? "While it shipped." : `${side === "before" ? "Before" : "After"} ${cut.word}.`;
}

/** Before grey, after blue, as everywhere; what lies between has the colour of markers. */
export const SIDE_COLOURS: Readonly<Record<Side, string>> = { before: "var(--c-before)", between: "var(--c-marker)", after: "var(--c-after)" };

const COLUMNS = [
  "part", "linked_hours", "cached_tokens", "input_tokens", "cached_share",
  "quiet_share", "quiet_cached_tokens", "quiet_input_tokens", "quiet_requests_per_hour",
  "busy_share", "busy_cached_tokens", "busy_input_tokens", "busy_requests_per_hour", "rank_correlation", "not_compared_because",
];

/** The parts as a file: the very numbers of the table. */
export function partsCsv({ items }: SeriesParts): string {
  return csvAddress(COLUMNS, items.map((part) => [
    part.label, part.hours, part.pooled.cached_tokens, part.pooled.input_tokens, part.pooled.share,
    ...thirdCells(part.quiet), ...thirdCells(part.busy), part.rho, part.reason,
  ]));
}

function thirdCells(third: Third | null): CsvValue[] {
  if (third === null) return [null, null, null, null];
  return [third.share, third.cached_tokens, third.input_tokens, third.requests_per_hour];
}
