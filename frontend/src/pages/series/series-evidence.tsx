import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { evidenceListQuery } from "../../api/evidence";
import type { EvidenceRow, SeriesDetail } from "../../api/types";
import { Section } from "../../ui/section";
import { plural } from "../../lib/format";
import { causeName } from "../../lib/series-causes";
import { formatDay } from "../../lib/time";

const MOST_ROWS = 5;

/** The imported logs that are evidence for a series, and which of its open causes each settles. */
export function SeriesEvidence({ series }: { series: SeriesDetail }) {
  const { data } = useQuery(evidenceListQuery({ series_id: series.id, limit: MOST_ROWS }));
  if (!data) return null;
  const open = new Set(series.controls.filter(({ status }) => status === "open").map(({ name }) => name));
  const settled = new Set(data.items.flatMap(({ closes }) => closes.filter((name) => open.has(name))));
  const title = data.total === 0 ? "No request log stands beside this verdict yet" : heading(settled.size, open.size, data.items.some(({ verdict }) => verdict?.is_finding && verdict.confidence === "possible"));
  return (
    <Section title={title} how="evidence from single requests" acts={<Link to={`/evidence?series=${series.id}#import`}>Import a log</Link>}>
      {data.total === 0 && <p className="soft">Hours show that requests miss; a log of them shows why.</p>}
      <ul className="ruled">
        {data.items.map((row) => <Row key={row.id} row={row} open={open} />)}
      </ul>
      {data.total > MOST_ROWS && <Link to={`/evidence?series=${series.id}`}>All {plural(data.total, "log")}</Link>}
    </Section>
  );
}

function heading(settled: number, open: number, onlyPossible: boolean): string {
  if (open === 0 && onlyPossible) return "Request logs of this series; what one shows is possible, not proven";
  if (open === 0) return "Request logs of this series; no cause is open";
  return settled === 0 ? "Request logs settle none of the open causes" : `Request logs settle ${settled} of ${plural(open, "open cause")}`;
}

function Row({ row, open }: { row: EvidenceRow; open: ReadonlySet<string> }) {
  const names = row.closes.filter((name) => open.has(name)).map((name) => causeName(name).toLowerCase());
  return (
    <li>
      <Link to={row.path}>{row.heading}</Link>
      <span className="sub">{row.file_name}, {plural(row.requests ?? 0, "request")}, imported {formatDay(row.created_at)}{names.length > 0 && `; settles ${names.join(", ")}`}</span>
    </li>
  );
}
