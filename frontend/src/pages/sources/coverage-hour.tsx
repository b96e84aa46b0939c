import { formatHour } from "../../lib/time";

import type { CoveredHour } from "./coverage-days";

interface HourCellProps {
  hour: CoveredHour;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** One hour: filled complete, strong with a tick revised, pale in a line partly read, dashed settling, outlined open, hatched missing. */
export function HourCell({ hour: { hour, state, revisions }, x, y, width, height }: HourCellProps) {
  const times = revisions > 1 ? ` ${revisions} times` : "";
  const outlined = state === "settling" || state === "open" || state === "partly";
  const inset = outlined ? 0.5 : 0;
  return (
    <g>
      <title>{`${formatHour(hour)}, ${stateWords(state, times)}`}</title>
      {state === "revised" && <path className="cv-tick" d={`M${x + 0.5} ${y - 7}h6l-3 4.5z`} />}
      <rect className={`cv-${state}`} x={x + inset} y={y + inset} width={width - 2 * inset} height={height - 2 * inset} />
    </g>
  );
}

function stateWords(state: CoveredHour["state"], times: string): string {
  if (state === "revised") return `complete, revised${times}`;
  return state === "partly" ? "partly read" : state;
}
