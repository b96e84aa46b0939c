import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { useSearchParams } from "react-router";

import { seriesHoursQuery, seriesPartsQuery, verdictHistoryQuery } from "../../api/series-detail";
import type { SeriesDetail, SeriesHours } from "../../api/types";
import { Failure } from "../../ui/failure";
import { Section } from "../../ui/section";
import { fillHours, type TimedHour } from "../../lib/series-hours";
import { LONGEST_SPAN_HOURS, readSeriesView, type HourSpan } from "../../lib/series-url";
import { HOUR_MS } from "../../lib/time";

import { CauseList } from "./cause-list";
import { DayTable } from "./day-table";
import { ExcludedHours } from "./excluded-hours";
import { HourOfWeek } from "./hour-of-week";
import { MinuteView } from "./minute-view";
import { PickingProvider } from "./picking-provider";
import { SeriesEvidence } from "./series-evidence";
import { SeriesHeader } from "./series-header";
import { ChartLoading } from "./series-loading";
import { SeriesRail } from "./series-rail";
import { SeriesStrip } from "./series-strip";
import { ShareLoadPlot } from "./share-load-plot";
import { ShareTimeline } from "./share-timeline";
import { SliceTable } from "./slice-table";
import { StabilityTable } from "./stability-table";
import { ThresholdTable } from "./threshold-table";
import { useNeighbours } from "./use-neighbours";
import { VerdictFacts } from "./verdict-facts";
import { VerdictHistory } from "./verdict-history";

interface SeriesViewProps {
  series: SeriesDetail;
  /** Why the newest question failed; what stands here is then older. */
  stale: Error | null;
  retry: () => void;
}

/** The page of a series that has been read: verdict, evidence, hours, and what to do. */
export function SeriesView({ series, stale, retry }: SeriesViewProps) {
  const [search] = useSearchParams();
  const { span, notices } = useMemo(() => readSeriesView(search), [search]);
  const around = useNeighbours(series);
  const window = useQuery(seriesHoursQuery(series.id, null));
  const windowHours = useMemo(() => hoursOfWindow(series, window.data), [series, window.data]);
  return (
    <PickingProvider>
      <SeriesHeader
        series={{ ...series, previous_id: around.previous, next_id: around.next }}
        notices={notices}
        overview={around.overview}
        onNeighbour={(id) => void around.open(id)}
      />
      {stale && <Failure what="The newest figures could not be read; what stands below is older" error={stale} onRetry={retry} />}
      <SeriesStrip series={series} windowHours={windowHours} />
      <div className="cols">
        <div className="evidence">
          <ChartRegion query={window} title="Share against load" what="the hours" height={420}>
            {(answer) => <ShareLoadPlot series={series} answer={answer} span={span} />}
          </ChartRegion>
          <EvidenceTables series={series} windowHours={windowHours} />
          <SeriesEvidence series={series} />
          <MinuteView series={series} />
          <TimelineRegion series={series} span={span} />
          <WeekRegion series={series} window={window.data} />
          <HistoryRegion series={series} />
        </div>
        <SeriesRail series={series} />
      </div>
    </PickingProvider>
  );
}

/** What the verdict stands on. Without causes, as under the published rules, the other tables share the two columns. */
function EvidenceTables({ series, windowHours }: { series: SeriesDetail; windowHours: readonly TimedHour[] }) {
  const hasCauses = series.controls.length > 0;
  const thresholds = series.thresholds.length > 0 && <ThresholdTable series={series} />;
  return (
    <div className="two sec" id="evidence">
      {!hasCauses && thresholds}
      <div>
        {hasCauses && thresholds}
        <StabilityTable series={series} />
        <ExcludedHours series={series} windowHours={windowHours} />
        <VerdictFacts series={series} />
      </div>
      {hasCauses && <CauseList series={series} />}
    </div>
  );
}

/** The hours the verdict was decided on, without the unsettled ones after them. */
function hoursOfWindow(series: SeriesDetail, answer: SeriesHours | undefined) {
  return answer && series.window ? fillHours(answer.items, series.window.start, series.window.end) : [];
}

function TimelineRegion({ series, span }: { series: SeriesDetail; span: HourSpan | null }) {
  const query = useQuery(seriesHoursQuery(series.id, span));
  return (
    <ChartRegion query={query} title="Share and requests by hour" what="the timeline" height={220}>
      {(answer) => <ShareTimeline series={series} answer={answer} span={span} />}
    </ChartRegion>
  );
}

/** Four weeks up to the end of the window; asked for once the window is known. */
function WeekRegion({ series, window }: { series: SeriesDetail; window: SeriesHours | undefined }) {
  const end = window ? Date.parse(window.end) : null;
  const month = end === null ? null : { from: end - LONGEST_SPAN_HOURS * HOUR_MS, to: end };
  const query = useQuery({ ...seriesHoursQuery(series.id, month), enabled: month !== null });
  return (
    <div className="two sec week">
      <div>
        <ChartRegion query={query} title="Hours of the week" what="four weeks of hours" height={180}>
          {(answer) => <HourOfWeek series={series} answer={answer} />}
        </ChartRegion>
        {window && <DayTable answer={window} />}
      </div>
      <PartsRegion series={series} />
    </div>
  );
}

function PartsRegion({ series }: { series: SeriesDetail }) {
  const query = useQuery(seriesPartsQuery(series.id));
  return (
    <ChartRegion query={query} title="Parts of the week" what="the parts of the week" height={180}>
      {(parts) => <SliceTable series={series} parts={parts} />}
    </ChartRegion>
  );
}

function HistoryRegion({ series }: { series: SeriesDetail }) {
  const query = useQuery(verdictHistoryQuery(series.id));
  return (
    <ChartRegion query={query} title="Verdict by day" what="the verdict history" height={58}>
      {(history) => <VerdictHistory series={series} history={history} />}
    </ChartRegion>
  );
}

interface ChartRegionProps<Answer> {
  query: UseQueryResult<Answer>;
  /** The heading until the numbers are there, which then state what they show. */
  title: string;
  what: string;
  height: number;
  children: (answer: Answer) => ReactNode;
}

/** A chart's place: axes while its numbers are on the way, words when they cannot be had; other charts go on. */
function ChartRegion<Answer>({ query, title, what, height, children }: ChartRegionProps<Answer>) {
  if (query.data !== undefined) return children(query.data);
  const failed = `${what.charAt(0).toUpperCase()}${what.slice(1)} could not be read`;
  return (
    <Section title={title}>
      {query.isError ? (
        <Failure what={failed} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <ChartLoading what={what} height={height} />
      )}
    </Section>
  );
}
