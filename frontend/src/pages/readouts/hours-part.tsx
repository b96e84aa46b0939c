import "../series/series.css";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

import { seriesMarkersQuery } from "../../api/markers";
import { seriesHoursQuery } from "../../api/series-detail";
import type { ReadoutDetail, ReadoutNumbers, SeriesHours } from "../../api/types";
import { HoursAround } from "../../charts/HoursAround";
import { ScatterPlot, type ScatterWords } from "../../charts/ScatterPlot";
import type { TimeTick } from "../../charts/time-layout";
import { Region } from "../../ui/region";
import { ChartSection } from "../series/chart-section";
import { HourTable } from "../series/hour-table";
import { usePicking } from "../series/picked-hours";
import { PickingProvider } from "../series/picking-provider";
import { formatCount } from "../../lib/format";
import { timeMarkers } from "../../lib/markers";
import { aroundLevels, aroundSlots, cloudPoints, spanOf, windowsOf } from "../../lib/readout-hours";
import { asHeading } from "../../lib/readouts";
import { fillHours, hourWords, type TimedHour } from "../../lib/series-hours";
import { hoursCsvPath } from "../../lib/series-url";
import { formatDay, formatWeekday, HOUR_MS } from "../../lib/time";

interface HoursPartProps {
  readout: ReadoutDetail;
  numbers: ReadoutNumbers;
}

/** The hours of both windows: in order around the marker, and by their load. */
export function HoursPart({ readout, numbers }: HoursPartProps) {
  const span = useMemo(() => spanOf(windowsOf(numbers)), [numbers]);
  const query = useQuery(seriesHoursQuery(readout.series_id, span));
  return (
    <Region query={query} what="the hours" rows={4}>
      {(answer) => (
        <PickingProvider>
          <Pictures readout={readout} numbers={numbers} answer={answer} />
        </PickingProvider>
      )}
    </Region>
  );
}

function Pictures({ readout, numbers, answer }: HoursPartProps & { answer: SeriesHours }) {
  const hours = useMemo(() => fillHours(answer.items, answer.start, answer.end), [answer]);
  return (
    <div className="half sec around">
      <Around readout={readout} numbers={numbers} hours={hours} />
      <Clouds readout={readout} numbers={numbers} hours={hours} />
    </div>
  );
}

interface PictureProps extends HoursPartProps {
  hours: readonly TimedHour[];
}

/** Which words belong to a picked hour. */
function useHourWords(hours: readonly TimedHour[]): (time: number) => string {
  const byTime = useMemo(() => new Map(hours.map((hour) => [hour.time, hourWords(hour)])), [hours]);
  return (time) => byTime.get(time) ?? "";
}

function Around({ readout, numbers, hours }: PictureProps) {
  const windows = windowsOf(numbers);
  const slots = useMemo(() => aroundSlots(hours, numbers), [hours, numbers]);
  const all = useQuery(seriesMarkersQuery(readout.series_id)).data?.items;
  const markers = timeMarkers(all ?? [readout.marker], spanOf(windows).from, spanOf(windows).to);
  const shown = numbers.measures.find(({ name }) => name === "busy_share");
  const { times, words, pick } = usePicking("around");
  const wordsOf = useHourWords(hours);
  return (
    <ChartSection
      id="hours"
      title={readout.state === "collecting" ? "Hours around the marker" : aroundHeading(numbers)}
      how="one dot per hour; busy hours large; dashed = pooled busy-hour share"
      csv={hoursCsvPath(readout.series_path, spanOf(windows))}
      chart={
        <HoursAround
          finding={`Cached share of each hour before and after the marker. ${asHeading(readout.heading)}.`}
          slots={slots}
          slotMs={HOUR_MS}
          levels={aroundLevels(shown, windows)}
          wash={[windows.before[1], windows.after[0]]}
          markers={markers}
          shareTitle="cached share"
          loadTitle="requests/h"
          formatTick={tickText}
          pickerLabel="Hours around the marker, in order"
          picked={times}
          onPick={(time) => pick(time === null ? [] : [time], time === null ? "" : wordsOf(time))}
          wordsOf={wordsOf}
        />
      }
      words={words}
      hint="Point at an hour for its raw numbers. Hollow hours are in neither window, or left out of it; the band is the washout."
      table={<HourTable caption="Hours around the marker" hours={hours} />}
    />
  );
}

function aroundHeading({ measures }: ReadoutNumbers): string {
  const busy = measures.find(({ name }) => name === "busy_share");
  return busy ? `Busy hours: ${busy.before.text} before, ${busy.after.text} after` : "Hours around the marker";
}

function tickText(tick: TimeTick, narrow: boolean): string {
  const time = new Date(tick.time).toISOString();
  return narrow ? (formatDay(time).split(" ")[0] ?? "") : formatWeekday(time).slice(4);
}

const CLOUD_WORDS: ScatterWords = {
  xTitle: "requests per hour",
  yTitle: ["cached", "share"],
  formatX: formatCount,
  emptyText: "No hour of these windows has requests",
};
const NO_BANDS: readonly never[] = [];

function Clouds({ readout, numbers, hours }: PictureProps) {
  const points = useMemo(() => cloudPoints(hours, windowsOf(numbers)), [hours, numbers]);
  const rho = numbers.measures.find(({ name }) => name === "rho");
  const { times, words, pick } = usePicking("clouds");
  const wordsOf = useHourWords(hours);
  const title = rho && readout.state !== "collecting" ? `Rank correlation ${rho.before.text} before, ${rho.after.text} after` : "Share against load, before and so far";
  return (
    <ChartSection
      id="clouds"
      title={title}
      how="share against load, same axes"
      csv={hoursCsvPath(readout.series_path, spanOf(windowsOf(numbers)))}
      legend={<CloudLegend />}
      chart={
        <ScatterPlot
          finding={`Cached share against requests per hour, before and after. ${title}.`}
          points={points}
          bands={NO_BANDS}
          change={null}
          note={null}
          words={CLOUD_WORDS}
          pickerLabel="Hours by requests, fewest first"
          picked={times}
          onPick={(time) => pick(time === null ? [] : [time], time === null ? "" : wordsOf(time))}
          wordsOf={wordsOf}
        />
      }
      words={words}
      hint="Point at a dot for the raw numbers of its hour."
      table={<HourTable caption="Hours of both windows" hours={hours} />}
    />
  );
}

function CloudLegend() {
  return (["before", "after"] as const).map((side) => (
    <span key={side}><svg width="10" height="10" aria-hidden="true"><circle className={side} cx="5" cy="5" r="4" /></svg>{side}</span>
  ));
}
