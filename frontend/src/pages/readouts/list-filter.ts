import type { ReadoutState } from "../../api/types";
import { isReadoutState } from "../../lib/readouts";

/** Rows of one page of the list. */
export const LIST_ROWS = 20;

/** The states an address asks for, and its values that are none. */
export function readStates(search: URLSearchParams): { states: ReadoutState[]; ignored: string[] } {
  const sent = [...new Set(search.getAll("state"))];
  return { states: sent.filter(isReadoutState), ignored: sent.filter((text) => !isReadoutState(text)).map((text) => `state=${text}`) };
}

/** The address of a choice; none chosen means all. */
export function withStates(states: readonly ReadoutState[]): string {
  return new URLSearchParams(states.map((state) => ["state", state])).toString();
}
