import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "./client";
import type { KeyLint, KeyPlan, Marker, MarkerChanges, NewMarker, Page } from "./types";

const MINUTE = 60_000;
/** What every answer about markers is kept under. */
export const MARKERS_KEY = ["markers"] as const;

/** Every marker that touches a series, proposals among them, the latest first. */
export function seriesMarkersQuery(seriesId: number) {
  return queryOptions({
    queryKey: [...MARKERS_KEY, "series", seriesId],
    queryFn: (): Promise<Page<Marker>> =>
      unwrap(api.GET("/api/v1/markers", { params: { query: { series_id: seriesId, limit: 500 } } })),
    refetchInterval: MINUTE,
  });
}

/** The markers in force since an hour, of everything one may read. `since` is RFC 3339. */
export function markersSinceQuery(since: string) {
  return queryOptions({
    queryKey: [...MARKERS_KEY, "since", since],
    queryFn: (): Promise<Page<Marker>> =>
      unwrap(api.GET("/api/v1/markers", { params: { query: { from: since, state: ["in-force"], limit: 500 } } })),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE,
  });
}

/** What speaks against a planned key. Asked with a POST, so that no log keeps the key. */
export function keyLintQuery(plan: KeyPlan) {
  return queryOptions({
    queryKey: ["key-lint", plan],
    queryFn: (): Promise<KeyLint> => unwrap(api.POST("/api/v1/rollouts/lint", { body: plan })),
    placeholderData: keepPreviousData,
    staleTime: MINUTE,
  });
}

const at = (id: number) => ({ params: { path: { marker_id: id } } });

export function createMarker(body: NewMarker): Promise<Marker> {
  return unwrap(api.POST("/api/v1/markers", { body }));
}

/** Changes a marker; refused with 409 where `version` is no longer the present one. */
export function changeMarker(id: number, body: MarkerChanges): Promise<Marker> {
  return unwrap(api.PATCH("/api/v1/markers/{marker_id}", { ...at(id), body }));
}

/** Takes a marker away, and its readouts with it. */
export async function deleteMarker(id: number): Promise<void> {
  await unwrap(api.DELETE("/api/v1/markers/{marker_id}", at(id)));
}

/** Lets a proposal count. */
export function confirmMarker(id: number): Promise<Marker> {
  return unwrap(api.POST("/api/v1/markers/{marker_id}/confirm", at(id)));
}

/** Says that a proposal is none; it is not proposed again. */
export function dismissMarker(id: number): Promise<Marker> {
  return unwrap(api.POST("/api/v1/markers/{marker_id}/dismiss", at(id)));
}
