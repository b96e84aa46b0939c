import "./charts.css";

import { brokenLinePath, lonePoints, type LinePoint } from "./broken-line";

const WIDTH = 112;
const HEIGHT = 30;
const FOOT = 27;
const HEAD = 3;
const FIRST_X = 4.9;
const LAST_X = 105.1;

interface SparklineProps {
  /** Evenly spaced, oldest first; shares 0 to 1, null where there was nothing to read. */
  points: readonly { t: string; share: number | null }[];
  /** Moments in the line: 0 at the first point, 1 at the last. */
  markers?: readonly number[];
  /** Says what the line shows; without it the drawing is decoration beside the same numbers. */
  label?: string;
}

/** A share over time on a fixed 0 to 100% scale, broken at gaps, with a dot at its last known point. */
export function Sparkline({ points, markers = [], label }: SparklineProps) {
  const placed = placeShares(points.map((point) => point.share));
  const last = placed.findLast((point) => point.y !== null);
  return (
    <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} {...imageRole(label)}>
      <path className="grid" d={`M2 ${FOOT}H109M2 ${HEAD}H109`} />
      {markers.map((place) => <path key={place} className="sparkmark" d={`M${FIRST_X + place * (LAST_X - FIRST_X)} 0V${HEIGHT}`} />)}
      <path className="sparkline" d={brokenLinePath(placed)} />
      {lonePoints(placed).map(({ x, y }) => (
        <circle key={x} className="sparkdot" cx={x} cy={y} r={0.9} />
      ))}
      {last && <circle className="sparkdot" cx={last.x} cy={last.y ?? undefined} r={2.2} />}
    </svg>
  );
}

/** Where each share stands in the drawing. */
export function placeShares(shares: readonly (number | null)[]): LinePoint[] {
  const step = (LAST_X - FIRST_X) / Math.max(shares.length - 1, 1);
  return shares.map((share, index) => ({
    x: FIRST_X + index * step,
    y: share === null ? null : FOOT - share * (FOOT - HEAD),
  }));
}

function imageRole(label: string | undefined) {
  return label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
}
