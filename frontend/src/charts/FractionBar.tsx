import "./charts.css";

import { scaleLinear } from "d3-scale";

interface FractionBarProps {
  /** 0 to 1. */
  value: number | null;
  interval: readonly [number, number];
  /** Differs from what it is compared with. */
  marked: boolean;
  width?: number;
  /** The numbers in words, for those who do not see the bar. */
  label: string;
}

const WIDTH = 200;
const MARGIN = 6;

function placeIn(width: number) {
  return scaleLinear([0, 1], [MARGIN, width - MARGIN]).clamp(true);
}

/** A fraction as a tick with its interval as a thin bar, on a scale of 0 to 100%. */
export function FractionBar({ value, interval, marked, width = WIDTH, label }: FractionBarProps) {
  const place = placeIn(width);
  const [from, to] = [place(interval[0]), place(interval[1])];
  return (
    <svg className={`interval fraction${marked ? " marked" : ""}`} width={width} height="22" viewBox={`0 0 ${width} 22`} role="img" aria-label={label}>
      {[0.25, 0.5, 0.75, 1].map((part) => <path key={part} className="grid" d={`M${place(part)} 0V22`} />)}
      <path className="axis" d={`M${place(0)} 0V22`} />
      <rect className="bar" x={from} y="7" width={Math.max(to - from, 1)} height="8" />
      {value !== null && <path className="tick" d={`M${place(value)} 3V19`} />}
    </svg>
  );
}

/** The scale above a column of such bars. */
export function FractionScale({ width = WIDTH }: { width?: number }) {
  const place = placeIn(width);
  return (
    <svg className="interval" width={width} height="13" viewBox={`0 0 ${width} 13`} aria-hidden="true">
      <text x={place(0)} y="11" textAnchor="start">0%</text>
      <text x={place(0.5)} y="11" textAnchor="middle">50%</text>
      <text x={place(1)} y="11" textAnchor="end">100%</text>
    </svg>
  );
}
