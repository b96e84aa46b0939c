import type { PlacedBand, ScatterFrame } from "./scatter-layout";

/** The grounds of the bands and the words above them. */
export function ScatterBands({ bands, frame }: { bands: readonly PlacedBand[]; frame: ScatterFrame }) {
  return bands.map((band) => (
    <g key={band.title}>
      <rect className="band" x={band.x1} y={frame.top} width={band.x2 - band.x1} height={frame.foot - frame.top} />
      <text className="strong" x={band.titleX} y={frame.top - 26 + (frame.narrow ? 4 : 0)} textAnchor="middle">
        {band.title}
      </text>
      <text x={band.titleX} y={frame.top - (frame.narrow ? 8 : 11)} textAnchor="middle">
        {frame.narrow ? band.shortNote : band.note}
      </text>
    </g>
  ));
}
