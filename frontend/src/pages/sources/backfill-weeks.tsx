import type { BackfillWeek } from "../../api/types";
import { plural } from "../../lib/format";
import { formatDate, formatDay } from "../../lib/time";

import { fittingRuns, weekCounts, weekProgress, weekRuns, weekStateWord } from "./backfill-runs";

const WIDTH = 868;
const TOP = 4;
const HEIGHT = 18;
const LABEL_WIDTH = 62;

/** The weeks of history as blocks, oldest left: hatched refused, outlined queued, filled as far as read. */
export function BackfillWeeks({ weeks }: { weeks: readonly BackfillWeek[] }) {
  const step = WIDTH / Math.max(weeks.length, 1);
  return (
    <>
      <div className="legend">
        {weekCounts(weeks).map(({ state, words }) => (
          <span key={state}>
            <svg width="9" height="14" aria-hidden="true">
              <rect className={`wk-${state}`} x="0.5" y="0.5" width="8" height="13" />
            </svg>
            {words}
          </span>
        ))}
      </div>
      <svg className="chart weeks" viewBox={`0 0 ${WIDTH} 42`} aria-hidden="true">
        {weeks.map((week, index) => (
          <Week key={week.start} week={week} x={index * step} width={step - 2} />
        ))}
        <StartLabels weeks={weeks} step={step} />
      </svg>
    </>
  );
}

function Week({ week, x, width }: { week: BackfillWeek; x: number; width: number }) {
  const progress = weekProgress(week);
  const hours = `${week.hours_fetched} of ${plural(week.hours_total, "hour")}`;
  const partly = progress > 0 && progress < 1;
  return (
    <g>
      <title>{`Week of ${formatDate(week.start)}: ${weekStateWord(week.state)}, ${hours}`}</title>
      <rect className={`wk-${week.state}`} x={x + 0.5} y={TOP + 0.5} width={Math.max(width - 1, 1)} height={HEIGHT - 1} />
      {partly && <rect className="wk-in" x={x + 0.5} y={TOP + 0.5} width={Math.max(width - 1, 1) * progress} height={HEIGHT - 1} />}
    </g>
  );
}

function StartLabels({ weeks, step }: { weeks: readonly BackfillWeek[]; step: number }) {
  const last = weeks.at(-1);
  const labels = fittingRuns(weekRuns(weeks), step, LABEL_WIDTH, WIDTH - 2 * LABEL_WIDTH);
  return (
    <>
      {labels.map(({ start, first }) => (
        <text key={start} x={first * step} y={TOP + HEIGHT + 16}>
          {formatDay(start)}
        </text>
      ))}
      {last && (
        <text x={WIDTH} y={TOP + HEIGHT + 16} textAnchor="end">
          {formatDay(last.end)}
        </text>
      )}
    </>
  );
}
