import { describe, expect, it } from "vitest";

import { readMinutesFixture } from "../testing/series-fixture";
import { fewMinutesHeading, halvesFinding, halvesWords, hourHalves, minutePoints, minuteWords, testFigures } from "./series-minutes";

describe("hourHalves", () => {
  const halves = hourHalves(readMinutesFixture().minutes);

  it("pool the quieter and the busier minutes of each hour apart", () => {
    expect(halves).toHaveLength(2);
    expect(halves[1]).toMatchObject({
      quieter: { minutes: 10, requests: 20, cached: 120_000, input: 200_000, share: 0.6 },
      busier: { minutes: 10, requests: 80, cached: 160_000, input: 800_000, share: 0.2 },
    });
  });

  it("leave out what was not reported, and hours with few minutes, instead of counting zeros", () => {
    const [first, ...rest] = readMinutesFixture().minutes;
    const unknown = hourHalves([{ ...first!, cached_tokens: null }, ...rest])[0];
    expect(unknown?.quieter.minutes).toBe(9);
    expect(hourHalves(rest.slice(0, 9))).toEqual([]);
  });

  it("say in words how many hours fall, and the raw numbers of each", () => {
    expect(halvesFinding(halves)).toBe("The busier half of the minutes is cached less than the quieter half in 2 of 2 hours");
    expect(halvesWords(halves[0]!)).toBe(
      "Tue 24 Nov 03:00 UTC. Quieter minutes cached 60.0% (60.0k of 100k tokens) at 10 requests a minute, " +
        "busier ones 20.0% (80.0k of 400k tokens) at 40 requests a minute.",
    );
  });
});

describe("testFigures", () => {
  it("give the slope for a doubling with its standard error", () => {
    const [slope, errors, burst, used] = testFigures(readMinutesFixture().test!);
    expect(slope).toMatchObject({ value: "\u221213.9", unit: "points", sub: "standard error 0.7 points, within the hour" });
    expect(errors).toMatchObject({ value: "\u221220.0" });
    expect(burst).toMatchObject({ value: "1.0" });
    expect(used).toMatchObject({ value: "720", sub: "of the busier half of the hours, 12 hours" });
  });

  it("say that one minute an hour is too few to compare", () => {
    const sub = (minutes: number) => testFigures({ slope: null, standard_errors: null, burstiness: 660, hours: 12, minutes }).at(-1)?.sub;
    expect(sub(12)).toBe("of the busier half of the hours, 12 hours; an hour needs 10 to be compared within");
    expect(sub(720)).toBe("of the busier half of the hours, 12 hours");
  });

  it("are N/A where the minutes cannot be tested", () => {
    const figures = testFigures({ slope: null, standard_errors: null, burstiness: null, hours: 0, minutes: 0 });
    expect(figures.map(({ value }) => value)).toEqual(["N/A", "N/A", "N/A", "0"]);
    expect(figures[0]?.unit).toBeUndefined();
  });
});

describe("single minutes", () => {
  const at = "2026-11-24T03:00:00Z";
  const minute = { at, requests: 400, input_tokens: 2_000_000, cached_tokens: 500_000 };
  const unknown = { at: "2026-11-24T04:00:00Z", requests: 300, input_tokens: 1_000, cached_tokens: null };

  it("are dots in ascending order of load; one whose cached tokens are not reported stands in the lane", () => {
    const points = minutePoints([minute, unknown, { ...minute, requests: null }]);
    expect(points.map(({ x, y, mark }) => [x, y, mark])).toEqual([[300, null, "cross"], [400, 0.25, "dot"]]);
  });

  it("have their raw numbers in words, N/A where something is not reported", () => {
    expect(minuteWords(minute)).toBe("Tue 24 Nov 03:00 UTC. 400 requests, cached 25.0% (500k of 2.00M tokens).");
    expect(minuteWords(unknown)).toBe("Tue 24 Nov 04:00 UTC. 300 requests, cached N/A (N/A of 1.00k tokens).");
  });

  it("say how few they are", () => {
    expect(fewMinutesHeading([minute, unknown])).toBe("All traffic of the day comes in 2 minutes; no hour has 10 to compare");
  });
});
