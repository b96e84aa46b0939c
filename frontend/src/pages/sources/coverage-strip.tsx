import type { CoverageDay, CoveredHour } from "./coverage-days";
import { HourCell } from "./coverage-hour";

const WIDTH = 1360;
const LEFT = 34;
const TOP = 14;
const HEIGHT = 20;
/** A shorter day has no room for its label. */
const LABELLED_HOURS = 10;

interface StripProps {
  hours: readonly CoveredHour[];
  days: readonly CoverageDay[];
  label: string;
}

/** All hours on one line, with a tick and a label where a day begins. */
export function CoverageStrip({ hours, days, label }: StripProps) {
  const step = (WIDTH - LEFT) / Math.max(hours.length, 1);
  return (
    <div className="cov-wide">
      <svg className="chart" viewBox={`0 0 ${WIDTH} 62`} role="img" aria-label={label}>
        <text x="0" y={TOP + 14}>
          hours
        </text>
        {hours.map((hour, index) => (
          <HourCell key={hour.hour} hour={hour} x={LEFT + index * step} y={TOP} width={step - 1.2} height={HEIGHT} />
        ))}
        {days.map((day) => (
          <DayTick key={day.label} x={LEFT + day.first * step} label={day.hours.length >= LABELLED_HOURS ? day.label : ""} />
        ))}
      </svg>
    </div>
  );
}

function DayTick({ x, label }: { x: number; label: string }) {
  return (
    <>
      <line className="axis" x1={x - 0.6} y1={TOP} x2={x - 0.6} y2={TOP + 26} />
      <text x={x + 3} y={TOP + 38}>
        {label}
      </text>
    </>
  );
}

const ROW = 30;
const COLUMN = 8.9;
const DAY_WIDTH = 74;

/** The same hours for narrow pages: one row for each day, one column for each hour. */
export function CoverageGrid({ days, label }: Omit<StripProps, "hours">) {
  const width = DAY_WIDTH + 24 * COLUMN;
  return (
    <div className="cov-narrow">
      <svg className="chart" viewBox={`0 0 ${width} ${days.length * ROW}`} role="img" aria-label={label}>
        {days.map((day, row) => (
          <g key={day.label}>
            <text x="0" y={row * ROW + 23}>
              {day.label}
            </text>
            {day.hours.map((hour) => (
              <HourCell key={hour.hour} hour={hour} x={DAY_WIDTH + hourOfDay(hour) * COLUMN} y={row * ROW + 10} width={COLUMN - 1.2} height={16} />
            ))}
          </g>
        ))}
      </svg>
    </div>
  );
}

function hourOfDay({ hour }: CoveredHour): number {
  return new Date(hour).getUTCHours();
}
