import { line } from "d3-shape";

/** A place on a drawing; `y` is null where nothing is known. */
export interface LinePoint {
  x: number;
  y: number | null;
}

/** The path through the known points, broken wherever one is not known: a gap is never drawn as zero. */
export function brokenLinePath(points: readonly LinePoint[]): string {
  const path = line<LinePoint>()
    .defined((point) => point.y !== null)
    .x((point) => round(point.x))
    .y((point) => round(point.y ?? 0));
  return path([...points]) ?? "";
}

/** Known points without a known neighbour: a line cannot show them, so they need a dot. */
export function lonePoints(points: readonly LinePoint[]): { x: number; y: number }[] {
  return points.flatMap(({ x, y }, index) => {
    const alone = isUnknown(points[index - 1]) && isUnknown(points[index + 1]);
    return y !== null && alone ? [{ x, y }] : [];
  });
}

function isUnknown(point: LinePoint | undefined): boolean {
  return point === undefined || point.y === null;
}

/** Pixels to a tenth, which keeps paths short and pictures stable. */
export function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
