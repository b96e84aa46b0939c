import { describe, expect, it } from "vitest";

import type { HourState } from "../api/types";
import { hourFixture, seriesFixture } from "../testing/series-fixture";
import { loadBands, loadChange, loadFinding, loadHeading, loadPoints } from "./series-load";

const TIME = Date.parse("2026-11-23T11:00:00Z");
const timed = (state: HourState, time = TIME) => ({ ...hourFixture(time, state), time });
const neverFaded = () => false;

describe("loadPoints", () => {
  it.each<[HourState, string]>([
    ["used", "dot"],
    ["after_gap", "hollow"],
    ["unknown_before", "hollow"],
    ["settling", "dashed"],
    ["no_input", "cross"],
    ["not_reported", "cross"],
  ])("draws an hour that is %s as a %s", (state, mark) => {
    expect(loadPoints([timed(state)], neverFaded)[0]?.mark).toBe(mark);
  });

  it.each<HourState>(["no_traffic", "missing", "open"])("draws nothing for an hour that is %s", (state) => {
    expect(loadPoints([timed(state)], neverFaded)).toEqual([]);
  });

  it("has no place for tokens without a request count", () => {
    expect(loadPoints([{ ...timed("no_requests"), requests: null }], neverFaded)).toEqual([]);
  });

  it("gives an hour without input no share, not a zero", () => {
    expect(loadPoints([timed("no_input")], neverFaded)[0]?.y).toBeNull();
  });

  it("goes from few requests to many and colours by hour of the day", () => {
    const points = loadPoints([timed("used"), timed("used", TIME - 9 * 3_600_000)], neverFaded);
    expect(points.map((point) => point.x)).toEqual(points.map((point) => point.x).sort((a, b) => a - b));
    expect(points.map((point) => point.colour)).toEqual(["var(--h2)", "var(--h11)"]);
  });

  it("fades the hours it is told to", () => {
    expect(loadPoints([timed("used")], (time) => time === TIME)[0]?.faded).toBe(true);
  });
});

describe("bands and the change between them", () => {
  it("say hours, load, share and tokens of each third", () => {
    const [quiet, busy] = loadBands(seriesFixture());
    expect(quiet).toMatchObject({ note: "46 h, 187 req/h on average", value: "68%", lines: ["when quiet", "28.4M / 41.8M tokens"] });
    expect(busy).toMatchObject({ from: 1740, to: 4973, level: 0.158 });
  });

  it("call a fall lost points, and only a fall", () => {
    expect(loadChange(seriesFixture())).toMatchObject({ lost: true, headline: "52.2 points lost under load", short: "\u221252.2" });
    const third = seriesFixture().quiet!;
    const rising = seriesFixture({ quiet: { ...third, share: 0.6 }, busy: { ...third, share: 0.77 } });
    expect(loadChange(rising)).toMatchObject({ lost: false, headline: "17.0 points more under load", short: "+17.0" });
    const level = seriesFixture({ quiet: { ...third, share: 0.5 }, busy: { ...third, share: 0.498 } });
    expect(loadChange(level)).toMatchObject({ lost: false, headline: "less than a point apart" });
  });

  it("call a fall lost points only where the verdict says that misses rise with load", () => {
    const verdict = { ...seriesFixture().verdict!, code: "mix-shift" as const };
    expect(loadChange(seriesFixture({ verdict }))).toMatchObject({ lost: false, headline: "52.2 points lower under load" });
  });

  it("are absent where the load cannot be split", () => {
    const series = seriesFixture({ quiet: null, busy: null, third_reason: "11 of 24 linked hours, about 13 more" });
    expect(loadBands(series)).toEqual([]);
    expect(loadChange(series)).toBeNull();
    expect(loadHeading(series)).toBe("The load of these hours cannot be split into quiet and busy");
    expect(loadFinding(series)).toContain("11 of 24 linked hours, about 13 more.");
  });
});

describe("loadHeading", () => {
  it("states what the picture shows, in figures", () => {
    expect(loadHeading(seriesFixture())).toBe("The busiest third of hours reads less from the prompt cache: 16% against 68%");
  });
});
