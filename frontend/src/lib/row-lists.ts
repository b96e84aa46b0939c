/** The lists of rows on a page, which one cursor walks from top to bottom. */

interface Rows {
  body: HTMLElement | null;
  count: number;
  /** The current row, null where it is in another list, or in none. */
  cursor: number | null;
}

interface RowList {
  now: () => Rows;
  set: (cursor: number | null) => void;
  /** Opens a row's page, here or in a new tab. */
  open: (row: number, where: "here" | "new tab") => void;
}

let lists: readonly RowList[] = [];

/** Adds a list. Returns how to take it away. */
export function joinRows(list: RowList): () => void {
  lists = [...lists, list];
  return () => {
    lists = lists.filter((other) => other !== list);
  };
}

/** Moves the cursor by a row, into the list above or below at an end; the first step goes to the first row. */
export function stepRow(by: 1 | -1): void {
  const ordered = shownLists();
  const at = ordered.findIndex(({ cursor }) => cursor !== null);
  const here = ordered[at];
  if (here === undefined) {
    ordered[0]?.list.set(0);
    return;
  }
  const next = (here.cursor ?? 0) + by;
  const other = ordered[at + by];
  if (next >= 0 && next < here.count) {
    here.list.set(next);
  } else if (other) {
    here.list.set(null);
    other.list.set(by === 1 ? 0 : other.count - 1);
  }
}

/** Opens the current row; before one is chosen, the first. */
export function openRow(where: "here" | "new tab"): void {
  const ordered = shownLists();
  const { list, cursor } = ordered.find((shown) => shown.cursor !== null) ?? ordered[0] ?? {};
  list?.open(cursor ?? 0, where);
}

/** Lists that have rows, from the top of the page to its end. */
function shownLists() {
  const shown = lists.map((list) => ({ list, ...list.now() })).filter(({ count }) => count > 0);
  return shown.sort(place);
}

function place(one: Rows, other: Rows): number {
  if (!one.body || !other.body) return 0;
  return one.body.compareDocumentPosition(other.body) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
