import { Link } from "react-router";

import type { TimeMarker } from "./marker-layout";

export interface LinkedMarker extends TimeMarker {
  /** Where its words stand, and its line, in pixels of the drawing; no words: the line alone. */
  words: { left: number; top: number; width: number } | null;
  line: { left: number; top: number; height: number };
}

const WORDS_HEIGHT = 24;
const LINE_WIDTH = 8;

/** Links over the markers of a drawing that lead somewhere, for pointer and keyboard; they lie above its Picker. */
export function MarkerLinks({ markers }: { markers: readonly LinkedMarker[] }) {
  return markers.map(({ time, label, href, words, line }) => href !== undefined && (
    <Link key={`${time} ${label}`} className="markerlink" to={href} aria-label={`${label}: open its readout`} title={`${label}: open its readout`}>
      {words && <span style={{ left: words.left - 3, top: words.top, width: words.width + 6, height: WORDS_HEIGHT }} />}
      <span style={{ left: line.left - lineWidth(words) / 2, top: line.top, width: lineWidth(words), height: line.height }} />
    </Link>
  ));
}

/** A line without words is all there is to hit; beside words it must leave the hours under it in reach. */
function lineWidth(words: LinkedMarker["words"]): number {
  return words === null ? WORDS_HEIGHT : LINE_WIDTH;
}
