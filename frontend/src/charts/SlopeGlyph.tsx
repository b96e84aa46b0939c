const FOOT = 29;
const HEAD = 3;
const LEFT_X = 4;
const RIGHT_X = 40;

interface SlopeGlyphProps {
  /** Shares, 0 to 1. */
  left: number;
  right: number;
  /** A CSS colour; the text colour around it when left out. */
  colour?: string;
  label?: string;
}

/** Two shares and the line between them on a fixed 0 to 100% scale. */
export function SlopeGlyph({ left, right, colour = "currentColor", label }: SlopeGlyphProps) {
  const from = slopeY(left);
  const to = slopeY(right);
  const role = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <svg className="slopeglyph" width="44" height="32" viewBox="0 0 44 32" {...role}>
      <path className="grid" d={`M${LEFT_X} ${HEAD}V${FOOT}M${RIGHT_X} ${HEAD}V${FOOT}`} />
      <path d={`M${LEFT_X} ${from}L${RIGHT_X} ${to}`} style={{ stroke: colour, strokeWidth: 1.8 }} />
      <circle cx={LEFT_X} cy={from} r={3} style={{ fill: colour }} />
      <circle cx={RIGHT_X} cy={to} r={3} style={{ fill: colour }} />
    </svg>
  );
}

/** The height of a share in the glyph, in its own pixels. */
export function slopeY(share: number): number {
  return Math.round((FOOT - share * (FOOT - HEAD)) * 10) / 10;
}
