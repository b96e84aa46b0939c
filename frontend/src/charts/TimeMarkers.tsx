import type { TimeFrame } from "./time-layout";

/** A moment to be seen on a time axis. */
export interface TimeMarker {
  /** Milliseconds since the epoch. */
  time: number;
  label: string;
}

const LETTER_WIDTH = 6.4;

/** Dashed lines over both panels, each with its words on the side that has room. */
export function TimeMarkers({ markers, frame }: { markers: readonly TimeMarker[]; frame: TimeFrame }) {
  return markers.map(({ time, label }) => {
    const x = frame.placeTime(time);
    const after = x + 6 + label.length * LETTER_WIDTH < frame.right;
    return (
      <g key={time}>
        <line className="marker" x1={x} x2={x} y1={frame.shareTop - 6} y2={frame.loadFoot} />
        <text className="mk haloed" x={after ? x + 6 : x - 6} y={frame.shareTop + 8} textAnchor={after ? "start" : "end"}>{label}</text>
      </g>
    );
  });
}
