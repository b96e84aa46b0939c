import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "./client";
import type { Activity, Attention, AttentionTab, Finding, FindingChanges, HandoffNote, NoteKey, Page, SeriesWork, Step, StepChange, TeamNote } from "./types";

const MINUTE = 60_000;
/** What every answer about work is kept under. */
export const WORK_KEY = ["work"] as const;

/** At most seven things that wait for somebody, and how many there are by tab. */
export function attentionQuery(tab: AttentionTab) {
  return queryOptions({
    queryKey: [...WORK_KEY, "attention", tab],
    queryFn: (): Promise<Attention> =>
      unwrap(api.GET("/api/v1/attention", { params: { query: tab === "all" ? {} : { attention: tab } } })),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE,
  });
}

const at = (id: number) => ({ path: { series_id: id } });

/** The finding of a series, its repair list, the team's note and the names of the handoff notes. */
export function seriesWorkQuery(seriesId: number) {
  return queryOptions({
    queryKey: [...WORK_KEY, "series", seriesId],
    queryFn: (): Promise<SeriesWork> => unwrap(api.GET("/api/v1/series/{series_id}/work", { params: at(seriesId) })),
    refetchInterval: MINUTE,
  });
}

/** What was done with a series, the latest first. */
export function activityQuery(seriesId: number, limit: number) {
  return queryOptions({
    queryKey: [...WORK_KEY, "activity", seriesId, limit],
    queryFn: (): Promise<Page<Activity>> =>
      unwrap(api.GET("/api/v1/series/{series_id}/activity", { params: { ...at(seriesId), query: { limit } } })),
    placeholderData: keepPreviousData,
    refetchInterval: MINUTE,
  });
}

/** A handoff note filled with the numbers of a series. */
export function handoffNoteQuery(seriesId: number, key: NoteKey) {
  return queryOptions({
    queryKey: [...WORK_KEY, "note", seriesId, key],
    queryFn: (): Promise<HandoffNote> =>
      unwrap(api.GET("/api/v1/series/{series_id}/notes/{note_key}", { params: { path: { series_id: seriesId, note_key: key } } })),
    staleTime: MINUTE,
  });
}

/** Changes a finding; refused with 409 where `version` is no longer the present one. */
export function changeFinding(id: number, body: FindingChanges): Promise<Finding> {
  return unwrap(api.PATCH("/api/v1/findings/{finding_id}", { params: { path: { finding_id: id } }, body }));
}

/** Ticks a step, skips it with a reason, or opens it again; 409 as for a finding. */
export function setStep(seriesId: number, key: string, body: StepChange): Promise<Step> {
  return unwrap(api.PUT("/api/v1/series/{series_id}/steps/{step_key}", { params: { path: { series_id: seriesId, step_key: key } }, body }));
}

/** Replaces the team's note; 409 as for a finding. */
export function setTeamNote(seriesId: number, text: string, version: number): Promise<TeamNote> {
  return unwrap(api.PUT("/api/v1/series/{series_id}/team-note", { params: at(seriesId), body: { text, version } }));
}

export function addComment(seriesId: number, text: string): Promise<Activity> {
  return unwrap(api.POST("/api/v1/series/{series_id}/comments", { params: at(seriesId), body: { text } }));
}
