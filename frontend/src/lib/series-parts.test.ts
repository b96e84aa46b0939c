import { describe, expect, it } from "vitest";

import { partsFixture } from "../testing/parts-fixture";
import { seriesFixture } from "../testing/series-fixture";
import { cutWords, partColour, partsCsv, sideOf, sideWords } from "./series-parts";

const AT = "2026-11-23T10:20:00Z";
const time = (text: string) => Date.parse(`2026-11-23T${text}:00Z`);
const CUT = { kind: "marker", word: "key shipped", at: AT, until: null, marker_id: 3 } as const;

describe("sideOf", () => {
  it("puts the hour that holds the moment on neither side", () => {
    expect([time("09:00"), time("10:00"), time("11:00")].map((hour) => sideOf(hour, CUT))).toEqual(["before", "between", "after"]);
    const sharp = { ...CUT, at: "2026-11-23T10:00:00Z" };
    expect([time("09:00"), time("10:00")].map((hour) => sideOf(hour, sharp))).toEqual(["before", "after"]);
  });

  it("leaves the hours of a ramp between", () => {
    const ramp = { ...CUT, until: "2026-11-23T13:40:00Z" };
    expect([time("13:00"), time("14:00")].map((hour) => sideOf(hour, ramp))).toEqual(["between", "after"]);
    expect(sideWords(time("14:00"), ramp)).toBe("After key shipped.");
    expect(sideWords(time("13:00"), ramp)).toBe("While it shipped.");
  });
});

describe("cutWords", () => {
  it("says what divides the window", () => {
    expect(cutWords(null)).toBe("");
    expect(cutWords(CUT)).toBe("Before and after: key shipped, Mon 23 Nov 10:20 UTC.");
    expect(cutWords({ ...CUT, until: "2026-11-23T13:40:00Z" })).toBe(
      "Before and after: key shipped, Mon 23 Nov 10:20 UTC; the hours of its ramp, until Mon 23 Nov 13:40, are in neither part.",
    );
    expect(cutWords({ ...CUT, kind: "onset", word: "onset" })).toBe("Before and after the onset, Mon 23 Nov 10:20 UTC.");
  });
});

describe("partColour", () => {
  it("is that of points lost only where the fall is the finding", () => {
    const [falls] = partsFixture().items;
    const { verdict } = seriesFixture();
    expect(partColour(falls!, { verdict })).toBe("var(--v-scatter)");
    expect(partColour(falls!, { verdict: { ...verdict!, code: "mix-shift" } })).toBe("var(--ink-2)");
    expect(partColour({ ...falls!, direction: "rises" }, { verdict })).toBe("var(--v-rises)");
    expect(partColour({ ...falls!, direction: "level" }, { verdict })).toBe("var(--ink-2)");
  });
});

describe("partsCsv", () => {
  it("holds every number of the table, nothing where there is none, and why", () => {
    const lines = decodeURIComponent(partsCsv(partsFixture()).split(",").slice(1).join(",")).trim().split("\r\n");
    expect(lines[0]).toBe(
      "part,linked_hours,cached_tokens,input_tokens,cached_share,quiet_share,quiet_cached_tokens,quiet_input_tokens,quiet_requests_per_hour," +
        "busy_share,busy_cached_tokens,busy_input_tokens,busy_requests_per_hour,rank_correlation,not_compared_because",
    );
    expect(lines[3]).toBe("Weekend,41,23000000,100000000,0.23,0.7,8148000,11640000,200,0.3,52380000,174600000,3000,-0.97,");
    expect(lines[5]).toBe('After Mon 23 Nov 10:00,5,23000000,100000000,0.23,,,,,,,,,,"5 hours linked, 8 are needed"');
  });
});
