import type { ReadoutRow } from "../../api/types";
import { ProgressCells } from "../../charts/ProgressCells";
import { progressOf } from "../../lib/readouts";

/** Cells for what a collecting readout has of what it needs, in its own words; nothing where it waits for what cannot be counted. */
export function ProgressOf({ readout }: { readout: Pick<ReadoutRow, "missing" | "missing_numbers"> }) {
  const progress = progressOf(readout.missing_numbers);
  return progress && <ProgressCells have={progress.have} need={progress.need} label={readout.missing ?? ""} />;
}
