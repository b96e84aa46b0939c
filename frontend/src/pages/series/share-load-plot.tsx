import { useMemo } from "react";

import type { HourState, SeriesDetail, SeriesHours } from "../../api/types";
import { ScatterPlot, type ScatterWords } from "../../charts/ScatterPlot";
import { formatCount, plural } from "../../lib/format";
import { countStates, fillHours, hourWords, type TimedHour } from "../../lib/series-hours";
import { drawnHours, loadBands, loadChange, loadFinding, loadHeading, loadPoints } from "../../lib/series-load";
import { hoursCsvPath, type HourSpan } from "../../lib/series-url";

import { ChartSection } from "./chart-section";
import { HourSwatches } from "./hour-swatches";
import { HourTable } from "./hour-table";
import { usePicking } from "./picked-hours";

interface ShareLoadPlotProps {
  series: SeriesDetail;
  /** The window of the verdict and its unsettled tail. */
  answer: SeriesHours;
  /** Hours outside this span are faded; null shows all alike. */
  span: HourSpan | null;
}

const WORDS: ScatterWords = {
  xTitle: "requests per hour",
  yTitle: ["cached", "share"],
  formatX: formatCount,
  emptyText: "No hour of this window has requests",
};

/** The hero: one dot for each linked hour, cached share against requests. */
export function ShareLoadPlot({ series, answer, span }: ShareLoadPlotProps) {
  const hours = useMemo(() => fillHours(answer.items, answer.start, answer.end), [answer]);
  const points = useMemo(() => loadPoints(hours, (time) => isOutside(time, span)), [hours, span]);
  const byTime = useMemo(() => new Map(hours.map((hour) => [hour.time, hour])), [hours]);
  const bands = useMemo(() => loadBands(series), [series]);
  const change = useMemo(() => loadChange(series), [series]);
  const note = useMemo(() => gapNote(hours), [hours]);
  const { times, words, pick } = usePicking("load");
  const wordsOf = (time: number) => wordsAt(byTime, time);
  return (
    <ChartSection
      id="load"
      title={loadHeading(series)}
      how="share against load"
      csv={hoursCsvPath(series.path, null)}
      legend={<LoadLegend hours={hours} />}
      chart={
        <ScatterPlot
          finding={loadFinding(series)}
          points={points}
          bands={bands}
          change={change}
          note={note}
          words={WORDS}
          pickerLabel="Hours by requests, fewest first"
          picked={times}
          onPick={(time) => pick(time === null ? [] : [time], time === null ? "" : wordsOf(time))}
          wordsOf={wordsOf}
        />
      }
      words={words}
      hint="Point at a dot, or focus the picture and use the arrow keys, for the raw numbers of its hour."
      table={<HourTable caption="Hours with requests, fewest requests first" hours={byLoad(hours)} />}
      note={withoutThirds(series)}
    />
  );
}

function byLoad(hours: readonly TimedHour[]): TimedHour[] {
  return hours.filter((hour) => hour.requests !== null).sort((a, b) => (a.requests ?? 0) - (b.requests ?? 0));
}

function isOutside(time: number, span: HourSpan | null): boolean {
  return span !== null && (time < span.from || time >= span.to);
}

export function wordsAt(byTime: ReadonlyMap<number, TimedHour>, time: number): string {
  const hour = byTime.get(time);
  return hour ? hourWords(hour) : "";
}

function gapNote(hours: readonly TimedHour[]): { text: string; keys: ReadonlySet<number> } | null {
  const afterGap = drawnHours(hours).filter((hour) => hour.state === "after_gap");
  if (afterGap.length < 2) return null;
  return { text: `${plural(afterGap.length, "hour")} after a gap, excluded`, keys: new Set(afterGap.map((hour) => hour.time)) };
}

function withoutThirds(series: SeriesDetail): string | undefined {
  if (series.quiet && series.busy) return undefined;
  return series.third_reason === null ? undefined : `No quiet and busy third: ${series.third_reason}`;
}

function LoadLegend({ hours }: { hours: readonly TimedHour[] }) {
  const counts = countStates(drawnHours(hours));
  const unplaced = countStates(hours).no_requests;
  return (
    <>
      <HourSwatches>One dot is one linked hour, by hour of day</HourSwatches>
      {MARKS.map(({ state, label, mark }) => counts[state] > 0 && (
        <span key={state}>
          <svg width="10" height="10" aria-hidden="true">{mark}</svg>
          {label} ({counts[state]})
        </span>
      ))}
      {unplaced > 0 && <span>not drawn: no request count ({unplaced})</span>}
    </>
  );
}

const CROSS = <path className="na" d="M1.5 1.5l7 7m0 -7l-7 7" />;
const HOLLOW = <circle className="hol" cx="5" cy="5" r="4" />;

const MARKS: readonly { state: HourState; label: string; mark: React.ReactNode }[] = [
  { state: "after_gap", label: "after a gap", mark: HOLLOW },
  { state: "unknown_before", label: "the hour before is not known", mark: HOLLOW },
  { state: "settling", label: "settling", mark: <circle className="hol settle" cx="5" cy="5" r="4" /> },
  { state: "no_input", label: "no input", mark: CROSS },
  { state: "not_reported", label: "cached not reported", mark: CROSS },
];
