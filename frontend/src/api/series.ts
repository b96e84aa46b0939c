import { queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "./client";
import type { SeriesDetail, SeriesHours, VerdictHistory } from "./types";

const MINUTE = 60_000;

const at = (id: number) => ({ params: { path: { series_id: id } } });

/** The place of a series in the address; a null project is `_none`. */
export interface SeriesPlace {
  source: string;
  project: string;
  model: string;
}

/** One series with its verdict, thresholds and repairs, found by its address. */
export function seriesByPathQuery(place: SeriesPlace) {
  return queryOptions({
    queryKey: ["series", "by-path", place],
    queryFn: (): Promise<SeriesDetail> => unwrap(api.GET("/api/v1/series/by-path", { params: { query: place } })),
    refetchInterval: MINUTE,
  });
}

/** One series with its verdict, thresholds and repairs. */
export function seriesQuery(id: number) {
  return queryOptions({
    queryKey: ["series", id],
    queryFn: (): Promise<SeriesDetail> => unwrap(api.GET("/api/v1/series/{series_id}", at(id))),
    refetchInterval: MINUTE,
  });
}

/** RFC 3339 bounds, half-open; left out: the verdict's window and the unsettled hours after it. */
export interface HoursRange {
  from?: string;
  to?: string;
}

/** The hours of a series, oldest first, each with its state. */
export function seriesHoursQuery(id: number, range: HoursRange = {}) {
  return queryOptions({
    queryKey: ["series", id, "hours", range],
    queryFn: (): Promise<SeriesHours> =>
      unwrap(api.GET("/api/v1/series/{series_id}/hours", { params: { path: { series_id: id }, query: range } })),
    refetchInterval: MINUTE,
  });
}

/** Runs of days with one verdict, oldest first. */
export function seriesVerdictsQuery(id: number) {
  return queryOptions({
    queryKey: ["series", id, "verdicts"],
    queryFn: (): Promise<VerdictHistory> => unwrap(api.GET("/api/v1/series/{series_id}/verdicts", at(id))),
  });
}

/** Thresholds of one series; what is left out falls back to the source's. */
export interface ThresholdChange {
  rho_floor?: number;
  ratio_floor?: number;
  quiet_floor?: number;
  min_hours?: number;
}

export async function setSeriesThresholds(id: number, body: ThresholdChange): Promise<void> {
  await unwrap(api.PUT("/api/v1/series/{series_id}/thresholds", { ...at(id), body }));
}

export async function clearSeriesThresholds(id: number): Promise<void> {
  await unwrap(api.DELETE("/api/v1/series/{series_id}/thresholds", at(id)));
}
