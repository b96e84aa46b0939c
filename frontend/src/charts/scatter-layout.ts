import { leastIndex } from "d3-array";

import { valueAxis, type ValueAxis } from "./axis";
import { round } from "./broken-line";
import { spreadLabels } from "./spread-labels";

export type Mark = "dot" | "hollow" | "dashed" | "cross";

export interface ScatterPoint {
  key: number;
  x: number;
  /** A share, 0 to 1; null stands in the lane under the axis. */
  y: number | null;
  mark: Mark;
  /** A CSS colour for a dot. */
  colour?: string;
  faded?: boolean;
}

/** A stretch of the x axis with one level drawn across it, and its words beside the plot. */
export interface ScatterBand {
  title: string;
  note: string;
  shortNote: string;
  from: number;
  to: number;
  level: number;
  value: string;
  lines: [string, string];
}

export interface ScatterFrame {
  narrow: boolean;
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  foot: number;
  laneY: number;
  tickY: number;
  radius: number;
  xAxis: ValueAxis;
  placeShare: (share: number) => number;
}

/** Where the plot stands inside a drawing of this width. `moreXs`: what else must fit on the x axis. */
export function scatterFrame(
  points: readonly ScatterPoint[],
  bands: readonly ScatterBand[],
  width: number,
  narrow: boolean,
  moreXs: readonly number[] = [],
): ScatterFrame {
  const hasLane = points.some((point) => point.y === null);
  const [left, top, foot] = narrow ? [34, 46, 294] : [44, 44, 378];
  const right = width - sideRoom(bands.length > 0, narrow);
  const tickY = foot + (hasLane ? 44 : 22);
  const values = [...points.map((point) => point.x), ...bands.flatMap((band) => [band.from, band.to]), ...moreXs];
  return {
    narrow,
    width,
    height: tickY + (narrow ? 28 : 34),
    left,
    right,
    top,
    foot,
    laneY: foot + 15,
    tickY,
    radius: narrow ? 3.6 : 4.3,
    xAxis: valueAxis(values, [left, right], narrow ? 44 : 58),
    placeShare: (share) => round(foot - share * (foot - top)),
  };
}

function sideRoom(hasBands: boolean, narrow: boolean): number {
  if (!hasBands) return 14;
  return narrow ? 52 : 214;
}

export interface PlacedPoint extends ScatterPoint {
  cx: number;
  cy: number;
}

export function placePoints(points: readonly ScatterPoint[], frame: ScatterFrame): PlacedPoint[] {
  return points.map((point) => ({
    ...point,
    cx: round(frame.xAxis.place(point.x)),
    cy: point.y === null ? frame.laneY : frame.placeShare(point.y),
  }));
}

/** The index of the point nearest to a place, or null when none is within reach. */
export function nearestPoint(points: readonly PlacedPoint[], x: number, y: number, reach = 28): number | null {
  const away = (point: PlacedPoint) => Math.hypot(point.cx - x, point.cy - y);
  const index = leastIndex(points, (a, b) => away(a) - away(b));
  const nearest = index === undefined ? undefined : points[index];
  return index !== undefined && nearest && away(nearest) <= reach ? index : null;
}

export interface PlacedBand extends ScatterBand {
  x1: number;
  x2: number;
  levelY: number;
  titleX: number;
}

const LEAST_BAND = 6;

/** Bands in pixels, their titles moved apart where the bands stand close. */
export function placeBands(bands: readonly ScatterBand[], frame: ScatterFrame): PlacedBand[] {
  const edges = bands.map((band) => bandEdges(band, frame));
  const room = frame.narrow ? 84 : 166;
  const titles = spreadLabels(
    edges.map(([x1, x2]) => ({ wanted: (x1 + x2) / 2, height: room })),
    frame.left - (frame.narrow ? 10 : 0),
    frame.right + (frame.narrow ? 46 : 60),
  );
  return bands.map((band, index) => {
    const [x1, x2] = edges[index] ?? [frame.left, frame.right];
    return { ...band, x1, x2, levelY: frame.placeShare(band.level), titleX: round(titles[index] ?? x1) };
  });
}

function bandEdges(band: ScatterBand, frame: ScatterFrame): [number, number] {
  const [x1, x2] = [frame.xAxis.place(band.from), frame.xAxis.place(band.to)];
  const short = Math.max(LEAST_BAND - (x2 - x1), 0) / 2;
  return [round(x1 - short), round(x2 + short)];
}

/** Middles of the words beside the plot: first band, the change between them, last band. */
export function placeSideWords(bands: readonly PlacedBand[], changeLines: number, frame: ScatterFrame): number[] {
  const [first, last] = [bands[0], bands.at(-1)];
  if (!first || !last) return [];
  const blocks = [
    { wanted: first.levelY, height: 34 },
    { wanted: (first.levelY + last.levelY) / 2, height: changeLines * 17 + 6 },
    { wanted: last.levelY, height: 34 },
  ];
  return spreadLabels(blocks, frame.top - 20, frame.foot + 24);
}

/** A place for words about some points: above or under them, and only where no other point stands. */
export function placeNote(
  marked: readonly PlacedPoint[],
  others: readonly PlacedPoint[],
  textWidth: number,
  frame: ScatterFrame,
): { x: number; y: number } | null {
  if (marked.length === 0) return null;
  const ys = marked.map((point) => point.cy);
  const [high, low] = [Math.min(...ys), Math.max(...ys)];
  if (low - high > 48 || others.some((point) => isAmong(point, marked))) return null;
  const middle = marked.reduce((sum, point) => sum + point.cx, 0) / marked.length;
  const x = Math.min(Math.max(middle, frame.left + textWidth / 2 + 4), frame.right - textWidth / 2 - 4);
  const all = [...marked, ...others];
  const isFree = (y: number) => y > frame.top + 14 && y < frame.foot - 4 && isClear(all, x, y, textWidth);
  const y = [high - 12, low + 20].find(isFree);
  return y === undefined ? null : { x: round(x), y: round(y) };
}

/** Whether a point stands inside the box around others: words could then not tell which are meant. */
function isAmong(point: PlacedPoint, marked: readonly PlacedPoint[]): boolean {
  const inside = (value: number, values: number[]) => value >= Math.min(...values) && value <= Math.max(...values);
  return inside(point.cx, marked.map(({ cx }) => cx)) && inside(point.cy, marked.map(({ cy }) => cy));
}

function isClear(points: readonly PlacedPoint[], x: number, y: number, textWidth: number): boolean {
  const half = textWidth / 2 + 6;
  return points.every((point) => Math.abs(point.cx - x) > half || point.cy < y - 17 || point.cy > y + 8);
}
