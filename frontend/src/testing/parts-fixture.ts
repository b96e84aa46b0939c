import type { SeriesParts, WeekPart } from "../api/types";
import { WINDOW_END, WINDOW_START } from "./series-fixture";

function part(name: WeekPart["name"], label: string, hours: number, shares: readonly [number, number] | null, changes: Partial<WeekPart> = {}): WeekPart {
  const third = (share: number, requests: number) => ({
    share, cached_tokens: Math.round(share * requests * 4850), input_tokens: requests * 4850, requests_per_hour: requests / 12, hours: 12, low_requests: requests / 24, high_requests: requests / 6,
  });
  return {
    name, label, hours,
    pooled: { share: 0.23, cached_tokens: 23_000_000, input_tokens: 100_000_000 },
    quiet: shares && third(shares[0], 2_400),
    busy: shares && third(shares[1], 36_000),
    rho: shares && -0.97,
    direction: shares && "falls",
    reason: shares ? null : `${hours} hours linked, 8 are needed`,
    ...changes,
  };
}

/** Parts of a window that a key shipped on its fourth day divides. */
export function partsFixture(changes: Partial<SeriesParts> = {}): SeriesParts {
  return {
    sentence: "Every part that can be compared shows the fall under load, by 40 to 54 points",
    window: { start: WINDOW_START, end: WINDOW_END },
    cut: { kind: "marker", word: "key shipped", at: "2026-11-23T10:00:00Z", until: null, marker_id: 3 },
    items: [
      part("whole", "All linked hours", 146, [0.68, 0.16]),
      part("weekdays", "Weekdays", 105, [0.68, 0.15]),
      part("weekend", "Weekend", 41, [0.7, 0.3]),
      part("before", "Before Mon 23 Nov 10:00", 74, [0.68, 0.19]),
      part("after", "After Mon 23 Nov 10:00", 5, null),
      part("without-busiest", "Busiest 24 hours left out", 122, [0.69, 0.22]),
    ],
    ...changes,
  };
}
