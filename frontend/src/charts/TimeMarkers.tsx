import { placeMarkers, ROW_HEIGHT, type TimeMarker } from "./marker-layout";
import { MarkerLinks } from "./MarkerLinks";
import type { TimeFrame } from "./time-layout";

interface TimeMarkersProps {
  markers: readonly TimeMarker[];
  frame: TimeFrame;
}

/** Dashed lines over both panels, ranges as bands, each with its words where they cover no other words. */
export function TimeMarkers({ markers, frame }: TimeMarkersProps) {
  return placeMarkers(markers, frame).map(({ x, end, marker: { label }, at, row }) => (
    <g key={`${x} ${label}`}>
      {end !== null && <rect className="wash" x={x} y={frame.shareTop - 6} width={end - x} height={frame.loadFoot - frame.shareTop + 6} />}
      <line className="marker" x1={x} x2={x} y1={frame.shareTop - 6} y2={frame.loadFoot} />
      <text className="mk haloed" x={at} y={frame.shareTop + 8 + row * ROW_HEIGHT}>{label}</text>
    </g>
  ));
}

/** Their words and lines as links, to lie over the drawing. */
export function TimeMarkerLinks({ markers, frame }: TimeMarkersProps) {
  const linked = placeMarkers(markers, frame).map(({ x, marker, at, wide, row }) => ({
    ...marker,
    words: { left: at, top: frame.shareTop - 8 + row * ROW_HEIGHT, width: wide },
    line: { left: x, top: frame.shareTop - 6, height: frame.loadFoot - frame.shareTop + 6 },
  }));
  return <MarkerLinks markers={linked} />;
}
