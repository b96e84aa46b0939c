import type { Freshness, FreshHourState } from "../api/types";
import { marksSentence } from "../lib/freshness";
import { formatHour } from "../lib/time";

const STEP = 6;

/** One mark for each of the last hours: filled complete, half filled partly read, dashed settling, flat open, hatched missing. */
export function FreshnessMarks({ hours }: { hours: Freshness["hours"] }) {
  const width = hours.length * STEP;
  return (
    <svg width={width} height="14" viewBox={`0 0 ${width} 14`} role="img" aria-label={marksSentence(hours)}>
      {hours.map(({ hour, state }, index) => (
        <g key={hour}>
          <title>{`${formatHour(hour)}, ${state === "partly" ? "partly read" : state}`}</title>
          <HourMark state={state} x={index * STEP} />
        </g>
      ))}
    </svg>
  );
}

function HourMark({ state, x }: { state: FreshHourState; x: number }) {
  if (state === "complete") return <rect className="fm-full" x={x + 0.5} y="2" width="4" height="10" />;
  if (state === "partly") return <rect className="fm-full" x={x + 0.5} y="7" width="4" height="5" />;
  if (state === "settling") return <rect className="fm-dash" x={x + 1} y="2.5" width="3" height="9" />;
  if (state === "open") return <path className="fm-open" d={`M${x + 0.5} 11.5h4`} />;
  return <path className="fm-miss" d={`M${x + 0.5} 12l4 -10`} />;
}
