import "./charts.css";

import { memo, useMemo } from "react";

import { Picker } from "./Picker";
import {
  nearestPoint,
  placeBands,
  placeNote,
  placePoints,
  scatterFrame,
  type PlacedPoint,
  type ScatterBand,
  type ScatterFrame,
  type ScatterPoint,
} from "./scatter-layout";
import { ScatterBands } from "./ScatterBands";
import { ScatterLines, type ScatterLine } from "./ScatterLines";
import { ScatterSide, type ScatterChange } from "./ScatterSide";
import { ShareAxis } from "./ShareAxis";
import { useChartWidth } from "./use-chart-width";

/** The words of the drawing. Keep the object the same from one rendering to the next. */
export interface ScatterWords {
  xTitle: string;
  yTitle: [string, string];
  formatX: (value: number) => string;
  /** Set in the middle of the plot when there is no point. */
  emptyText: string;
}

interface ScatterNote {
  text: string;
  keys: ReadonlySet<number>;
}

interface ScatterPlotProps {
  /** What the picture shows, for those who do not see it. */
  finding: string;
  /** In ascending order of x. */
  points: readonly ScatterPoint[];
  bands: readonly ScatterBand[];
  /** Lines that lead to points; keep the array the same from one rendering to the next. */
  lines?: readonly ScatterLine[];
  change: ScatterChange | null;
  /** Words set beside the points with these keys, where there is room. */
  note: ScatterNote | null;
  words: ScatterWords;
  pickerLabel: string;
  picked: ReadonlySet<number>;
  onPick: (key: number | null) => void;
  wordsOf: (key: number) => string;
}

const SHARE_STEPS = [0, 0.25, 0.5, 0.75, 1];
const NO_LINES: readonly ScatterLine[] = [];

/** Shares against a quantity: one mark per point, bands with a level, and the change between them. */
export function ScatterPlot(props: ScatterPlotProps) {
  const { width, narrow, box } = useChartWidth();
  const { points, bands, lines = NO_LINES, change, note, words } = props;
  const frame = useMemo(() => scatterFrame(points, bands, width, narrow, lines.map(({ from }) => from.x)), [points, bands, width, narrow, lines]);
  const placed = useMemo(() => placePoints(points, frame), [points, frame]);
  const index = placed.findIndex((point) => props.picked.has(point.key));
  const keyAt = (place: number | null) => (place === null ? null : (placed[place]?.key ?? null));
  const pickedKey = keyAt(index);
  return (
    <div className="chartbox" ref={box}>
      <svg className="chart" viewBox={`0 0 ${width} ${frame.height}`} role="img" aria-label={props.finding}>
        <Drawing placed={placed} bands={bands} lines={lines} change={change} note={note} words={words} frame={frame} />
        {placed.filter((point) => props.picked.has(point.key)).map((point) => (
          <circle key={point.key} className="ring" cx={point.cx} cy={point.cy} r={frame.radius + 3} />
        ))}
      </svg>
      <Picker
        label={props.pickerLabel}
        count={placed.length}
        index={index < 0 ? null : index}
        words={pickedKey === null ? "none picked" : props.wordsOf(pickedKey)}
        locate={(x, y) => nearestPoint(placed, x, y)}
        onPick={(place) => props.onPick(keyAt(place))}
      />
    </div>
  );
}

interface DrawingProps extends Pick<ScatterPlotProps, "bands" | "change" | "note" | "words"> {
  placed: readonly PlacedPoint[];
  lines: readonly ScatterLine[];
  frame: ScatterFrame;
}

/** Everything that stays as it is while points are picked. */
const Drawing = memo(function Drawing({ placed, bands, lines, change, note, words, frame }: DrawingProps) {
  const placedBands = placeBands(bands, frame);
  return (
    <>
      <ScatterBands bands={placedBands} frame={frame} />
      <ShareAxis left={frame.left} right={frame.right} place={frame.placeShare} steps={SHARE_STEPS} />
      <XAxis frame={frame} title={axisTitle(words.xTitle, frame)} format={words.formatX} />
      <YTitle lines={words.yTitle} frame={frame} />
      {placed.some((point) => point.y === null) && <Lane frame={frame} />}
      <ScatterLines lines={lines} frame={frame} />
      {[...placed].sort(dotsFirst).map((point) => <PointMark key={point.key} point={point} radius={frame.radius} />)}
      {placed.length === 0 && <EmptyText frame={frame} text={words.emptyText} />}
      <Levels bands={placedBands} />
      <Note note={note} placed={placed} frame={frame} />
      <ScatterSide bands={placedBands} change={change} frame={frame} />
    </>
  );
});

function axisTitle(title: string, frame: ScatterFrame): string {
  return frame.xAxis.kind === "log" ? `${title} (log scale)` : title;
}

function XAxis({ frame, title, format }: { frame: ScatterFrame; title: string; format: (value: number) => string }) {
  const middle = (frame.left + frame.right) / 2;
  return (
    <>
      {frame.xAxis.ticks.map((tick) => {
        const x = frame.xAxis.place(tick);
        return (
          <g key={tick}>
            <line className="axis" x1={x} x2={x} y1={frame.foot} y2={frame.foot + 5} />
            <text x={x} y={frame.tickY} textAnchor="middle">{format(tick)}</text>
          </g>
        );
      })}
      <text className="lab" x={middle} y={frame.height - 8} textAnchor="middle">{title}</text>
    </>
  );
}

function YTitle({ lines, frame }: { lines: [string, string]; frame: ScatterFrame }) {
  if (frame.narrow) return null;
  return lines.map((line, index) => (
    <text key={line} className="lab" x={0} y={18 + index * 15}>{line}</text>
  ));
}

function EmptyText({ frame, text }: { frame: ScatterFrame; text: string }) {
  const [x, y] = [(frame.left + frame.right) / 2, (frame.top + frame.foot) / 2];
  return <text className="lab haloed" x={x} y={y + 4} textAnchor="middle">{text}</text>;
}

function Lane({ frame }: { frame: ScatterFrame }) {
  return <text x={frame.left - 8} y={frame.laneY + 4} textAnchor="end">N/A</text>;
}

/** Hollow marks and crosses go on top, where dots cannot hide them. */
function dotsFirst(a: PlacedPoint, b: PlacedPoint): number {
  return Number(a.mark !== "dot") - Number(b.mark !== "dot");
}

/** One mark: the shape says what it is, the colour only adds to it. */
export function PointMark({ point, radius }: { point: PlacedPoint; radius: number }) {
  const faded = point.faded ? " faded" : "";
  const { cx, cy, mark, colour } = point;
  if (mark === "cross") return <path className={`na${faded}`} d={`M${cx - 4} ${cy - 4}l8 8m0 -8l-8 8`} />;
  if (mark === "dot") return <circle className={`dot${faded}`} cx={cx} cy={cy} r={radius} style={{ fill: colour }} />;
  return <circle className={(mark === "dashed" ? "hol settle" : "hol") + faded} cx={cx} cy={cy} r={radius - 0.3} />;
}

function Levels({ bands }: { bands: readonly { title: string; x1: number; x2: number; levelY: number }[] }) {
  return bands.map(({ title, x1, x2, levelY }) => (
    <line key={title} className="pool" x1={x1} x2={x2} y1={levelY} y2={levelY} />
  ));
}

const LETTER_WIDTH = 6;

function Note({ note, placed, frame }: { note: ScatterPlotProps["note"]; placed: readonly PlacedPoint[]; frame: ScatterFrame }) {
  if (!note || frame.narrow) return null;
  const marked = placed.filter((point) => note.keys.has(point.key));
  const others = placed.filter((point) => !note.keys.has(point.key));
  const place = placeNote(marked, others, note.text.length * LETTER_WIDTH, frame);
  return place && <text x={place.x} y={place.y} textAnchor="middle">{note.text}</text>;
}
