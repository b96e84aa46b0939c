import type { ReadoutRow } from "../../api/types";
import { ProgressCells } from "../../charts/ProgressCells";
import { progressOf } from "../../lib/readouts";

interface ProgressOfProps {
  readout: Pick<ReadoutRow, "missing" | "missing_numbers">;
  /** How many cells there is room for; undefined: many. */
  most?: number | undefined;
}

/** Cells for what a collecting readout has of what it needs, in its own words; nothing where it waits for what cannot be counted. */
export function ProgressOf({ readout, most }: ProgressOfProps) {
  const progress = progressOf(readout.missing_numbers);
  return progress && <ProgressCells have={progress.have} need={progress.need} most={most} label={readout.missing ?? ""} />;
}
