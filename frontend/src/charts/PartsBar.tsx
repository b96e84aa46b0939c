import "./charts.css";

export interface BarPart {
  key: string;
  /** 0 to 1; all parts sum to 1. */
  share: number;
  /** A colour of the tokens; null: hatched, for what is not known. */
  fill: string | null;
  /** The share in words: "13.3%". */
  amount: string;
  name: string;
}

const HEIGHT = 32;
const GAP = 2;
/** Widths below which a part carries no name, and no number. */
const NAME_FROM = 120;
const AMOUNT_FROM = 44;
/** So that a small part is still seen, and what is not known most of all. */
const LEAST = 4;
const LEAST_UNKNOWN = 16;
/** Room beside the last part that its name needs where it is too narrow itself. */
const NAME_BESIDE = 280;

interface PartsBarProps {
  parts: readonly BarPart[];
  width: number;
  label: string;
}

/** A whole cut into its parts, each with its number under it where there is room. */
export function PartsBar({ parts, width, label }: PartsBarProps) {
  const placed = placedParts(parts, width);
  return (
    <svg className="chart partsbar" width={width} height={HEIGHT + 26} viewBox={`0 0 ${width} ${HEIGHT + 26}`} role="img" aria-label={label}>
      {placed.map(({ key, x, size, fill, amount, name }) => (
        <g key={key}>
          <title>{`${name}: ${amount}`}</title>
          <rect className={fill === null ? "unknown" : "part"} x={x} y={fill === null ? 0.5 : 0} width={size} height={fill === null ? HEIGHT - 1 : HEIGHT} style={fill === null ? undefined : { fill }} />
          {size >= AMOUNT_FROM && (
            <text x={x} y={HEIGHT + 18} className="lab">
              <tspan className="strong">{amount}</tspan>
              {size >= NAME_FROM && ` ${name}`}
            </text>
          )}
          {size < AMOUNT_FROM && key === placed.at(-1)?.key && (placed.at(-2)?.size ?? 0) >= NAME_BESIDE && (
            <text x={width} y={HEIGHT + 18} className="lab" textAnchor="end">
              <tspan className="strong">{amount}</tspan> {name}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function placedParts(parts: readonly BarPart[], width: number) {
  const least = ({ fill }: BarPart) => (fill === null ? LEAST_UNKNOWN : LEAST);
  const room = width - GAP * (parts.length - 1) - parts.reduce((sum, part) => sum + least(part), 0);
  const sizeOf = (part: BarPart) => part.share * room + least(part);
  return parts.map((part, index) => ({
    ...part,
    x: parts.slice(0, index).reduce((sum, before) => sum + sizeOf(before) + GAP, 0),
    size: sizeOf(part),
  }));
}
