import { describe, expect, it } from "vitest";

import { hourParam, hoursCsvPath, readSeriesView, withSpan, withTable } from "./series-url";

const read = (search: string) => readSeriesView(new URLSearchParams(search));
const SPAN = { from: Date.parse("2026-11-19T13:00:00Z"), to: Date.parse("2026-11-23T10:00:00Z") };

describe("readSeriesView", () => {
  it("shows the whole window as charts when the address says nothing", () => {
    expect(read("")).toEqual({ span: null, table: false, colour: "hour", notices: [] });
  });

  it("reads hours and the table view", () => {
    expect(read("from=2026-11-19T13&to=2026-11-23T10&view=table")).toEqual({ span: SPAN, table: true, colour: "hour", notices: [] });
  });

  it.each([
    ["view=pie"],
    ["from=yesterday&to=2026-11-23T10"],
    ["from=2026-11-19T13"],
    ["from=2026-11-23T10&to=2026-11-19T13"],
    ["from=2026-10-01T00&to=2026-11-19T13"],
    ["from=2026-11-32T13&to=2026-12-02T10"],
  ])("passes over %s with a notice, and never fails", (search) => {
    const view = read(search);
    expect(view.span).toBeNull();
    expect(view.table).toBe(false);
    expect(view.notices).toHaveLength(1);
  });
});

describe("addresses", () => {
  it("keep what they do not change and leave defaults out", () => {
    const search = new URLSearchParams("view=table");
    expect(withSpan(search, SPAN).toString()).toBe("view=table&from=2026-11-19T13&to=2026-11-23T10");
    expect(withSpan(withSpan(search, SPAN), null).toString()).toBe("view=table");
    expect(withTable(withSpan(search, SPAN), false).toString()).toBe("from=2026-11-19T13&to=2026-11-23T10");
  });

  it("write an hour the way they read it", () => {
    expect(hourParam(SPAN.from)).toBe("2026-11-19T13");
  });

  it("lead to the same hours as a file", () => {
    expect(hoursCsvPath("/series/acme/_none/ft%3Agpt%2Fmine", null)).toBe("/series/acme/_none/ft%3Agpt%2Fmine.csv");
    expect(hoursCsvPath("/series/acme/p/m", SPAN)).toBe("/series/acme/p/m.csv?from=2026-11-19T13&to=2026-11-23T10");
  });
});
