import { queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "./client";
import type { Backfill, Coverage, NewSource, Page, ProbeResult, QueuedRead, Source, SourceChange } from "./types";

const MINUTE = 60_000;
const WATCHING = 3_000;

const at = (slug: string) => ({ params: { path: { slug } } });

/** Every source one may see. */
export const sourcesQuery = queryOptions({
  queryKey: ["sources"],
  queryFn: (): Promise<Page<Source>> => unwrap(api.GET("/api/v1/sources", { params: { query: { limit: 500 } } })),
  refetchInterval: MINUTE,
});

/** The last 168 hours of a source, and the open one. */
export function coverageQuery(slug: string) {
  return queryOptions({
    queryKey: ["sources", slug, "coverage"],
    queryFn: (): Promise<Coverage> => unwrap(api.GET("/api/v1/sources/{slug}/coverage", at(slug))),
    refetchInterval: MINUTE,
  });
}

/** The weeks of history of a source; asked often while some are being read. */
export function backfillQuery(slug: string) {
  return queryOptions({
    queryKey: ["sources", slug, "backfill"],
    queryFn: (): Promise<Backfill> => unwrap(api.GET("/api/v1/sources/{slug}/backfill", at(slug))),
    refetchInterval: (query) => (query.state.data?.running ? WATCHING : MINUTE),
  });
}

/** How many logs, markers and readouts belong to a source: the totals of three lists, of which one row is asked for. */
export function keptOfQueries(slug: string) {
  const params = { query: { source: [slug], limit: 1 } };
  const lists = {
    evidence: () => unwrap(api.GET("/api/v1/evidence", { params })),
    markers: () => unwrap(api.GET("/api/v1/markers", { params })),
    readouts: () => unwrap(api.GET("/api/v1/readouts", { params })),
  };
  return (["evidence", "markers", "readouts"] as const).map((kind) =>
    queryOptions({ queryKey: [kind, "of-source", slug], queryFn: (): Promise<{ total: number }> => lists[kind]() }),
  );
}

export function createSource(body: NewSource): Promise<Source> {
  return unwrap(api.POST("/api/v1/sources", { body }));
}

export function updateSource(slug: string, body: SourceChange): Promise<Source> {
  return unwrap(api.PATCH("/api/v1/sources/{slug}", { ...at(slug), body }));
}

export async function removeSource(slug: string): Promise<void> {
  await unwrap(api.DELETE("/api/v1/sources/{slug}", at(slug)));
}

/** Asks the provider what the stored key may read. */
export function probeSource(slug: string): Promise<ProbeResult> {
  return unwrap(api.POST("/api/v1/sources/{slug}/probe", at(slug)));
}

/** Queues a run over the last 48 hours, unless one waits or runs already; a sentence says which. */
export function runSource(slug: string): Promise<QueuedRead> {
  return unwrap(api.POST("/api/v1/sources/{slug}/run", at(slug)));
}

/** Queues the weeks of the last so many days that are not read yet. */
export function startBackfill(slug: string, days: number): Promise<Backfill> {
  return unwrap(api.POST("/api/v1/sources/{slug}/backfill", { ...at(slug), body: { days } }));
}
