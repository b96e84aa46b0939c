import type { BackfillWeek } from "../../api/types";
import { plural } from "../../lib/format";
import { formatDate, formatDay } from "../../lib/time";

import { fittingRuns, weekCounts, weekProgress, weekRuns, weekStateWord } from "./backfill-runs";

const STEP = 20;
const HEIGHT = 18;
/** How much of the bar's length a date needs, so that dates do not touch. */
const LABEL_PART = 0.09;

/** The weeks of history as blocks, oldest left: hatched refused, outlined queued, filled as far as read. */
export function BackfillWeeks({ weeks }: { weeks: readonly BackfillWeek[] }) {
  const width = Math.max(weeks.length, 1) * STEP;
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
      <svg className="weeks" viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {weeks.map((week, index) => (
          <Week key={week.start} week={week} x={index * STEP} />
        ))}
      </svg>
      <StartLabels weeks={weeks} />
    </>
  );
}

function Week({ week, x }: { week: BackfillWeek; x: number }) {
  const progress = weekProgress(week);
  const hours = `${week.hours_fetched} of ${plural(week.hours_total, "hour")}`;
  const width = STEP - 1;
  const block = { y: 0.5, height: HEIGHT - 1, x: x + 0.5 };
  return (
    <g>
      <title>{`Week of ${formatDate(week.start)}: ${weekStateWord(week.state)}, ${hours}`}</title>
      <rect className={`wk-${week.state}`} {...block} width={width} />
      {progress > 0 && progress < 1 && <rect className="wk-in" {...block} width={width * progress} />}
    </g>
  );
}

/** The day each run of equal weeks begins, and the day the last one ends. */
function StartLabels({ weeks }: { weeks: readonly BackfillWeek[] }) {
  const last = weeks.at(-1);
  const labels = fittingRuns(weekRuns(weeks), 1 / weeks.length, LABEL_PART, 1 - 2 * LABEL_PART);
  return (
    <p className="weekdates" aria-hidden="true">
      {labels.map(({ start, first }) => (
        <span key={start} style={{ left: `${(100 * first) / weeks.length}%` }}>
          {formatDay(start)}
        </span>
      ))}
      {last && <span className="lastdate">{formatDay(last.end)}</span>}
    </p>
  );
}
