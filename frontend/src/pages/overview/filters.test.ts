import { describe, expect, it } from "vitest";

import type { SeriesFacets } from "../../api/types";

import { NO_FILTERS, nextSort, readFilters, toggleGroup, toQuery, toSearch } from "./filters";

const read = (search: string, known?: SeriesFacets) => readFilters(new URLSearchParams(search), known);

const KNOWN: SeriesFacets = {
  verdicts: [],
  groups: [],
  projects: [{ id: "rag-answer", name: "rag-answer", count: 1 }, { id: null, name: "(none)", count: 1 }],
  models: [{ model: "gpt-5.4", count: 2 }],
  sources: [{ slug: "acme", name: "Acme", count: 2 }],
  owners: [{ id: 3, name: "Mira Okafor", count: 1 }],
  findings: [],
  near: 0,
  total: 2,
};

describe("the address of the Overview", () => {
  it("holds the whole state and gives it back", () => {
    const search = "q=rag&verdict=load-correlated-misses&verdict=flat-low-share&project=_none&model=gpt-5.4&owner=me&owner=3&finding=in-progress&near=1&sort=-share&offset=50";
    const { filters, ignored } = read(search, KNOWN);
    expect(ignored).toEqual([]);
    expect(toSearch(filters)).toBe(search);
    expect(toQuery(filters)).toEqual({
      q: "rag",
      verdict: ["load-correlated-misses", "flat-low-share"],
      project: ["_none"],
      model: ["gpt-5.4"],
      source: [],
      owner: ["me", "3"],
      finding: ["in-progress"],
      near: true,
      sort: "-share",
      limit: 50,
      offset: 50,
    });
  });

  it("leaves defaults out", () => {
    expect(toSearch(NO_FILTERS)).toBe("");
    expect(read("").filters).toEqual(NO_FILTERS);
    expect(toSearch(read("sort=-avoidable").filters)).toBe("");
    expect(toQuery(NO_FILTERS).sort).toBeUndefined();
    expect(toSearch(read("sort=avoidable").filters)).toBe("sort=avoidable");
  });

  it("passes over unknown values and names them", () => {
    const { filters, ignored } = read("verdict=broken&verdict=healthy&sort=colour&offset=-1&project=gone&source=gone", KNOWN);
    expect(filters).toEqual({ ...NO_FILTERS, verdict: ["healthy"] });
    expect(ignored).toEqual(["verdict=broken", "project=gone", "source=gone", "sort=colour", "offset=-1"]);
  });

  it("passes over owners, states and other words for near that mean nothing", () => {
    const { filters, ignored } = read("owner=7&owner=mira&owner=none&finding=open&near=yes", KNOWN);
    expect(filters).toEqual({ ...NO_FILTERS, owner: ["none"] });
    expect(ignored).toEqual(["owner=7", "owner=mira", "finding=open", "near=yes"]);
    expect(read("owner=7&owner=mira").filters.owner).toEqual(["7"]);
  });

  it("keeps projects it cannot check yet", () => {
    expect(read("project=gone").filters.project).toEqual(["gone"]);
  });
});

describe("sorting by a column", () => {
  it("goes from the natural order to the reverse to the default", () => {
    const first = nextSort(NO_FILTERS.sort, "share");
    const second = nextSort(first, "share");
    expect(first).toEqual({ key: "share", descending: true });
    expect(second).toEqual({ key: "share", descending: false });
    expect(nextSort(second, "share")).toEqual(NO_FILTERS.sort);
    expect(nextSort(second, "project")).toEqual({ key: "project", descending: false });
  });

  it("turns round what is avoidable, which is the default, and back", () => {
    const reverse = nextSort(NO_FILTERS.sort, "avoidable");
    expect(reverse).toEqual({ key: "avoidable", descending: false });
    expect(nextSort(reverse, "avoidable")).toEqual(NO_FILTERS.sort);
  });
});

describe("a click on a group of verdicts", () => {
  const PREFIX = ["flat-low-share", "no-cached-tokens"] as const;

  it("chooses all of it, also where a part was chosen, and leaves other groups alone", () => {
    expect(toggleGroup([], PREFIX)).toEqual(["flat-low-share", "no-cached-tokens"]);
    expect(toggleGroup(["healthy", "no-cached-tokens"], PREFIX)).toEqual(["healthy", "flat-low-share", "no-cached-tokens"]);
  });

  it("gives it up where all of it was chosen", () => {
    expect(toggleGroup(["flat-low-share", "healthy", "no-cached-tokens"], PREFIX)).toEqual(["healthy"]);
  });
});
