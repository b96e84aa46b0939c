import type { FreshHourState, Freshness } from "../api/types";

import { countWord, plural } from "./format";
import { formatNear } from "./time";

/** The sentence of the Sources page. */
export function freshnessSentence(freshness: Freshness, now: Date): string {
  if (freshness.complete_to === null) return "No hour is complete yet";
  const complete = formatNear(freshness.complete_to, now);
  if (freshness.stale) return `${staleSentence(freshness)}; the last complete hour ended at ${complete}`;
  const settling = freshness.settling_hours;
  if (settling === 0) return `Data is complete to ${complete}`;
  return `Data is complete to ${complete}; ${countWord(settling)} ${settling === 1 ? "hour is" : "hours are"} still settling`;
}

/** The two parts of the header's line; the second is left out on narrow screens. */
export function freshnessLine(freshness: Freshness, now: Date): { short: string; rest: string } {
  if (freshness.complete_to === null) return { short: "No complete hour yet", rest: "" };
  if (freshness.stale) return { short: staleSentence(freshness), rest: "" };
  const settling = freshness.settling_hours;
  const rest = settling === 0 ? "" : `, ${plural(settling, "hour")} settling`;
  return { short: `Complete to ${formatNear(freshness.complete_to, now)}`, rest };
}

function staleSentence({ hours_behind }: Freshness): string {
  return hours_behind === null ? "No new data" : `No new data for ${plural(hours_behind, "hour")}`;
}

/** The marks in words: "Last twelve hours: nine complete, two settling, one open". */
export function marksSentence(hours: Freshness["hours"]): string {
  const states: FreshHourState[] = ["complete", "partly", "settling", "open", "missing"];
  const counts = states
    .map((state) => [hours.filter((hour) => hour.state === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${countWord(count)} ${state === "partly" ? "partly read" : state}`);
  return counts.length === 0 ? "No hours yet" : `Last ${countWord(hours.length)} hours: ${counts.join(", ")}`;
}
