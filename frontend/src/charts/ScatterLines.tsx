import type { ScatterFrame } from "./scatter-layout";

/** A line from a hollow mark to a point of the plot: the same thing at two loads. */
export interface ScatterLine {
  /** Of the point it leads to. */
  key: number;
  from: { x: number; y: number };
  to: { x: number; y: number };
  /** A CSS colour. */
  colour: string;
}

/** The lines, each with its hollow beginning. */
export function ScatterLines({ lines, frame }: { lines: readonly ScatterLine[]; frame: ScatterFrame }) {
  return lines.map(({ key, from, to, colour }) => {
    const [x1, y1] = [frame.xAxis.place(from.x), frame.placeShare(from.y)];
    const [x2, y2] = [frame.xAxis.place(to.x), frame.placeShare(to.y)];
    return (
      <g key={key}>
        <line className="joined" x1={x1} y1={y1} x2={x2} y2={y2} style={{ stroke: colour }} />
        <circle className="hol joint" cx={x1} cy={y1} r={frame.radius - 0.6} style={{ stroke: colour }} />
      </g>
    );
  });
}
