import { useMemo } from "react";

import type { SeriesDetail, SeriesHours } from "../../api/types";
import { HeatGrid } from "../../charts/HeatGrid";
import { formatCount, formatShare, formatTokens, UNKNOWN } from "../../lib/format";
import { csvAddress } from "../../lib/series-csv";
import { fillHours } from "../../lib/series-hours";
import {
  clock, DAY_HOURS, loadByHourOfDay, weekCells, weekCellWords, weekHeading, weekHour, WEEKDAYS, weeksSpanned, type WeekCell,
} from "../../lib/series-week";

import { ChartSection } from "./chart-section";
import { usePicking } from "./picked-hours";
import { TableBox } from "./table-box";

const COLUMN_LABELS = Array.from({ length: DAY_HOURS }, (_, hour) => (hour % 3 === 0 ? String(hour).padStart(2, "0") : ""));

/** Cached share by hour of the week, pooled over four weeks; hours without a linked hour are hatched. */
export function HourOfWeek({ series, answer }: { series: SeriesDetail; answer: SeriesHours }) {
  const hours = useMemo(() => fillHours(answer.items, answer.start, answer.end), [answer]);
  const cells = useMemo(() => weekCells(hours), [hours]);
  const bars = useMemo(() => loadByHourOfDay(hours), [hours]);
  const shares = useMemo(() => cells.map((cell) => cell.share), [cells]);
  const heading = useMemo(() => weekHeading(hours), [hours]);
  const csv = useMemo(() => weekCsv(cells), [cells]);
  const { times, words, pick } = usePicking("week");
  const picked = new Set([...times].map(weekHour));
  const wordsOf = (index: number) => {
    const cell = cells[index];
    return cell ? weekCellWords(index, cell) : "";
  };
  return (
    <ChartSection
      id="week"
      lesser
      title={heading}
      how={weeksSpanned(hours)}
      csv={csv}
      csvName={`${series.source.slug} ${series.project_name} ${series.model_name} hour of week.csv`.replaceAll("/", "-")}
      chart={
        <HeatGrid
          finding={`Cached share by hour of the week. ${heading}.`}
          rowLabels={WEEKDAYS}
          columnLabels={COLUMN_LABELS}
          cells={shares}
          bars={bars}
          barsTitle="mean requests/h"
          pickerLabel="Hours of the week"
          picked={picked}
          onPick={(index) => pick(index === null ? [] : (cells[index]?.times ?? []), index === null ? "" : wordsOf(index))}
          wordsOf={wordsOf}
        />
      }
      legend={<HeatLegend />}
      words={words}
      hint="Point at a cell, or focus the picture and use the arrow keys, for its tokens."
      table={<WeekTable cells={cells} />}
    />
  );
}

function HeatLegend() {
  return (
    <>
      <span>
        cached share 0%
        <span className="swatches" aria-hidden="true">
          {Array.from({ length: 9 }, (_, step) => <i key={step} style={{ background: `var(--q${step})` }} />)}
        </span>
        80% and more
      </span>
      <span><svg width="14" height="10" aria-hidden="true"><rect className="hatch" width="14" height="10" /></svg>N/A, no linked hour</span>
    </>
  );
}

function WeekTable({ cells }: { cells: readonly WeekCell[] }) {
  const caption = "Hours of the week with their pooled tokens";
  return (
    <TableBox caption={caption}>
      <thead>
        <tr>
          <th scope="col">Hour, UTC</th>
          <th scope="col" className="num">Cached share</th>
          <th scope="col" className="num">Cached / input tokens</th>
          <th scope="col" className="num">Linked hours</th>
        </tr>
      </thead>
      <tbody>
        {cells.map((cell, index) => (
          <tr key={index}>
            <th scope="row">{cellName(index)}</th>
            <td className="num">{cell.share === null ? UNKNOWN : formatShare(cell.share, 1)}</td>
            <td className="num">{cell.share === null ? "no linked hour" : `${formatTokens(cell.cached)} / ${formatTokens(cell.input)}`}</td>
            <td className="num">{formatCount(cell.hours)}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function cellName(index: number): string {
  return `${WEEKDAYS[Math.floor(index / DAY_HOURS)] ?? ""} ${clock(index % DAY_HOURS)}`;
}

function weekCsv(cells: readonly WeekCell[]): string {
  const rows = cells.map((cell, index) => [
    cellName(index), cell.share, cell.share === null ? null : cell.cached, cell.share === null ? null : cell.input, cell.hours,
  ]);
  return csvAddress(["hour_of_week_utc", "cached_share", "cached_tokens", "input_tokens", "linked_hours"], rows);
}
