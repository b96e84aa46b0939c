import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "./client";
import type { EvidenceDetail, EvidencePage, EvidenceRow } from "./types";

const MINUTE = 60_000;
const WATCHING = 2_000;
/** Small logs are read while the form waits. */
const WAIT_SECONDS = 5;
/** What every answer about evidence is kept under. */
export const EVIDENCE_KEY = ["evidence"] as const;

export interface EvidenceQuery {
  series_id?: number;
  limit?: number;
  offset?: number;
}

/** How a log is to be read, and what it belongs to. */
export interface NewEvidence {
  source: string;
  format: string;
  by: string[];
  series_id?: number;
}

/** One page of imported logs, and where the reader may import what. */
export function evidenceListQuery(query: EvidenceQuery) {
  return queryOptions({
    queryKey: [...EVIDENCE_KEY, "list", query],
    queryFn: (): Promise<EvidencePage> => unwrap(api.GET("/api/v1/evidence", { params: { query } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnread) ? WATCHING : MINUTE),
  });
}

/** One imported log with everything that it shows. */
export function evidenceQuery(id: number) {
  return queryOptions({
    queryKey: [...EVIDENCE_KEY, "detail", id],
    queryFn: () => unwrap(api.GET("/api/v1/evidence/{import_id}", at(id))) as Promise<EvidenceDetail>,
    refetchInterval: ({ state }) => (state.data && isUnread(state.data) ? WATCHING : MINUTE),
  });
}

/** Whether a worker has yet to read it. */
export function isUnread({ state }: Pick<EvidenceRow, "state">): boolean {
  return state === "queued" || state === "running";
}

const at = (id: number) => ({ params: { path: { import_id: id } } });

/** Sends a log as it is; the answer is its import, read or not, or the one of the same log that is there. */
export function importEvidence(file: File, how: NewEvidence): Promise<EvidenceRow> {
  return unwrap(
    api.POST("/api/v1/evidence", {
      params: { query: { ...how, name: file.name, wait: WAIT_SECONDS } },
      // The type of a body of bytes is a text; it is sent as it is.
      body: file as unknown as string,
      bodySerializer: (body) => body,
      headers: { "Content-Type": "application/octet-stream" },
    }),
  );
}

/** The requests that were pushed for a series in the last days, read like a log of them. */
export function readStoredRequests(seriesId: number, days: number): Promise<EvidenceRow> {
  return unwrap(api.POST("/api/v1/evidence/stored-requests", { params: { query: { series_id: seriesId, days } } }));
}

/** Forgets an import. */
export function deleteEvidence(id: number): Promise<unknown> {
  return unwrap(api.DELETE("/api/v1/evidence/{import_id}", at(id)));
}
