import { useInfiniteQuery } from "@tanstack/react-query";

import { activityQuery } from "../../api/findings";
import type { Activity, Finding } from "../../api/types";
import { formatAgo } from "../../lib/time";
import { useNow } from "../../lib/use-now";

/**
 * Who changed a finding last, and when; null where that was nobody, or is not read yet. A tick that begins the work
 * changes it too, which the refusal of a change does not know.
 */
export function useFasterWords(finding: Finding): string | null {
  const now = useNow();
  const last = useInfiniteQuery(activityQuery(finding.series_id)).data?.items.find((one) => changes(one, finding));
  if (!last?.by) return null;
  const ago = formatAgo(last.at, now);
  return `${last.by} changed this finding ${ago === "now" ? "just now" : ago}.`;
}

function changes({ action, finding_id, fields }: Activity, { id }: Finding): boolean {
  if (finding_id !== id || action === "comment" || action === "team-note") return false;
  return action !== "step" || Object.hasOwn(fields, "state");
}
