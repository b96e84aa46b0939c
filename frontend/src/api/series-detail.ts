import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { hourParam, type HourSpan } from "../lib/series-url";
import { api, unwrap } from "./client";
import type { SeriesQuery } from "./overview";
import type { SeriesDetail, SeriesHours, SeriesMinutes, SeriesParts, VerdictHistory } from "./types";

const MINUTE = 60_000;
const WATCHING = 3_000;

/** Where a series stands in the address; `_none` is a null project. */
export interface SeriesAddress {
  source: string;
  project: string;
  model: string;
}

/** The series at an address. */
export function seriesByPathQuery(address: SeriesAddress) {
  return queryOptions({
    queryKey: ["series", "by-path", address],
    queryFn: (): Promise<SeriesDetail> => unwrap(api.GET("/api/v1/series/by-path", { params: { query: address } })),
    refetchInterval: MINUTE,
  });
}

/** One series by its number; with the Overview's filters, its neighbours follow that order. */
export function seriesQuery(id: number, filters = "") {
  return queryOptions({
    queryKey: ["series", "detail", id, filters],
    queryFn: () => readSeries(id, filters),
    staleTime: MINUTE,
  });
}

/** One series by its number, asked for now. */
export function readSeries(id: number, filters = ""): Promise<SeriesDetail> {
  const params = { path: { series_id: id }, query: filterQuery(filters) };
  return unwrap(api.GET("/api/v1/series/{series_id}", { params }));
}

const LISTS = ["verdict", "project", "model", "source"] as const;

/** The Overview has checked its address before it handed it on, so its values are taken as they are. */
function filterQuery(filters: string): SeriesQuery {
  const search = new URLSearchParams(filters);
  const lists = LISTS.map((name) => [name, search.getAll(name)] as const).filter(([, values]) => values.length > 0);
  const single = (["q", "sort"] as const).map((name) => [name, search.get(name)] as const).filter(([, value]) => value);
  return Object.fromEntries<unknown>([...lists, ...single]);
}

/** The hours of a span; without one, the window of the verdict and its unsettled tail. */
export function seriesHoursQuery(id: number, span: HourSpan | null) {
  const query = span ? { from: hourText(span.from), to: hourText(span.to) } : {};
  return queryOptions({
    queryKey: ["series", "hours", id, query],
    queryFn: (): Promise<SeriesHours> =>
      unwrap(api.GET("/api/v1/series/{series_id}/hours", { params: { path: { series_id: id }, query } })),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE,
  });
}

function hourText(time: number): string {
  return `${hourParam(time)}:00:00Z`;
}

/** What every answer about parts is kept under. */
export const PARTS_KEY = ["series", "parts"] as const;

/** The same slope inside parts of the verdict's window. */
export function seriesPartsQuery(id: number) {
  return queryOptions({
    queryKey: [...PARTS_KEY, id],
    queryFn: (): Promise<SeriesParts> =>
      unwrap(api.GET("/api/v1/series/{series_id}/parts", { params: { path: { series_id: id } } })),
    refetchInterval: MINUTE,
  });
}

/** Runs of days with one verdict, oldest first. */
export function verdictHistoryQuery(id: number) {
  return queryOptions({
    queryKey: ["series", "verdicts", id],
    queryFn: (): Promise<VerdictHistory> =>
      unwrap(api.GET("/api/v1/series/{series_id}/verdicts", { params: { path: { series_id: id } } })),
    refetchInterval: MINUTE,
  });
}

export function seriesMinutesKey(id: number) {
  return ["series", "minutes", id] as const;
}

/** The busy day that was read by the minute; asked often while one is being read. */
export function seriesMinutesQuery(id: number) {
  return queryOptions({
    queryKey: seriesMinutesKey(id),
    queryFn: (): Promise<SeriesMinutes> =>
      unwrap(api.GET("/api/v1/series/{series_id}/minutes", { params: { path: { series_id: id } } })),
    refetchInterval: (query) => (query.state.data?.state === "queued" ? WATCHING : MINUTE),
  });
}

/** Queues the busiest day of the window to be read by the minute, unless a request waits already. */
export function readMinutes(id: number): Promise<SeriesMinutes> {
  return unwrap(api.POST("/api/v1/series/{series_id}/minutes", { params: { path: { series_id: id } } }));
}
