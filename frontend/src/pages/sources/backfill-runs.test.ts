import { expect, it } from "vitest";

import { backfill } from "../../testing/source-fixtures";

import { fittingRuns, weekCounts, weekNotes, weekProgress, weekRuns } from "./backfill-runs";

const { weeks } = backfill();

it("joins neighbouring weeks of one state", () => {
  expect(weekRuns(weeks).map(({ state, first, weeks: count }) => [state, first, count])).toEqual([
    ["refused", 0, 1],
    ["queued", 1, 2],
    ["running", 3, 1],
    ["fetched", 4, 2],
  ]);
});

it("counts weeks in words and keeps each note once", () => {
  expect(weekCounts(weeks).map(({ words }) => words)).toEqual(["1 week refused", "2 weeks queued", "1 week running", "2 weeks fetched"]);
  expect(weekNotes([...weeks, ...weeks])).toEqual(["OpenAI refused hours before 22 Oct 2026 (reporting_lookback_exceeded)."]);
});

it("knows how much of a week is in, also of an empty one", () => {
  expect(weeks.map(weekProgress)).toEqual([0, 0, 0, 72 / 168, 1, 1]);
  expect(weekProgress({ ...weeks[0]!, hours_total: 0 })).toBe(0);
});

it("labels only starts that do not touch the label before", () => {
  expect(fittingRuns(weekRuns(weeks), 30, 62, 1000).map(({ first }) => first)).toEqual([0, 3]);
});
