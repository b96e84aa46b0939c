import { describe, expect, it } from "vitest";

import { formatAgo, formatClock, formatDate, formatDay, formatHour, formatMoment, formatNear } from "./time";

const NOW = new Date("2026-11-26T15:22:00Z");

describe("times", () => {
  it("prints hours and days in UTC", () => {
    expect(formatClock("2026-11-26T13:05:00Z")).toBe("13:05");
    expect(formatDay("2026-11-17")).toBe("17 Nov");
    expect(formatDate("2026-11-17")).toBe("17 Nov 2026");
    expect(formatMoment("2026-11-26T13:00:00Z")).toBe("26 Nov 13:00");
    expect(formatHour("2026-11-26T13:00:00Z")).toBe("Thu 26 Nov 13:00");
  });

  it("names the day only when it is another day", () => {
    expect(formatNear("2026-11-26T13:00:00Z", NOW)).toBe("13:00 UTC");
    expect(formatNear("2026-11-25T13:00:00Z", NOW)).toBe("Wed 25 Nov 13:00 UTC");
  });

  it.each([
    ["2026-11-26T15:22:10Z", "now"],
    ["2026-11-26T15:12:00Z", "10 minutes ago"],
    ["2026-11-26T16:12:00Z", "in 50 minutes"],
    ["2026-11-26T14:20:00Z", "1 hour ago"],
    ["2026-11-20T15:22:00Z", "6 days ago"],
  ])("%s is %s", (time, text) => {
    expect(formatAgo(time, NOW)).toBe(text);
  });
});
