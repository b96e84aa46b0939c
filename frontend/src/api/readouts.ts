import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { api, unwrap } from "./client";
import type { NewDecision, ReadoutDetail, ReadoutPage, ReadoutRow, ReadoutSort, ReadoutState } from "./types";

const MINUTE = 60_000;
/** What every answer about readouts is kept under. */
export const READOUTS_KEY = ["readouts"] as const;
/** How often to ask while a readout waits for its first measurement, which comes within a minute. */
const WATCHING = 5_000;
export interface ReadoutQuery {
  state?: ReadoutState[];
  sort?: ReadoutSort;
  limit?: number;
  offset?: number;
}

/** One page of readouts with all that the list shows of them, and how many of each state there are. */
export function readoutListQuery(query: ReadoutQuery) {
  return queryOptions({
    queryKey: [...READOUTS_KEY, "list", query],
    queryFn: (): Promise<ReadoutPage> => narrowed(unwrap(api.GET("/api/v1/readouts", { params: { query } }))),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnmeasured) ? WATCHING : MINUTE),
  });
}

/** One readout with its measures, checks, controls and history. */
export function readoutQuery(id: number) {
  return queryOptions({
    queryKey: [...READOUTS_KEY, "detail", id],
    queryFn: (): Promise<ReadoutDetail> => narrowed(unwrap(api.GET("/api/v1/readouts/{readout_id}", at(id)))),
    refetchInterval: ({ state }) => (state.data && isUnmeasured(state.data) ? WATCHING : MINUTE),
  });
}

function isUnmeasured({ measured_at, problem }: ReadoutRow): boolean {
  return measured_at === null && problem === null;
}

/** The transport's types widen a pair of bounds to a list; the API's own say that it is a pair. */
function narrowed<Answer extends ReadoutDetail | ReadoutPage>(answer: Promise<unknown>): Promise<Answer> {
  return answer as Promise<Answer>;
}

const at = (id: number) => ({ params: { path: { readout_id: id } } });

/** Says what a readout means; it is frozen from then on. */
export function decideReadout(id: number, body: NewDecision): Promise<ReadoutDetail> {
  return narrowed(unwrap(api.PUT("/api/v1/readouts/{readout_id}/decision", { ...at(id), body })));
}

/** Takes the decision back; the readout is measured again. */
export function reopenReadout(id: number): Promise<ReadoutDetail> {
  return narrowed(unwrap(api.DELETE("/api/v1/readouts/{readout_id}/decision", at(id))));
}
