import { describe, expect, it } from "vitest";

import type { VerdictSummary } from "../api/types";
import { seriesFixture } from "../testing/series-fixture";
import { cellWords, flagWords, sinceWords, stabilityHeading, stabilityRows } from "./series-standing";

const verdict = (change: Partial<VerdictSummary>): VerdictSummary => ({ ...seriesFixture().verdict!, ...change });

describe("flagWords", () => {
  it("say the day on which a model retires, where one is known", () => {
    expect(flagWords("model-retires", verdict({ retires_on: "2026-12-11" }))).toBe("model retires 11 Dec");
    expect(flagWords("model-retires", verdict({ retires_on: null }))).toBe("model retires");
    expect(flagWords("near-threshold", verdict({ retires_on: null }))).toBe("near threshold");
  });
});

describe("sinceWords", () => {
  it("name the hour at which it began, and say where that is provisional", () => {
    const at = "2026-11-24T14:00:00Z";
    expect(sinceWords(verdict({ onset: { at, provisional: false } }))).toBe("since Tue 24 Nov 14:00 UTC; this verdict for 9 days");
    expect(sinceWords(verdict({ onset: { at, provisional: true } }))).toBe("since Tue 24 Nov 14:00 UTC, provisional; this verdict for 9 days");
  });

  it("name the first day of the verdict where the hours show no beginning", () => {
    expect(sinceWords(verdict({ onset: null }))).toBe("this verdict since Tue 17 Nov, 9 days");
  });

  it("say that it may be older where nothing was judged before", () => {
    expect(sinceWords(verdict({ onset: null }), "2026-11-17")).toBe("this verdict at least since Tue 17 Nov, the first day judged: 9 days");
    expect(sinceWords(verdict({ onset: null }), "2026-11-01")).toBe("this verdict since Tue 17 Nov, 9 days");
  });
});

describe("cellWords", () => {
  it("name API key, tier and batch, and what was not reported", () => {
    expect(cellWords({ api_key_id: "k", api_key_name: "gateway", service_tier: "default", batch: false })).toBe("API key gateway, tier default, not batch");
    expect(cellWords({ api_key_id: null, api_key_name: null, service_tier: null, batch: null })).toBe(
      "no API key reported, tier not reported, batch not reported",
    );
  });

  it("are absent where the verdict is about all traffic", () => expect(cellWords(null)).toBeNull());
});

describe("stability", () => {
  it("is the fall without the busiest hour and without any one day", () => {
    const series = seriesFixture();
    expect(stabilityHeading(series)).toBe("The fall does not hang on one hour or one day");
    expect(stabilityRows(series).map(({ value, sub }) => [value, sub])).toEqual([
      ["51 points", "the busiest of the whole window"],
      ["at least 49 points", "least without the day from Sun 22 Nov 03:00 UTC"],
    ]);
  });

  it("says that a finding hangs on one day only of a finding", () => {
    const weak = { without_busiest_hour: 0.05, without_one_day: 0.01, weakest_day_start: "2026-11-22T03:00:00Z", stands: false };
    expect(stabilityHeading(seriesFixture({ stability: weak }))).toBe("With one day left out it would be no finding");
    expect(stabilityHeading(seriesFixture({ stability: weak, verdict: verdict({ code: "healthy" }) }))).toBe("No fall that counts, whatever is left out");
  });

  it("is N/A, with the reason, where there are too few days", () => {
    const none = { without_busiest_hour: null, without_one_day: null, weakest_day_start: null, stands: false };
    expect(stabilityHeading(seriesFixture({ stability: none }))).toBe("Too few days to leave one out");
    expect(stabilityRows(seriesFixture({ stability: none })).map(({ value, sub }) => [value, sub])).toEqual([
      ["N/A", "no hour to compare with"], ["N/A", "fewer than two days to compare"],
    ]);
  });
});
