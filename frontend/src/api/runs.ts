import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "./client";
import type { Page, Reject, Revision, Run } from "./types";

const MINUTE = 60_000;
const WATCHING = 3_000;
const WAITING = 10_000;

export interface PageOfSource {
  source: string[];
  limit: number;
  offset?: number;
}

/** Walks over the usage API, newest first; asked often while one is running. */
export function runsQuery(query: PageOfSource & { problems?: boolean }) {
  return queryOptions({
    queryKey: ["runs", query],
    queryFn: (): Promise<Page<Run>> => unwrap(api.GET("/api/v1/runs", { params: { query } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some((run) => run.status === "running") ? WATCHING : WAITING),
  });
}

export function runQuery(id: number) {
  return queryOptions({
    queryKey: ["runs", id],
    queryFn: (): Promise<Run> => unwrap(api.GET("/api/v1/runs/{run_id}", { params: { path: { run_id: id } } })),
    refetchInterval: ({ state }) => (state.data?.status === "running" ? WATCHING : false),
  });
}

/** Settled hours that the provider restated, newest first. */
export function revisionsQuery(query: PageOfSource) {
  return queryOptions({
    queryKey: ["revisions", query],
    queryFn: (): Promise<Page<Revision>> => unwrap(api.GET("/api/v1/revisions", { params: { query } })),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE,
  });
}

/** Values that could not be read, newest first. */
export function rejectsQuery(query: PageOfSource) {
  return queryOptions({
    queryKey: ["rejects", query],
    queryFn: (): Promise<Page<Reject>> => unwrap(api.GET("/api/v1/rejects", { params: { query } })),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE,
  });
}
