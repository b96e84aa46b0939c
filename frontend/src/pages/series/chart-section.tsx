import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";

import { Fold } from "../../ui/fold";
import { readSeriesView, withTable } from "../../lib/series-url";

interface ChartSectionProps {
  /** Also its anchor. */
  id: string;
  /** States the finding. */
  title: string;
  /** The chart's name, small and grey. */
  how: string;
  /** Where the same numbers are as CSV. */
  csv: string;
  /** The name the file gets when it is made by the page. */
  csvName?: string;
  /** Further links beside Table and CSV. */
  acts?: ReactNode;
  legend?: ReactNode;
  chart: ReactNode;
  table: ReactNode;
  note?: ReactNode;
  /** A narrow page shows it only on demand. */
  lesser?: boolean;
  /** The raw numbers of what is picked in this chart, or null. */
  words?: string | null;
  /** How to get at them, shown while nothing is picked. */
  hint?: string;
}

/** A chart under a heading that states its finding, with its table in its place on demand, and its CSV. */
export function ChartSection(props: ChartSectionProps) {
  const [search] = useSearchParams();
  const { table } = readSeriesView(search);
  const heading = `${props.id}-heading`;
  return (
    <section className="sec" id={props.id} aria-labelledby={heading}>
      <div className="sech">
        <h2 id={heading}>{props.title}</h2>
        <span className="how">{props.how}</span>
        <span className="acts">
          {props.acts}
          <Link to={{ search: withTable(search, !table).toString(), hash: props.id }} preventScrollReset replace aria-label={`${table ? "Chart" : "Table"} of ${props.how}`}>
            {table ? "Chart" : "Table"}
          </Link>
          <a href={props.csv} download={props.csvName ?? true} aria-label={`CSV of ${props.how}`}>CSV</a>
        </span>
      </div>
      <Fold what={props.lesser ? (table ? "the table" : "the chart") : undefined}>
        {table ? props.table : <Picture {...props} />}
        {props.note && <p className="note">{props.note}</p>}
      </Fold>
    </section>
  );
}

function Picture({ legend, chart, words = null, hint }: ChartSectionProps) {
  return (
    <>
      {legend && <div className="legend">{legend}</div>}
      {chart}
      {hint && <p className={words === null ? "hourline" : "hourline on"}>{words ?? hint}</p>}
    </>
  );
}
