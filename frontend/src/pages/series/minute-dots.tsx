import { useMemo } from "react";

import type { MinuteOfSeries, SeriesDetail, SeriesMinutes } from "../../api/types";
import { ScatterPlot, type ScatterWords } from "../../charts/ScatterPlot";
import { formatCount, formatShare } from "../../lib/format";
import { fewMinutesHeading, minutePoints, minuteShare, minuteWords } from "../../lib/series-minutes";
import { formatHour } from "../../lib/time";

import { ChartSection } from "./chart-section";
import { HourSwatches } from "./hour-swatches";
import { minutesCsv, minutesNote, minutesTitle } from "./minute-words";
import { usePicking } from "./picked-hours";
import { TableBox } from "./table-box";

const WORDS: ScatterWords = {
  xTitle: "requests per minute",
  yTitle: ["cached", "share"],
  formatX: formatCount,
  emptyText: "No minute of this day has requests",
};

/** One dot for each minute, where no hour has enough minutes with traffic to be halved. */
export function MinuteDots({ series, answer }: { series: SeriesDetail; answer: SeriesMinutes }) {
  const points = useMemo(() => minutePoints(answer.minutes), [answer]);
  const { times, words, pick } = usePicking("minutes");
  const wordsOf = (time: number) => {
    const minute = answer.minutes.find(({ at }) => Date.parse(at) === time);
    return minute ? minuteWords(minute) : "";
  };
  const heading = fewMinutesHeading(answer.minutes);
  return (
    <ChartSection
      id="minutes"
      lesser
      title={minutesTitle(series, heading)}
      how="one busy day by the minute"
      csv={minutesCsv(answer)}
      csvName={`${series.source.slug} ${series.project_name} ${series.model_name} minutes.csv`.replaceAll("/", "-")}
      legend={<HourSwatches>One dot is one minute, by hour of day</HourSwatches>}
      chart={
        <ScatterPlot
          finding={`Cached share against requests per minute, one dot for each minute. ${heading}.`}
          points={points}
          bands={[]}
          change={null}
          note={null}
          words={WORDS}
          pickerLabel="Minutes by requests, fewest first"
          picked={times}
          onPick={(time) => pick(time === null ? [] : [time], time === null ? "" : wordsOf(time))}
          wordsOf={wordsOf}
        />
      }
      words={words}
      hint="Point at a dot, or focus the picture and use the arrow keys, for the raw numbers of its minute."
      table={<MinuteTable minutes={answer.minutes} />}
      note={minutesNote(answer)}
    />
  );
}

function MinuteTable({ minutes }: { minutes: readonly MinuteOfSeries[] }) {
  return (
    <TableBox caption="Minutes with traffic, in order">
      <thead>
        <tr>
          <th scope="col">Minute, UTC</th>
          <th scope="col" className="num">Requests</th>
          <th scope="col" className="num">Cached share</th>
          <th scope="col" className="num">Cached tokens</th>
          <th scope="col" className="num">Input tokens</th>
        </tr>
      </thead>
      <tbody>
        {minutes.map((minute) => (
          <tr key={minute.at}>
            <th scope="row">{formatHour(minute.at)}</th>
            <td className="num">{formatCount(minute.requests)}</td>
            <td className="num">{formatShare(minuteShare(minute), 1)}</td>
            <td className="num">{formatCount(minute.cached_tokens)}</td>
            <td className="num">{formatCount(minute.input_tokens)}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
