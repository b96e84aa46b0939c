import { describe, expect, it } from "vitest";

import { listQuery, nextSort, readList, toSearch } from "./list-filter";

const read = (search: string) => readList(new URLSearchParams(search));

describe("the address of the list", () => {
  it("holds states and order, and leaves defaults out", () => {
    const { filter, ignored } = read("state=worse&state=improved&sort=-change");
    expect(filter).toEqual({ states: ["worse", "improved"], sort: { key: "change", descending: true } });
    expect(ignored).toEqual([]);
    expect(toSearch(filter)).toBe("state=worse&state=improved&sort=-change");
    expect(toSearch(read("sort=-shipped").filter)).toBe("");
  });

  it("passes over what means nothing", () => {
    const { filter, ignored } = read("state=better&sort=luck");
    expect(filter).toEqual(read("").filter);
    expect(ignored).toEqual(["state=better", "sort=luck"]);
  });

  it("turns the order round on the second click, and begins with the largest gain", () => {
    expect(nextSort({ key: "shipped", descending: true }, "shipped")).toEqual({ key: "shipped", descending: false });
    expect(nextSort({ key: "shipped", descending: true }, "change")).toEqual({ key: "change", descending: true });
    expect(nextSort({ key: "change", descending: true }, "series")).toEqual({ key: "series", descending: false });
  });

  it("is asked of the API as it stands", () => {
    expect(listQuery(read("state=worse&sort=state").filter, 20)).toEqual({ state: ["worse"], sort: "state", limit: 20, offset: 20 });
  });
});
