import "./table.css";

import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "react-router";

import { markersSinceQuery } from "../../api/markers";
import type { SeriesRow } from "../../api/types";
import { ScrollBox } from "../../ui/scroll-box";
import { markerPlaces, sparkStart } from "../../lib/markers";
import { useNow } from "../../lib/use-now";
import { useRowCursor } from "../../lib/use-row-cursor";

import { isFiltered, nextSort, NO_FILTERS, toSearch, type Filters, type SortKey } from "./filters";
import { SeriesTableRow } from "./series-row";

interface Column {
  name: string;
  sort?: SortKey;
  className?: string;
  more?: string;
}

const COLUMNS: readonly Column[] = [
  { name: "Project", sort: "project" },
  { name: "Model", sort: "model", className: "model" },
  { name: "Verdict", sort: "verdict" },
  { name: "Cached share", sort: "share", className: "num" },
  { name: "7 days", more: ", 0 to 100%", className: "spk" },
  { name: "Quiet to busy third", sort: "gap" },
  { name: "Requests/day", sort: "requests", className: "num rpd" },
  { name: "Avoidable a week", sort: "avoidable", className: "num" },
  { name: "Rollout", className: "roll" },
  { name: "Owner", className: "own" },
  { name: "Since", sort: "since", className: "sin" },
];

interface SeriesTableProps {
  rows: readonly SeriesRow[];
  filters: Filters;
  severalSources: boolean;
  /** Nothing is read: others push, and have not yet. */
  waits: boolean;
  /** The rows belong to the filters before; new ones are on the way. */
  busy: boolean;
}

/** The verdict table: one row for each project and model. Roles are spelled out, since narrow rows are blocks. */
export function SeriesTable({ rows, filters, severalSources, waits, busy }: SeriesTableProps) {
  // The series page walks through its neighbours in the order shown here.
  const state = { filters: toSearch({ ...filters, offset: 0 }) };
  const marked = useQuery(markersSinceQuery(sparkStart(useNow()))).data?.items ?? [];
  const { bodyRef, rowProps } = useRowCursor(rows.map((row) => row.path), state);
  return (
    <ScrollBox label="Table of series" busy={busy}>
      <table className="vtable" role="table">
        <caption className="vh">Series with their verdicts</caption>
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map((column) => (
              <Heading key={column.name} column={column} filters={filters} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" ref={bodyRef}>
          {rows.map((row, index) => (
            <SeriesTableRow key={row.id} row={row} state={state} severalSources={severalSources} markers={markerPlaces(marked, row)} {...rowProps(index)} />
          ))}
          {rows.length === 0 && <NoRows filters={filters} waits={waits} />}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Heading({ column: { name, sort, className, more }, filters }: { column: Column; filters: Filters }) {
  const { pathname } = useLocation();
  const text = (
    <>
      {name}
      {more && <i>{more}</i>}
    </>
  );
  if (!sort) {
    return (
      <th role="columnheader" scope="col" className={className}>
        <span>{text}</span>
      </th>
    );
  }
  const current = filters.sort.key === sort ? filters.sort : null;
  const search = toSearch({ ...filters, sort: nextSort(filters.sort, sort), offset: 0 });
  return (
    <th role="columnheader" scope="col" className={className} aria-sort={current ? (current.descending ? "descending" : "ascending") : undefined}>
      <Link to={{ pathname, search }} preventScrollReset>
        {text}
        {current && <span aria-hidden="true"> {current.descending ? "\u25bc" : "\u25b2"}</span>}
      </Link>
    </th>
  );
}

function NoRows({ filters, waits }: { filters: Filters; waits: boolean }) {
  const { pathname } = useLocation();
  return (
    <tr role="row">
      <td role="cell" colSpan={COLUMNS.length} className="empty">
        {isFiltered(filters) ? (
          <>
            No series match. <Link to={{ pathname, search: toSearch({ ...NO_FILTERS, sort: filters.sort, attention: filters.attention }) }}>Clear filters</Link>
          </>
        ) : (
          waits ? "No series yet: waiting for the first push." : "No series yet: the first hours are being read."
        )}
      </td>
    </tr>
  );
}
