import { describe, expect, it } from "vitest";

import { placeMarkers } from "../charts/marker-layout";
import { seriesRow } from "../testing/fixtures";
import { marker, proposal } from "../testing/readout-fixture";

import { keyExample, markerPlaces, timeMarkers, touches, usualKind } from "./markers";

const HOUR = 3_600_000;
const AT = Date.parse("2026-11-23T10:00:00Z");

function point(t: string) {
  return { t, share: 0.5, cached_tokens: 5, input_tokens: 10 };
}

describe("markers on a time axis", () => {
  it("are those in force inside it; a proposal is not drawn", () => {
    expect(timeMarkers([marker(), proposal()], AT - HOUR, AT + HOUR)).toEqual([{ time: AT, end: null, label: "key shipped Mon 23 Nov 10:00" }]);
    expect(timeMarkers([marker()], AT + HOUR, AT + 2 * HOUR)).toEqual([]);
  });

  it("a range that reaches into it begins at its edge", () => {
    const incident = marker({ kind: "incident", word: "incident", until: "2026-11-23T14:00:00Z" });
    expect(timeMarkers([incident], AT + HOUR, AT + 9 * HOUR)).toMatchObject([{ time: AT + HOUR, end: AT + 4 * HOUR }]);
  });

  it("stand in a line of seven days where their scope touches the series", () => {
    const row = seriesRow({ id: 7, project_id: "proj_rag", source: marker().source, points: [point("2026-11-23T00:00:00Z"), point("2026-11-24T16:00:00Z")] });
    expect(markerPlaces([marker()], row)).toEqual([0.25]);
    expect(touches(marker({ scope: "project", series_id: null }), { ...row, id: 99 })).toBe(true);
    expect(touches(marker(), { ...row, id: 99 })).toBe(false);
    expect(touches(marker({ scope: "source" }), { ...row, source: { slug: "other", name: "", kind: "openai" } })).toBe(false);
  });
});

describe("words of markers", () => {
  const frame = { left: 40, right: 400, placeTime: (time: number) => time };

  it("never lie on each other: a second one goes to the next row", () => {
    const placed = placeMarkers([{ time: 100, label: "key shipped" }, { time: 110, label: "deploy" }, { time: 300, label: "deploy" }], frame);
    expect(placed.map(({ row }) => row)).toEqual([0, 1, 0]);
  });

  it("stay inside the drawing where neither side has room", () => {
    const [placed] = placeMarkers([{ time: 200, label: "a label far too long for one side of the line, in words" }], frame);
    expect(placed?.at).toBeGreaterThanOrEqual(0);
    expect(placed?.at).toBeLessThan(200);
  });
});

describe("the form of a marker", () => {
  it("begins with a warm call where workers start together, else with a key", () => {
    const cause = (status: "fired" | "open") => ({ controls: [{ name: "fan-out", status, statement: "", to_flip: "", numbers: {} }] });
    expect([usualKind(cause("fired")), usualKind(cause("open")), usualKind({ controls: [] })]).toEqual(["warm-call", "key-shipped", "key-shipped"]);
  });

  it("shows a key after the project, where its name can stand in one", () => {
    expect([keyExample("report-fanout"), keyExample("(none)"), keyExample("Rag Answer")]).toEqual(["report-fanout-{tenant}", "app-{tenant}", "app-{tenant}"]);
  });
});
