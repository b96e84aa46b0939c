interface ShareAxisProps {
  left: number;
  right: number;
  /** From a share, 0 to 1, to pixels. */
  place: (share: number) => number;
  steps: readonly number[];
}

/** Lines and labels of a fixed 0 to 100% scale; the foot is an axis, the rest a grid. */
export function ShareAxis({ left, right, place, steps }: ShareAxisProps) {
  return steps.map((share) => (
    <g key={share}>
      <line className={share === 0 ? "axis" : "grid"} x1={left} x2={right} y1={place(share)} y2={place(share)} />
      <text x={left - 8} y={place(share) + 4} textAnchor="end">{`${Math.round(share * 100)}%`}</text>
    </g>
  ));
}
