import "./charts.css";

import { scaleLinear } from "d3-scale";

/** What the bar stands for: a gain, a loss, no change, or no claim (hollow). */
export type IntervalTone = "gain" | "loss" | "same" | "hollow";

interface IntervalBarProps {
  value: number | null;
  interval: readonly [number, number] | null;
  /** The scale runs from minus this to plus this. */
  most: number;
  tone: IntervalTone;
  width?: number;
  /** The numbers in words, for those who do not see the bar. */
  label: string;
}

const WIDTH = 200;
const MARGIN = 10;

function placeOn(most: number, width: number) {
  return scaleLinear([-(most || 1), most || 1], [MARGIN, width - MARGIN]).clamp(true);
}

/** An estimate as a tick with its interval as a thin bar, on a scale around zero. */
export function IntervalBar({ value, interval, most, tone, width = WIDTH, label }: IntervalBarProps) {
  const place = placeOn(most, width);
  const [from, to] = interval ? [place(interval[0]), place(interval[1])] : [0, 0];
  return (
    <svg className={`interval ${tone}`} width={width} height="22" viewBox={`0 0 ${width} 22`} role="img" aria-label={label}>
      {[-1, -0.5, 0.5, 1].map((part) => <path key={part} className="grid" d={`M${place(part * most)} 0V22`} />)}
      <path className="axis" d={`M${width / 2} 0V22`} />
      {interval && <rect className="bar" x={from} y="7" width={Math.max(to - from, 1)} height="8" />}
      {value !== null && <path className="tick" d={`M${place(value)} 3V19`} />}
    </svg>
  );
}

interface IntervalScaleProps {
  most: number;
  /** The ends in words: "−50", "0", "+50". */
  labels: readonly [string, string, string];
  width?: number;
}

/** The scale above a column of bars. */
export function IntervalScale({ most, labels, width = WIDTH }: IntervalScaleProps) {
  const place = placeOn(most, width);
  return (
    <svg className="interval" width={width} height="13" viewBox={`0 0 ${width} 13`} aria-hidden="true">
      {labels.map((label, index) => (
        <text key={label} x={place((index - 1) * most)} y="11" textAnchor="middle">{label}</text>
      ))}
    </svg>
  );
}
