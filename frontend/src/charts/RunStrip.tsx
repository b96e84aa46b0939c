import "./charts.css";

import { scaleUtc } from "d3-scale";
import { utcMonday } from "d3-time";
import { useCallback, type ReactNode } from "react";

import type { TimeMarker } from "./marker-layout";
import { MarkerLinks } from "./MarkerLinks";
import { labelledRuns } from "./run-labels";
import { useChartWidth } from "./use-chart-width";
import { useOverflow } from "./use-overflow";

export interface StripRun {
  /** Milliseconds since the epoch, half-open. */
  from: number;
  to: number;
  word: string;
  /** The run in full, for pointers. */
  title: string;
  glyph: ReactNode;
  /** CSS colours of the frame and the ground. */
  colour: string;
  ground: string;
  strong: boolean;
}

interface RunStripProps {
  finding: string;
  runs: readonly StripRun[];
  /** Moments drawn across the strip. */
  markers?: readonly TimeMarker[];
  formatTick: (time: number) => string;
}

const LEAST_WIDTH = 640;
const GLYPH_ROOM = 22;

/** One bar for each run of days; wide runs carry their word, and every bar with room its glyph. */
export function RunStrip({ finding, runs, markers = [], formatTick }: RunStripProps) {
  const { width: measured, box } = useChartWidth();
  const { box: followed, before, beyond } = useOverflow();
  const boxAtEnd = useCallback(
    (element: HTMLElement | null) => {
      box(element);
      // The run that holds stands at the end.
      if (element) element.scrollLeft = element.scrollWidth;
      followed(element);
    },
    [box, followed],
  );
  const width = Math.max(measured, LEAST_WIDTH);
  const [start, end] = [runs[0]?.from ?? 0, runs.at(-1)?.to ?? 1];
  const time = scaleUtc([start, end], [0.5, width - 0.5]);
  const placed = runs.map((run) => ({ run, x1: time(run.from), x2: time(run.to), word: run.word, strong: run.strong }));
  return (
    <div className={["scrollwrap", before && "before", beyond && "beyond"].filter(Boolean).join(" ")}>
    <div className="scroll" ref={boxAtEnd} {...scrollable(measured)}>
      <div className="chartbox" style={{ minWidth: LEAST_WIDTH }}>
      <svg className="chart" viewBox={`0 0 ${width} 58`} role="img" aria-label={finding}>
        {placed.map(({ run, x1, x2 }) => <Bar key={run.from} run={run} x1={x1} x2={x2} />)}
        {markers.map((marker) => (
          <line key={`${marker.time} ${marker.label}`} className="marker" x1={time(marker.time)} x2={time(marker.time)} y1={18} y2={40}><title>{marker.label}</title></line>
        ))}
        {labelledRuns(placed, width, measured < LEAST_WIDTH).map(({ x, run }) => (
          <text key={run.from} x={x} y={16} className={run.strong ? "strong" : "lab"} style={run.strong ? { fill: run.colour } : undefined}>
            {run.word}
          </text>
        ))}
        {ticksOf(start, end, width).map((tick) => (
          <g key={tick}>
            <line className="axis" x1={time(tick)} x2={time(tick)} y1={38} y2={42} />
            <text x={Math.min(time(tick), width - 40)} y={54}>{formatTick(tick)}</text>
          </g>
        ))}
      </svg>
      {placed.map(({ run, x1, x2 }) => x2 - x1 > GLYPH_ROOM && (
        <span key={run.from} className="runglyph" style={{ left: x1 + 2, color: run.colour }}>{run.glyph}</span>
      ))}
      <MarkerLinks markers={markers.map((marker) => ({ ...marker, words: null, line: { left: time(marker.time), top: 17, height: 24 } }))} />
      </div>
    </div>
    </div>
  );
}

/** A strip wider than its box scrolls inside it, which has to work from the keyboard too. */
function scrollable(measured: number) {
  return measured < LEAST_WIDTH ? { tabIndex: 0, role: "region", "aria-label": "Scrolls sideways" } : {};
}

function Bar({ run, x1, x2 }: { run: StripRun; x1: number; x2: number }) {
  const width = Math.max(x2 - x1 - 1.5, 1);
  return (
    <rect x={x1} y={22} width={width} height={14} style={{ fill: run.ground, stroke: run.colour }}>
      <title>{run.title}</title>
    </rect>
  );
}

const DAY_MS = 86_400_000;

/** Days of a short history, Mondays of a longer one, never closer than 60 pixels. */
function ticksOf(start: number, end: number, width: number): number[] {
  const days = Math.round((end - start) / DAY_MS);
  if (days <= Math.floor(width / 60)) return Array.from({ length: days }, (_, day) => start + day * DAY_MS);
  const mondays = utcMonday.range(new Date(start), new Date(end)).map((monday) => monday.getTime());
  const every = Math.max(1, Math.ceil((mondays.length * 60) / width));
  return mondays.filter((_, index) => index % every === 0);
}
