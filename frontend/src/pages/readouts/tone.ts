import type { IntervalTone } from "../../charts/IntervalBar";
import type { ReadoutState } from "../../api/types";
import { standingOf } from "../../lib/readouts";

/** The colour of a readout's intervals: only a claim has one. */
export function toneOf(state: ReadoutState): IntervalTone {
  if (state === "improved") return "gain";
  if (state === "worse") return "loss";
  return standingOf(state) === "bracketed" ? "hollow" : "same";
}
