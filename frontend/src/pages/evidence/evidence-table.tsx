import { Link } from "react-router";

import type { EvidenceRow } from "../../api/types";
import { Mark } from "../../ui/mark";
import { ScrollBox } from "../../ui/scroll-box";
import { Share } from "../../ui/share";
import { SourceName } from "../../ui/source-name";
import { Unknown } from "../../ui/unknown";
import { readingWords } from "../../lib/evidence";
import { formatCount } from "../../lib/format";
import { formatHour } from "../../lib/time";
import { useRowCursor } from "../../lib/use-row-cursor";

interface EvidenceTableProps {
  rows: readonly EvidenceRow[];
  busy: boolean;
}

/** One row for each imported log. Roles are spelled out, since narrow rows are blocks. */
export function EvidenceTable({ rows, busy }: EvidenceTableProps) {
  const { bodyRef, rowProps } = useRowCursor(rows.map(({ path }) => path));
  return (
    <ScrollBox label="Table of logs" busy={busy}>
      <table className="evidences stacked" role="table">
        <caption className="vh">Imported logs</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">Log</th>
            <th role="columnheader" scope="col">What it shows</th>
            <th role="columnheader" scope="col">Series</th>
            <th role="columnheader" scope="col" className="num">Requests</th>
            <th role="columnheader" scope="col" className="num">Cached share</th>
            <th role="columnheader" scope="col" className="num">Left out</th>
            <th role="columnheader" scope="col">Imported</th>
          </tr>
        </thead>
        <tbody role="rowgroup" ref={bodyRef}>
          {rows.map((row, index) => <Row key={row.id} row={row} current={rowProps(index)["aria-current"]} />)}
          {rows.length === 0 && (
            <tr role="row">
              <td role="cell" colSpan={7} className="empty">Nothing has been imported. The form below takes a log of your gateway, your client or the API.</td>
            </tr>
          )}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Row({ row, current }: { row: EvidenceRow; current: "true" | undefined }) {
  return (
    <tr role="row" aria-current={current}>
      <td role="cell" className="ename"><Link to={row.path}>{row.file_name}</Link><span className="sub">{row.format ?? "not read"}, <SourceName source={row.source} /></span></td>
      <td role="cell" className="ewhat"><Verdict row={row} /></td>
      <td role="cell" className="eseries"><i className="narrow-label">Series</i>{row.series ? <Link to={row.series.path}>{row.series.name}</Link> : <span className="muted">none</span>}</td>
      <td role="cell" className="num"><i className="narrow-label">Requests</i>{formatCount(row.requests)}</td>
      <td role="cell" className="num"><i className="narrow-label">Cached share</i><CachedShare row={row} /></td>
      <td role="cell" className="num"><i className="narrow-label">Left out</i>{formatCount(row.left_out)}<span className="sub">{formatCount(row.rejected)} rejected</span></td>
      <td role="cell" className="ewhen">{formatHour(row.created_at)} UTC<span className="sub">{row.created_by ?? "by nobody known"}</span></td>
    </tr>
  );
}

/** A log whose programs do not report cached tokens has no share, and not one of 0%. */
function CachedShare({ row: { requests, verdict, pooled } }: { row: EvidenceRow }) {
  if (requests === null) return <Unknown reason="not read" />;
  return verdict?.cause === "not-reported" ? <Unknown reason="not reported" /> : <Share pooled={pooled} />;
}

function Verdict({ row }: { row: EvidenceRow }) {
  const { state, heading, verdict } = row;
  const reading = readingWords(row);
  if (reading !== null) return <><Mark kind="wait">{state === "queued" ? "Waiting" : "Being read"}</Mark><span className="sub">{reading}</span></>;
  if (state === "failed") return <><Mark kind="bad">Failed</Mark><span className="sub">{heading}</span></>;
  return <><span className={verdict?.is_finding ? "b" : undefined}>{heading}</span>{verdict?.is_finding && <span className="sub">{verdict.confidence}</span>}</>;
}
