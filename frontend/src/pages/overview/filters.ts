import type { SeriesQuery } from "../../api/overview";
import type { AttentionTab, FindingState, SeriesFacets, SeriesSort, VerdictCode } from "../../api/types";
import { isVerdictCode } from "../../lib/verdicts";

export const PAGE_ROWS = 50;

export const SORT_KEYS = ["project", "model", "verdict", "share", "gap", "requests", "avoidable", "since"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Sort {
  key: SortKey;
  descending: boolean;
}

/** The order of the API where none is asked for: the most avoidable first. */
const DEFAULT_SORT: Sort = { key: "avoidable", descending: true };

/** The state of the Overview, as its address holds it. */
export interface Filters {
  q: string;
  verdict: VerdictCode[];
  project: string[];
  model: string[];
  source: string[];
  /** User ids, "me" or "none": who owns the finding. */
  owner: string[];
  finding: FindingState[];
  /** Only series near a finding. */
  near: boolean;
  sort: Sort;
  offset: number;
  /** The tab of what needs attention; it filters no series. */
  attention: AttentionTab;
}

export const ATTENTION_TABS: readonly AttentionTab[] = ["all", "sudden", "high", "review"];

/** States of a finding in the order in which work goes, as the filter names them. */
export const FINDING_WORDS: Readonly<Record<FindingState, string>> = {
  new: "New",
  regressed: "Regressed",
  acknowledged: "Acknowledged",
  "in-progress": "In progress",
  shipped: "Shipped",
  accepted: "Accepted",
  "handed-off": "Handed off",
  resolved: "Resolved",
};

export const NO_FILTERS: Filters = {
  q: "", verdict: [], project: [], model: [], source: [], owner: [], finding: [], near: false, sort: DEFAULT_SORT, offset: 0, attention: "all",
};

/** What an address says, and the values in it that mean nothing. */
export interface ReadFilters {
  filters: Filters;
  ignored: string[];
}

/** Reads an address. With `known` also projects, models, sources and owners that no series has are passed over. */
export function readFilters(params: URLSearchParams, known?: SeriesFacets): ReadFilters {
  const ignored: string[] = [];
  const keep = <Text extends string>(name: string, isKnown: (text: string) => text is Text): Text[] => {
    const sent = [...new Set(params.getAll(name))];
    ignored.push(...sent.filter((text) => !isKnown(text)).map((text) => `${name}=${text}`));
    return sent.filter(isKnown);
  };
  const among = (names: string[] | undefined) => (text: string): text is string => !names || names.includes(text);
  const filters: Filters = {
    q: params.get("q")?.trim() ?? "",
    verdict: keep("verdict", isVerdictCode),
    project: keep("project", among(known?.projects.map(({ id }) => id ?? "_none"))),
    model: keep("model", among(known?.models.map(({ model }) => model ?? "_none"))),
    source: keep("source", among(known?.sources.map(({ slug }) => slug))),
    owner: keep("owner", isOwner(known)),
    finding: keep("finding", isFindingState),
    near: keep("near", isOne).length > 0,
    sort: sortOf(params.get("sort")) ?? DEFAULT_SORT,
    offset: readOffset(params.get("offset")),
    attention: keep("attention", isTab).at(-1) ?? "all",
  };
  if (params.get("sort") && sortOf(params.get("sort")) === null) ignored.push(`sort=${params.get("sort") ?? ""}`);
  if (params.get("offset") && readOffset(params.get("offset")) === 0) ignored.push(`offset=${params.get("offset") ?? ""}`);
  return { filters, ignored };
}

function isOwner(known: SeriesFacets | undefined) {
  return (text: string): text is string => {
    if (text === "me" || text === "none") return true;
    return known ? known.owners.some(({ id }) => String(id) === text) : /^\d{1,9}$/.test(text);
  };
}

export function isFindingState(text: string): text is FindingState {
  return Object.hasOwn(FINDING_WORDS, text);
}

function isOne(text: string): text is "1" {
  return text === "1";
}

function isTab(text: string): text is AttentionTab {
  return ATTENTION_TABS.some((tab) => tab === text);
}

function sortOf(text: string | null): Sort | null {
  const descending = text?.startsWith("-") ?? false;
  const name = descending ? text?.slice(1) : text;
  const key = SORT_KEYS.find((known) => known === name);
  return key ? { key, descending } : null;
}

function readOffset(text: string | null): number {
  const offset = Number(text ?? 0);
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}

const LISTS = ["verdict", "project", "model", "source", "owner", "finding"] as const;

/** The address of a state; defaults are left out. */
export function toSearch(filters: Filters): string {
  const params = new URLSearchParams();
  if (filters.q) params.set("q", filters.q);
  for (const name of LISTS) {
    for (const value of filters[name]) params.append(name, value);
  }
  if (filters.near) params.set("near", "1");
  if (!isDefaultSort(filters.sort)) params.set("sort", sortText(filters.sort));
  if (filters.offset > 0) params.set("offset", String(filters.offset));
  if (filters.attention !== "all") params.set("attention", filters.attention);
  return params.toString();
}

export function isDefaultSort({ key, descending }: Sort): boolean {
  return key === DEFAULT_SORT.key && descending === DEFAULT_SORT.descending;
}

function sortText({ key, descending }: Sort): SeriesSort {
  return descending ? `-${key}` : key;
}

/** The state as the API is asked for it. */
export function toQuery(filters: Filters): SeriesQuery {
  return { ...toFacetQuery(filters), sort: isDefaultSort(filters.sort) ? undefined : sortText(filters.sort), limit: PAGE_ROWS, offset: filters.offset };
}

/** The part of the state that the counts depend on. */
export function toFacetQuery({ q, verdict, project, model, source, owner, finding, near }: Filters): SeriesQuery {
  return { q: q || undefined, verdict, project, model, source, owner, finding, near: near || undefined };
}

export function isFiltered(filters: Filters): boolean {
  return filters.q !== "" || filters.near || LISTS.some((name) => filters[name].length > 0);
}

/** The order a click on a column's heading asks for: largest first for numbers, then the reverse, then the default. */
export function nextSort(current: Sort, key: SortKey): Sort {
  const firstDescending = !["project", "model", "verdict"].includes(key);
  if (current.key !== key) return { key, descending: firstDescending };
  return current.descending === firstDescending ? { key, descending: !firstDescending } : DEFAULT_SORT;
}

/** The verdicts chosen after a click on a group of them: all of it, or none where all were chosen. */
export function toggleGroup(chosen: readonly VerdictCode[], group: readonly VerdictCode[]): VerdictCode[] {
  const others = chosen.filter((code) => !group.includes(code));
  return group.every((code) => chosen.includes(code)) ? others : [...others, ...group];
}
