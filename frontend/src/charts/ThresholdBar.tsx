import "./charts.css";

import { scaleLinear } from "d3-scale";

interface ThresholdBarProps {
  value: number | null;
  limit: number;
  side: "at or above" | "at or below";
  /** Ends of the scale; stretched where the value lies outside. */
  domain: [number, number];
}

const LEFT = 6;
const RIGHT = 144;

/** A value on a line: the side where a finding starts is shaded, with a tick at the threshold. */
export function ThresholdBar({ value, limit, side, domain }: ThresholdBarProps) {
  const ends = [domain[0], domain[1], limit, value ?? limit];
  const place = scaleLinear([Math.min(...ends), Math.max(...ends)], [LEFT, RIGHT]);
  const [from, to] = side === "at or above" ? [place(limit), RIGHT] : [LEFT, place(limit)];
  return (
    <svg className="thr" viewBox="0 0 150 20" aria-hidden="true">
      <line className="axis" x1={LEFT} x2={RIGHT} y1="10" y2="10" />
      <rect className="thrzone" x={from} y="7" width={Math.max(to - from, 0)} height="6" />
      <line className="thrtick" x1={place(limit)} x2={place(limit)} y1="3" y2="17" />
      {value !== null && <circle className="thrvalue" cx={place(value)} cy="10" r="4.5" />}
    </svg>
  );
}
