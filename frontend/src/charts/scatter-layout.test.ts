import { describe, expect, it } from "vitest";

import {
  nearestPoint, placeBands, placeNote, placePoints, placeSideWords, scatterFrame, type ScatterBand, type ScatterPoint,
} from "./scatter-layout";

const point = (x: number, y: number | null, extra: Partial<ScatterPoint> = {}): ScatterPoint => ({
  key: x, x, y, mark: y === null ? "cross" : "dot", ...extra,
});
const band = (title: string, from: number, to: number, level: number): ScatterBand => ({
  title, note: "", shortNote: "", from, to, level, value: `${level * 100}%`, lines: ["", ""],
});
const BANDS = [band("Quiet third", 33, 360, 0.68), band("Busy third", 1740, 4973, 0.16)];
const POINTS = [point(33, 0.7), point(400, null), point(4973, 0.12)];
const FRAME = scatterFrame(POINTS, BANDS, 992, false);

describe("scatterFrame", () => {
  it("puts 0% at the foot and 100% at the top, whatever the shares are", () => {
    expect(FRAME.placeShare(0)).toBe(FRAME.foot);
    expect(FRAME.placeShare(1)).toBe(FRAME.top);
  });

  it("keeps room beside the plot for the words of the bands, and none without bands", () => {
    expect(FRAME.right).toBe(778);
    expect(scatterFrame(POINTS, [], 992, false).right).toBe(978);
  });

  it("has a lane for points without a share only when there are some", () => {
    const bare = scatterFrame([point(33, 0.7)], BANDS, 992, false);
    expect(FRAME.tickY - bare.tickY).toBe(22);
  });

  it("draws smaller below the narrow width", () => {
    const narrow = scatterFrame(POINTS, BANDS, 358, true);
    expect([narrow.left, narrow.right, narrow.radius]).toEqual([34, 306, 3.6]);
  });
});

describe("placePoints", () => {
  it("puts a point without a share in the lane, not at zero", () => {
    const [, lane] = placePoints(POINTS, FRAME);
    expect(lane!.cy).toBe(FRAME.laneY);
    expect(lane!.cy).toBeGreaterThan(FRAME.foot);
  });

  it("finds the nearest point within reach only", () => {
    const placed = placePoints(POINTS, FRAME);
    expect(nearestPoint(placed, placed[2]!.cx + 4, placed[2]!.cy - 4)).toBe(2);
    expect(nearestPoint(placed, 400, 60)).toBeNull();
    expect(nearestPoint([], 400, 60)).toBeNull();
  });
});

describe("placeBands", () => {
  it("reaches from the quietest to the busiest hour of its third", () => {
    const [quiet] = placeBands(BANDS, FRAME);
    expect(quiet!.x1).toBeCloseTo(FRAME.xAxis.place(33), 0);
    expect(quiet!.x2).toBeCloseTo(FRAME.xAxis.place(360), 0);
    expect(quiet!.levelY).toBe(FRAME.placeShare(0.68));
  });

  it("moves the titles of close bands apart", () => {
    const close = [band("Quiet third", 900, 1000, 0.5), band("Busy third", 1010, 1100, 0.5)];
    const frame = scatterFrame([point(900, 0.5), point(1100, 0.5)], close, 700, false);
    const [quiet, busy] = placeBands(close, frame);
    expect(busy!.titleX - quiet!.titleX).toBeGreaterThanOrEqual(166);
  });

  it("keeps a band of one value visible", () => {
    const [one] = placeBands([band("Quiet third", 500, 500, 0.5)], FRAME);
    expect(one!.x2 - one!.x1).toBe(6);
  });
});

describe("words beside and inside the plot", () => {
  it("keeps the words of both levels and of the change apart when the levels are equal", () => {
    const level = placeBands([band("Quiet third", 33, 360, 0.5), band("Busy third", 1740, 4973, 0.5)], FRAME);
    const [top, middle, foot] = placeSideWords(level, 3, FRAME);
    expect(middle! - top!).toBeGreaterThanOrEqual(45);
    expect(foot! - middle!).toBeGreaterThanOrEqual(45);
  });

  it("sets a note above its points where nothing else stands", () => {
    const placed = placePoints([point(70, 0.05), point(90, 0.07), point(80, 0.7)], FRAME);
    const note = placeNote(placed.slice(0, 2), placed.slice(2), 160, FRAME);
    expect(note!.y).toBe(placed[1]!.cy - 12);
  });

  it("leaves a note out when its points are scattered or other points are in its way", () => {
    const scattered = placePoints([point(70, 0.05), point(90, 0.9)], FRAME);
    expect(placeNote(scattered, [], 160, FRAME)).toBeNull();
    const crowd = Array.from({ length: 40 }, (_, index) => point(60 + index, (index % 20) / 20));
    expect(placeNote(placePoints([point(80, 0.05)], FRAME), placePoints(crowd, FRAME), 160, FRAME)).toBeNull();
  });
});
