import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";

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

/** Entries of activity in the first page, and in each of the earlier ones. */
const FIRST_ENTRIES = 8;
const EARLIER_ENTRIES = 50;

/** What was done with a series, the latest first, page by page. */
export function activityQuery(seriesId: number) {
  return infiniteQueryOptions({
    queryKey: [...WORK_KEY, "activity", seriesId],
    queryFn: ({ pageParam: offset }): Promise<Page<Activity>> => {
      const query = { limit: offset === 0 ? FIRST_ENTRIES : EARLIER_ENTRIES, offset };
      return unwrap(api.GET("/api/v1/series/{series_id}/activity", { params: { ...at(seriesId), query } }));
    },
    initialPageParam: 0,
    getNextPageParam: ({ items, total }, _pages, offset) => (items.length > 0 && offset + items.length < total ? offset + items.length : null),
    select: ({ pages }) => ({ items: onceEach(pages.flatMap(({ items }) => items)), total: pages.at(-1)?.total ?? 0 }),
    refetchInterval: MINUTE,
  });
}

/** What came between two pages moves the last entries of one into the next. */
function onceEach(entries: Activity[]): Activity[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
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
