import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useSearchParams } from "react-router";

import { seriesPartsQuery } from "../../api/series-detail";
import type { PartsCut, SeriesDetail, SeriesHours } from "../../api/types";
import { ScatterPlot, type ScatterWords } from "../../charts/ScatterPlot";
import { formatCount, plural } from "../../lib/format";
import { fillHours, hourWords, type TimedHour } from "../../lib/series-hours";
import { drawnHours, hourColour, loadBands, loadChange, loadFinding, loadHeading, loadPoints } from "../../lib/series-load";
import { SIDE_COLOURS, sideOf, sideWords } from "../../lib/series-parts";
import { hoursCsvPath, readSeriesView, type HourSpan } from "../../lib/series-url";

import { ChartSection } from "./chart-section";
import { HourTable } from "./hour-table";
import { LoadLegend } from "./load-legend";
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
  const { cut, chosen, lacking } = useRepairCut(series);
  const points = useMemo(
    () => loadPoints(hours, (time) => isOutside(time, span), chosen ? (time) => SIDE_COLOURS[sideOf(time, chosen)] : hourColour),
    [hours, span, chosen],
  );
  const byTime = useMemo(() => new Map(hours.map((hour) => [hour.time, hour])), [hours]);
  const bands = useMemo(() => loadBands(series), [series]);
  const change = useMemo(() => loadChange(series), [series]);
  const note = useMemo(() => gapNote(hours), [hours]);
  const { times, words, pick } = usePicking("load");
  const wordsOf = (time: number) => `${wordsAt(byTime, time)}${chosen ? ` ${sideWords(time, chosen)}` : ""}`;
  return (
    <ChartSection
      id="load"
      title={loadHeading(series)}
      how="share against load"
      csv={hoursCsvPath(series.path, null)}
      legend={<LoadLegend hours={hours} cut={cut} chosen={chosen} />}
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
      note={lacking ? NO_REPAIR : withoutThirds(series)}
    />
  );
}

const NO_REPAIR = "The address asks for colours before and after a repair, and none is marked in this window. Dots are coloured by hour of day.";

interface RepairCut {
  /** The repair marked inside the window, if any. */
  cut: PartsCut | null;
  /** The same, where the address asks to colour by it. */
  chosen: PartsCut | null;
  /** The address asks for it, and there is none. */
  lacking: boolean;
}

function useRepairCut(series: SeriesDetail): RepairCut {
  const [search] = useSearchParams();
  const { data } = useQuery(seriesPartsQuery(series.id));
  const cut = data?.cut?.kind === "marker" ? data.cut : null;
  const asked = readSeriesView(search).colour === "rollout";
  return { cut, chosen: asked ? cut : null, lacking: asked && data !== undefined && cut === null };
}

function byLoad(hours: readonly TimedHour[]): TimedHour[] {
  return hours.filter((hour) => hour.requests !== null).sort((a, b) => (a.requests ?? 0) - (b.requests ?? 0));
}

function isOutside(time: number, span: HourSpan | null): boolean {
  return span !== null && (time < span.from || time >= span.to);
}

export function wordsAt(byTime: ReadonlyMap<number, TimedHour>, time: number, missing?: string): string {
  const hour = byTime.get(time);
  return hour ? hourWords(hour, missing) : "";
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
