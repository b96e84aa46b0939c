import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "./client";
import type { Freshness, Overview, Page, SeriesFacets, SeriesRow, SeriesSort, FindingState, VerdictCode } from "./types";

const MINUTE = 60_000;
/** How often to ask while the first hours and verdicts are still on their way. */
const STARTING = 5_000;

function whileEmpty(empty: boolean | undefined): number {
  return empty ? STARTING : MINUTE;
}

/** Up to which hour everything is complete, and the last twelve hours. */
export const freshnessQuery = queryOptions({
  queryKey: ["freshness"],
  queryFn: (): Promise<Freshness> => unwrap(api.GET("/api/v1/freshness")),
  refetchInterval: ({ state }) => whileEmpty(state.data && state.data.complete_to === null),
});

/** The figures above the table. */
export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: (): Promise<Overview> => unwrap(api.GET("/api/v1/overview")),
  refetchInterval: ({ state }) => whileEmpty(state.data && state.data.window === null),
});

/** What to list; an empty list or text means "any". */
export interface SeriesQuery {
  q?: string;
  verdict?: VerdictCode[];
  project?: string[];
  model?: string[];
  source?: string[];
  /** User ids, "me" or "none". */
  owner?: string[];
  /** States of the finding that a series has. */
  finding?: FindingState[];
  near?: boolean;
  sort?: SeriesSort;
  limit?: number;
  offset?: number;
}

/** One page of series, in the order asked for. */
export function seriesListQuery(query: SeriesQuery) {
  return queryOptions({
    queryKey: ["series", "list", query],
    queryFn: (): Promise<Page<SeriesRow>> => unwrap(api.GET("/api/v1/series", { params: { query } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => whileEmpty(state.data && state.data.items.every((row) => row.verdict === null)),
  });
}

/** How many series each filter value has. */
export function seriesFacetsQuery(query: SeriesQuery) {
  return queryOptions({
    queryKey: ["series", "facets", query],
    queryFn: (): Promise<SeriesFacets> => unwrap(api.GET("/api/v1/series/facets", { params: { query } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => whileEmpty(state.data && state.data.total === 0),
  });
}
