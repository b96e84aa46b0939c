import type { SeriesDetail, SeriesMinutes } from "../../api/types";
import { plural } from "../../lib/format";
import { csvAddress } from "../../lib/series-csv";
import { dayWords } from "../../lib/series-minutes";
import { formatHour } from "../../lib/time";

/** The API's sentence once the verdict knows the slope of the minutes; else what the picture shows. */
export function minutesTitle(series: SeriesDetail, finding: string): string {
  const said = series.controls.find(({ name, numbers }) => name === "minutes" && typeof numbers.slope === "number");
  return said ? said.statement.replace(/\.$/, "") : finding;
}

/** Which day, read when, and what the provider said beside it. */
export function minutesNote(answer: SeriesMinutes): string {
  const read = answer.fetched_at === null ? "" : `, read ${formatHour(answer.fetched_at)} UTC`;
  return [`${dayWords(answer)}${read}. ${plural(answer.minutes.length, "minute")} with traffic.`, ...answer.notices].join(" ");
}

/** Every minute as it was read; what was not reported stays empty. */
export function minutesCsv({ minutes }: SeriesMinutes): string {
  const rows = minutes.map((minute) => [minute.at, minute.requests, minute.input_tokens, minute.cached_tokens]);
  return csvAddress(["minute", "requests", "input_tokens", "cached_tokens"], rows);
}
