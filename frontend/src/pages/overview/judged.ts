import type { Overview } from "../../api/types";

/** How many series have a verdict that says something, and how many have none or too few hours for one. */
export function judgedCounts({ groups, series }: Overview): { judged: number; unjudged: number } {
  const judged = groups.reduce((sum, { name, count }) => (name === "no-data" ? sum : sum + count), 0);
  return { judged, unjudged: series - judged };
}
