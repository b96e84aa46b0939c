import { useQuery } from "@tanstack/react-query";

import { seriesMarkersQuery } from "../../api/markers";
import type { SeriesDetail, VerdictHistory as History, VerdictRun } from "../../api/types";
import { RunStrip, type StripRun } from "../../charts/RunStrip";
import { VerdictChip } from "../../ui/verdict-chip";
import { VerdictGlyph } from "../../ui/verdict-glyph";
import { formatCount } from "../../lib/format";
import { timeMarkers } from "../../lib/markers";
import { csvAddress } from "../../lib/series-csv";
import { historyHeading, historyNote, runDays } from "../../lib/series-history";
import { formatDate, formatDay } from "../../lib/time";
import { VERDICTS } from "../../lib/verdicts";

import { ChartSection } from "./chart-section";
import { TableBox } from "./table-box";

/** One bar for each run of days with the same verdict. */
export function VerdictHistory({ series, history }: { series: SeriesDetail; history: History }) {
  const marked = useQuery(seriesMarkersQuery(series.id)).data?.items ?? [];
  const runs = history.items.map((run, index) => stripRun(run, index === history.items.length - 1));
  return (
    <ChartSection
      id="history"
      title={historyHeading(history)}
      how="verdict by day"
      csv={historyCsv(history)}
      csvName={`${series.source.slug} ${series.project_name} ${series.model_name} verdicts.csv`.replaceAll("/", "-")}
      chart={
        runs.length > 0 && (
          <RunStrip
            finding={`Verdict by day. ${historyHeading(history)}.`}
            runs={runs}
            markers={timeMarkers(marked, runs[0]?.from ?? 0, runs.at(-1)?.to ?? 0, series.id)}
            formatTick={(time) => formatDay(new Date(time).toISOString())}
          />
        )
      }
      table={<RunTable history={history} />}
      note={historyNote(history)}
    />
  );
}

function stripRun(run: VerdictRun, isLast: boolean): StripRun {
  const { tone } = VERDICTS[run.code];
  return {
    from: Date.parse(run.start),
    to: Date.parse(run.end),
    word: run.word,
    title: `${run.word}, ${runDays(run)}${run.rules_changed ? "; the rules changed" : ""}`,
    glyph: <VerdictGlyph code={run.code} />,
    colour: `var(--v-${tone})`,
    ground: `var(--v-${tone}-bg)`,
    strong: isLast,
  };
}

function RunTable({ history }: { history: History }) {
  const caption = "Runs of days with the same verdict, oldest first";
  return (
    <TableBox caption={caption}>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Verdict</th>
          <th scope="col" className="num">Days</th>
        </tr>
      </thead>
      <tbody>
        {history.items.map((run) => (
          <tr key={run.start}>
            <th scope="row">{formatDate(run.start)}</th>
            <td>
              <VerdictChip code={run.code} word={run.word} />
              {run.rules_changed && <span className="flag">rules changed</span>}
            </td>
            <td className="num">{formatCount(run.days)}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function historyCsv(history: History): string {
  const rows = history.items.map((run) => [run.start, run.end, run.code, run.word, run.days, run.rules_changed ? "yes" : "no"]);
  return csvAddress(["start", "end_exclusive", "code", "word", "days", "rules_changed"], rows);
}
