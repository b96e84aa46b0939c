import type { ReadoutQuery } from "../../api/readouts";
import type { ReadoutState } from "../../api/types";
import { isReadoutState } from "../../lib/readouts";

/** Rows of one page of the list. */
export const LIST_ROWS = 20;

export type SortKey = "state" | "series" | "shipped" | "change";

export interface Sort {
  key: SortKey;
  descending: boolean;
}

/** The state of the list, as its address holds it. */
export interface ListFilter {
  states: ReadoutState[];
  sort: Sort;
}

/** In which direction a column is sorted first: the latest, the largest gain; names and states from the top. */
const FIRST: Readonly<Record<SortKey, Sort>> = {
  state: { key: "state", descending: false },
  series: { key: "series", descending: false },
  shipped: { key: "shipped", descending: true },
  change: { key: "change", descending: true },
};
const DEFAULT_SORT = FIRST.shipped;

/** What an address asks for, and its values that mean nothing. */
export function readList(search: URLSearchParams): { filter: ListFilter; ignored: string[] } {
  const sent = [...new Set(search.getAll("state"))];
  const ignored = sent.filter((text) => !isReadoutState(text)).map((text) => `state=${text}`);
  const asked = search.get("sort");
  const sort = asked ? sortOf(asked) : DEFAULT_SORT;
  if (sort === null) ignored.push(`sort=${asked ?? ""}`);
  return { filter: { states: sent.filter(isReadoutState), sort: sort ?? DEFAULT_SORT }, ignored };
}

function sortOf(text: string): Sort | null {
  const name = text.replace(/^-/, "");
  return isSortKey(name) ? { key: name, descending: text.startsWith("-") } : null;
}

function isSortKey(name: string): name is SortKey {
  return Object.hasOwn(FIRST, name);
}

/** The order after a click on a column: the other way round where it is sorted by already. */
export function nextSort(now: Sort, key: SortKey): Sort {
  return now.key === key ? { key, descending: !now.descending } : FIRST[key];
}

function sortText({ key, descending }: Sort): string {
  return `${descending ? "-" : ""}${key}`;
}

/** The address of a choice; defaults are left out. */
export function toSearch({ states, sort }: ListFilter): string {
  const params = new URLSearchParams(states.map((state) => ["state", state]));
  if (sort.key !== DEFAULT_SORT.key || sort.descending !== DEFAULT_SORT.descending) params.set("sort", sortText(sort));
  return params.toString();
}

/** The same as a question to the API. */
export function listQuery({ states, sort }: ListFilter, offset: number): ReadoutQuery {
  return { state: states, sort: sortText(sort) as ReadoutQuery["sort"], limit: LIST_ROWS, offset };
}
