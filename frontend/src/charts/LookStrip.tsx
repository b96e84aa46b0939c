import "./charts.css";

import { scaleLinear } from "d3-scale";

import type { IntervalTone } from "./IntervalBar";
import { useChartWidth } from "./use-chart-width";

/** One estimate with its interval. */
export interface Look {
  key: number;
  value: number | null;
  interval: readonly [number, number] | null;
  tone: IntervalTone;
  /** Beside the estimate: "+43.5". */
  text: string;
  /** Under the axis, two lines. */
  title: string;
  note: string;
}

interface LookStripProps {
  finding: string;
  looks: readonly Look[];
  formatTick: (value: number) => string;
}

const [LEFT, TOP, FOOT, HEIGHT] = [44, 14, 132, 172];
const BAR = 8;

/** Estimates side by side as of later and later days, on one scale that holds zero. */
export function LookStrip({ finding, looks, formatTick }: LookStripProps) {
  const { width: measured, box } = useChartWidth();
  const width = Math.min(measured, 760);
  const values = looks.flatMap(({ value, interval }) => [value ?? 0, ...(interval ?? [])]);
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const scale = scaleLinear([low, low === high ? low + 1 : high], [FOOT, TOP]).nice(3);
  const step = (width - LEFT) / Math.max(looks.length, 1);
  return (
    <div className="chartbox" ref={box}>
      <svg className="chart" style={{ maxWidth: width }} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={finding}>
        {scale.ticks(3).map((tick) => (
          <g key={tick}>
            <line className={tick === 0 ? "axis" : "grid"} x1={LEFT} x2={width} y1={scale(tick)} y2={scale(tick)} />
            <text x={LEFT - 8} y={scale(tick) + 4} textAnchor="end">{formatTick(tick)}</text>
          </g>
        ))}
        {looks.map((look, index) => <LookMark key={look.key} look={look} x={LEFT + (index + 0.5) * step} place={scale} />)}
      </svg>
    </div>
  );
}

function LookMark({ look, x, place }: { look: Look; x: number; place: (value: number) => number }) {
  const { value, interval } = look;
  return (
    <g className={`interval ${look.tone}`}>
      {interval && <rect className="bar" x={x - BAR / 2} width={BAR} y={place(interval[1])} height={Math.max(place(interval[0]) - place(interval[1]), 1)} />}
      {value !== null && <path className="tick" d={`M${x - 9} ${place(value)}H${x + 9}`} />}
      {value !== null && <text className="lab" x={x + 14} y={place(value) + 4}>{look.text}</text>}
      <text className="lab" x={x} y={HEIGHT - 20} textAnchor="middle">{look.title}</text>
      <text x={x} y={HEIGHT - 4} textAnchor="middle">{look.note}</text>
    </g>
  );
}
