import type { TimeFrame } from "./time-layout";

/** A moment to be seen on a time axis, or a range with its end. */
export interface TimeMarker {
  /** Milliseconds since the epoch. */
  time: number;
  end?: number | null;
  label: string;
  /** The address that it leads to, if any. */
  href?: string;
}

export interface PlacedMarker {
  x: number;
  /** Where its range ends; null for a moment. */
  end: number | null;
  /** The marker itself. */
  marker: TimeMarker;
  /** Where its words begin, and how wide they are. */
  at: number;
  wide: number;
  /** Lines below the first one. */
  row: number;
}

export const ROW_HEIGHT = 16;
const LETTER_WIDTH = 6.4;
const GAP = 6;
const MOST_ROWS = 8;

/** Where markers and their words stand: on the side that has room, in the first row where no other words stand. */
export function placeMarkers(markers: readonly TimeMarker[], frame: Pick<TimeFrame, "placeTime" | "left" | "right">): PlacedMarker[] {
  const taken: [number, number][][] = [];
  return [...markers].sort((a, b) => a.time - b.time).map((marker) => {
    const { time, end = null, label } = marker;
    const x = Math.max(frame.placeTime(time), frame.left);
    const width = label.length * LETTER_WIDTH;
    const from = wordStart(x, width, frame);
    const to = from + width;
    const row = firstFree(taken, from, to);
    (taken[row] ??= []).push([from, to]);
    return { x, end: end === null ? null : Math.min(frame.placeTime(end), frame.right), marker, at: from, wide: width, row };
  });
}

/** After the line, else before it, else as near to it as the frame allows. */
function wordStart(x: number, width: number, { left, right }: Pick<TimeFrame, "left" | "right">): number {
  if (x + GAP + width < right) return x + GAP;
  return x - GAP - width >= left ? x - GAP - width : Math.max(right - width, 0);
}

function firstFree(taken: readonly [number, number][][], from: number, to: number): number {
  for (let row = 0; row < MOST_ROWS; row += 1) {
    if (!(taken[row] ?? []).some(([start, stop]) => from < stop + GAP && to + GAP > start)) return row;
  }
  return 0;
}
