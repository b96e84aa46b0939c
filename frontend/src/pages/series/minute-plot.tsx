import { useMemo } from "react";

import type { SeriesDetail, SeriesMinutes } from "../../api/types";
import type { ScatterLine } from "../../charts/ScatterLines";
import { ScatterPlot, type ScatterWords } from "../../charts/ScatterPlot";
import type { ScatterPoint } from "../../charts/scatter-layout";
import { formatCount, formatFixed, formatShare, formatTokens } from "../../lib/format";
import { csvAddress } from "../../lib/series-csv";
import { halvesFinding, halvesWords, type HourHalves, type MinuteHalf } from "../../lib/series-minutes";
import { formatHour } from "../../lib/time";

import { ChartSection } from "./chart-section";
import { HourSwatches } from "./hour-swatches";
import { minutesCsv, minutesNote, minutesTitle } from "./minute-words";
import { usePicking } from "./picked-hours";
import { TableBox } from "./table-box";

interface MinutePlotProps {
  series: SeriesDetail;
  answer: SeriesMinutes;
  halves: readonly HourHalves[];
}

const WORDS: ScatterWords = {
  xTitle: "requests per minute",
  yTitle: ["cached", "share"],
  formatX: formatCount,
  emptyText: "No hour of this day has ten minutes with requests and tokens",
};

/** One line for each hour of the day, from the quieter half of its minutes to the busier half. */
export function MinutePlot({ series, answer, halves }: MinutePlotProps) {
  const points = useMemo(() => halfPoints(halves), [halves]);
  const lines = useMemo(() => halfLines(halves), [halves]);
  const { times, words, pick } = usePicking("minutes");
  const wordsOf = (time: number) => {
    const hour = halves.find((one) => one.time === time);
    return hour ? halvesWords(hour) : "";
  };
  const finding = halvesFinding(halves);
  return (
    <ChartSection
      id="minutes"
      lesser
      title={minutesTitle(series, finding)}
      how="one busy day by the minute"
      csv={halvesCsv(halves)}
      csvName={`${series.source.slug} ${series.project_name} ${series.model_name} minutes by hour.csv`.replaceAll("/", "-")}
      acts={<a href={minutesCsv(answer)} download={`${series.source.slug} ${series.project_name} minutes.csv`.replaceAll("/", "-")}>All minutes as CSV</a>}
      legend={<HalvesLegend />}
      chart={
        <ScatterPlot
          finding={`Cached share against requests per minute, one line for each hour. ${finding}.`}
          points={points}
          lines={lines}
          bands={[]}
          change={null}
          note={null}
          words={WORDS}
          pickerLabel="Hours of the day by requests of their busier minutes"
          picked={times}
          onPick={(time) => pick(time === null ? [] : [time], time === null ? "" : wordsOf(time))}
          wordsOf={wordsOf}
        />
      }
      words={words}
      hint="Point at a dot for the raw numbers of its hour. A line that goes down: within that hour, busier minutes read less."
      table={<HalvesTable halves={halves} />}
      note={minutesNote(answer)}
    />
  );
}

function halfPoints(halves: readonly HourHalves[]): ScatterPoint[] {
  return halves
    .map(({ time, busier }) => ({ key: time, x: busier.requests, y: busier.share, mark: "dot" as const, colour: hourColour(time) }))
    .sort((a, b) => a.x - b.x);
}

function halfLines(halves: readonly HourHalves[]): ScatterLine[] {
  return halves.map(({ time, quieter, busier }) => ({
    key: time,
    from: { x: quieter.requests, y: quieter.share },
    to: { x: busier.requests, y: busier.share },
    colour: hourColour(time),
  }));
}

function hourColour(time: number): string {
  return `var(--h${new Date(time).getUTCHours()})`;
}

function HalvesLegend() {
  return (
    <>
      <HourSwatches>One line is one hour, by hour of day</HourSwatches>
      <span><svg width="10" height="10" aria-hidden="true"><circle className="hol" cx="5" cy="5" r="4" /></svg>quieter half of its minutes</span>
      <span><svg width="10" height="10" aria-hidden="true"><circle className="half" cx="5" cy="5" r="4" /></svg>busier half</span>
    </>
  );
}

function HalvesTable({ halves }: { halves: readonly HourHalves[] }) {
  return (
    <TableBox caption="Hours of the day, each in two halves by the requests of its minutes">
      <thead>
        <tr>
          <th scope="col">Hour, UTC</th>
          <th scope="col" className="num">Requests a minute, quieter</th>
          <th scope="col" className="num">Cached share, quieter</th>
          <th scope="col" className="num">Requests a minute, busier</th>
          <th scope="col" className="num">Cached share, busier</th>
        </tr>
      </thead>
      <tbody>
        {halves.map(({ time, quieter, busier }) => (
          <tr key={time}>
            <th scope="row">{formatHour(new Date(time).toISOString())}</th>
            <HalfCells half={quieter} />
            <HalfCells half={busier} />
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function HalfCells({ half }: { half: MinuteHalf }) {
  return (
    <>
      <td className="num">{formatFixed(half.requests, 1)}</td>
      <td className="num">{formatShare(half.share, 1)}<span className="sub">{formatTokens(half.cached)} / {formatTokens(half.input)}</span></td>
    </>
  );
}

function halvesCsv(halves: readonly HourHalves[]): string {
  const header = ["hour", "half", "minutes", "requests_per_minute", "cached_tokens", "input_tokens", "cached_share"];
  const row = (time: number, name: string, half: MinuteHalf) => [
    new Date(time).toISOString(), name, half.minutes, half.requests, half.cached, half.input, half.share,
  ];
  return csvAddress(header, halves.flatMap(({ time, quieter, busier }) => [row(time, "quieter", quieter), row(time, "busier", busier)]));
}
