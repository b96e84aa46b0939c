import { Link } from "react-router";

import type { ReadoutRow } from "../../api/types";
import { IntervalScale } from "../../charts/IntervalBar";
import { ScrollBox } from "../../ui/scroll-box";
import { isInPoints, pointScale, scaleEnds, standingOf } from "../../lib/readouts";
import { useRowCursor } from "../../lib/use-row-cursor";

import { nextSort, toSearch, type ListFilter, type SortKey } from "./list-filter";
import { LIST_BAR_WIDTH, ReadoutListRow } from "./readout-list-row";

interface Column {
  name: string;
  sort?: SortKey;
  isNumber?: boolean;
}

const COLUMNS: readonly Column[] = [
  { name: "State", sort: "state" },
  { name: "Series", sort: "series" },
  { name: "Shipped", sort: "shipped" },
  { name: "Before", isNumber: true },
  { name: "After", isNumber: true },
  { name: "Change", sort: "change", isNumber: true },
];

/** The name of the table beside its heading. */
export const LIST_WORDS = "hollow = not a claim; changes at equal load, net = beyond the controls; 90% intervals of the raw change";

interface ReadoutListProps {
  rows: readonly ReadoutRow[];
  /** What was asked for; null where the table is a part of another page, and cannot be sorted. */
  filter: ListFilter | null;
  /** The rows belong to the choice before; new ones are on the way. */
  busy: boolean;
  /** The readout whose page this is. */
  here?: number;
}

/** One row for each repair in one series. Roles are spelled out, since narrow rows are blocks. */
export function ReadoutList({ rows, filter, busy, here }: ReadoutListProps) {
  const { bodyRef, rowProps } = useRowCursor(rows.map(({ path }) => path));
  const most = pointScale(rows.filter(isDrawn).flatMap(({ primary }) => primary ?? []));
  return (
    <ScrollBox label="Table of readouts" busy={busy}>
      <table className="readouts stacked" role="table">
        <caption className="vh">Readouts of shipped repairs</caption>
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map((column) => <Heading key={column.name} column={column} filter={filter} />)}
            <th role="columnheader" scope="col"><span className="vh">Interval</span><IntervalScale most={most} labels={scaleEnds(most)} width={LIST_BAR_WIDTH} /></th>
            <th role="columnheader" scope="col">Why this state</th>
          </tr>
        </thead>
        <tbody role="rowgroup" ref={bodyRef}>
          {rows.map((row, index) => <ReadoutListRow key={row.id} row={row} most={most} here={row.id === here} {...rowProps(index)} />)}
          {rows.length === 0 && <NoRows filter={filter} />}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function isDrawn({ state, primary }: ReadoutRow): boolean {
  return primary !== null && isInPoints(primary) && standingOf(state) !== "unstated";
}

function Heading({ column: { name, sort, isNumber }, filter }: { column: Column; filter: ListFilter | null }) {
  const className = isNumber ? "num" : undefined;
  if (!sort || !filter) return <th role="columnheader" scope="col" className={className}>{name}</th>;
  const current = filter.sort.key === sort ? filter.sort : null;
  const search = toSearch({ ...filter, sort: nextSort(filter.sort, sort) });
  return (
    <th role="columnheader" scope="col" className={className} aria-sort={current ? (current.descending ? "descending" : "ascending") : undefined}>
      <Link to={{ search }} preventScrollReset>
        {name}
        {current && <span aria-hidden="true"> {current.descending ? "\u25bc" : "\u25b2"}</span>}
      </Link>
    </th>
  );
}

function NoRows({ filter }: { filter: ListFilter | null }) {
  return (
    <tr role="row">
      <td role="cell" colSpan={COLUMNS.length + 2} className="empty">
        {filter && filter.states.length > 0 ? (
          <>No readouts match. <Link to={{ search: toSearch({ ...filter, states: [] }) }}>Clear filters</Link></>
        ) : (
          <>Nothing has been marked as shipped yet. Open a series on the <Link to="/">Overview</Link> and mark its repair there; the readout opens by itself.</>
        )}
      </td>
    </tr>
  );
}

/** The same rows as files. */
export function ListFiles({ search }: { search: string }) {
  const query = search === "" ? "" : `?${search}`;
  return (
    <>
      <a href={`/readouts.csv${query}`} download="readouts.csv" aria-label="CSV of readouts">CSV</a>
      <a href={`/readouts.json${query}`} aria-label="JSON of readouts">JSON</a>
    </>
  );
}
