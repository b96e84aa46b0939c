import type { SeriesDetail, SeriesParts, Third, WeekPart } from "../../api/types";
import { SlopeGlyph } from "../../charts/SlopeGlyph";
import { ScrollBox } from "../../ui/scroll-box";
import { formatCorrelation, formatCount, formatShare, UNKNOWN } from "../../lib/format";
import { cutWords, partColour, partsCsv, tokensOf } from "../../lib/series-parts";

import { ChartSection } from "./chart-section";
import { TableBox } from "./table-box";

/** The same slope inside parts of the window; the heading is the API's own sentence. */
export function SliceTable({ series, parts }: { series: SeriesDetail; parts: SeriesParts }) {
  return (
    <ChartSection
      id="parts"
      lesser
      title={parts.sentence}
      how="parts of the week, UTC"
      csv={partsCsv(parts)}
      csvName={`${series.source.slug} ${series.project_name} ${series.model_name} parts of the week.csv`.replaceAll("/", "-")}
      chart={parts.items.length > 0 && <Slopes series={series} parts={parts} />}
      table={<PartTable parts={parts} />}
      note={`Linked hours of the verdict's window, each part with its own thirds by load. ${cutWords(parts.cut)}`}
    />
  );
}

function Slopes({ series, parts: { items } }: { series: SeriesDetail; parts: SeriesParts }) {
  return (
    <ScrollBox label="Parts of the week">
      {/* Rows are blocks where it is narrow, which takes the roles of a table from its parts: so they are said. */}
      <table className="slices" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">Part</th>
            <th scope="col" role="columnheader">Quiet to busy third</th>
            <th scope="col" role="columnheader" className="num"><abbr title="rank correlation of cached share and requests per hour">rho</abbr></th>
            <th scope="col" role="columnheader" className="num">Hours</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((part) => <SlopeRow key={part.name} part={part} colour={partColour(part, series)} />)}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function SlopeRow({ part, colour }: { part: WeekPart; colour: string }) {
  return (
    <tr className={part.name} role="row">
      <th scope="row" role="rowheader">{part.label}</th>
      <td role="cell"><Slope part={part} colour={colour} /></td>
      <td role="cell" className="num rho">{formatCorrelation(part.rho)}</td>
      <td role="cell" className="num hours">{formatCount(part.hours)}</td>
    </tr>
  );
}

function Slope({ part: { quiet, busy, reason }, colour }: { part: WeekPart; colour: string }) {
  if (quiet?.share == null || busy?.share == null) return <span>{UNKNOWN}<span className="sub">{reason}</span></span>;
  return (
    <div className="slope">
      <span className="l"><b>{formatShare(quiet.share)}</b><span className="sub">{tokensOf(quiet)}</span></span>
      <SlopeGlyph left={quiet.share} right={busy.share} colour={colour} />
      <span className="r"><b>{formatShare(busy.share)}</b><span className="sub">{tokensOf(busy)}</span></span>
    </div>
  );
}

const HEADS = ["Linked hours", "Cached share", "Cached / input tokens", "Quiet share", "Cached / input", "Busy share", "Cached / input", "Rank correlation"];

function PartTable({ parts: { items } }: { parts: SeriesParts }) {
  return (
    <TableBox caption="Parts of the week with their quiet and busy thirds">
      <thead>
        <tr>
          <th scope="col">Part</th>
          {HEADS.map((head, place) => <th key={place} scope="col" className="num">{head}</th>)}
        </tr>
      </thead>
      <tbody>
        {items.map((part) => (
          <tr key={part.name}>
            <th scope="row">{part.label}{part.reason !== null && <span className="sub">{part.reason}</span>}</th>
            <td className="num">{formatCount(part.hours)}</td>
            <td className="num">{formatShare(part.pooled.share, 1)}</td>
            <td className="num">{tokensOf(part.pooled)}</td>
            <ThirdCells third={part.quiet} />
            <ThirdCells third={part.busy} />
            <td className="num">{formatCorrelation(part.rho)}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function ThirdCells({ third }: { third: Third | null }) {
  return (
    <>
      <td className="num">{third === null ? UNKNOWN : formatShare(third.share, 1)}</td>
      <td className="num">{third === null ? UNKNOWN : tokensOf(third)}</td>
    </>
  );
}
