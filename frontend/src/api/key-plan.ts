import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import type { Assumptions } from "../lib/key-plan";
import { api, unwrap } from "./client";
import type { SeriesKeyPlan } from "./types";

const MINUTE = 60_000;

/** Whether a key helps a series, which, and over how many shards, with what is taken as given. */
export function keyPlanQuery(id: number, given: Assumptions) {
  return queryOptions({
    queryKey: ["series", "key-plan", id, given],
    queryFn: (): Promise<SeriesKeyPlan> =>
      unwrap(api.GET("/api/v1/series/{series_id}/key-plan", { params: { path: { series_id: id }, query: given } })),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE,
  });
}
