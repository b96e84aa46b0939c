import { describe, expect, it } from "vitest";

import { keyPlanPath, rateWords, readAssumptions, shardWords, shownKeys } from "./key-plan";

describe("the address of a key plan", () => {
  it("is that of the series under another first part, double encoding and all", () => {
    expect(keyPlanPath("/series/acme/proj_a/ft%252Fx")).toBe("/key-plan/acme/proj_a/ft%252Fx");
    expect(keyPlanPath("/series/series/_none/_none")).toBe("/key-plan/series/_none/_none");
  });

  it("holds what is taken as given", () => {
    expect(readAssumptions(new URLSearchParams("unit=tenant-document&prefixes=40&requests_per_minute=62.5"))).toEqual({
      given: { unit: "tenant-document", prefixes: 40, requests_per_minute: 62.5 },
      notices: [],
    });
    expect(readAssumptions(new URLSearchParams("unit=&prefixes=&requests_per_minute="))).toEqual({ given: {}, notices: [] });
  });

  it.each([
    ["unit=request", "The address says unit=request, which is not conversation, tenant-document or template. It is left out."],
    ["unit=toString", "The address says unit=toString, which is not conversation, tenant-document or template. It is left out."],
    ["prefixes=0", "The address says prefixes=0, which is not a whole number from 1 to 10,000,000. It is left out."],
    ["prefixes=2.5", "The address says prefixes=2.5, which is not a whole number from 1 to 10,000,000. It is left out."],
    ["prefixes=many", "The address says prefixes=many, which is not a whole number from 1 to 10,000,000. It is left out."],
    ["requests_per_minute=0", "The address says requests_per_minute=0, which is not a number above 0, at most 100,000. It is left out."],
    ["requests_per_minute=Infinity", "The address says requests_per_minute=Infinity, which is not a number above 0, at most 100,000. It is left out."],
  ])("passes over %s with a notice", (address, notice) => {
    expect(readAssumptions(new URLSearchParams(address))).toEqual({ given: {}, notices: [notice] });
  });
});

describe("the words of a key plan", () => {
  it("say shards as a range, an open one, or one number", () => {
    expect(shardWords({ low: 4, high: 6, needed: 4, kept_warm: 11 })).toBe("4 to 6");
    expect(shardWords({ low: 4, high: null, needed: 4, kept_warm: null })).toBe("4 or more");
    expect(shardWords({ low: 1, high: null, needed: 1, kept_warm: null })).toBe("1");
    expect(shardWords({ low: 1200, high: 1200, needed: 1200, kept_warm: null })).toBe("1,200");
    expect(shardWords(null)).toBe("N/A");
  });

  it("print a rate as the sentences of the plan do", () => {
    expect([rateWords(9.44), rateWords(60.2), rateWords(1234), rateWords(null)]).toEqual(["9.4", "60", "1,234", "N/A"]);
  });

  it("leave out the keys in the middle of many", () => {
    expect(shownKeys(["a", "b", "c", "d"])).toEqual(["a", "b", "c", "d"]);
    expect(shownKeys(["a", "b", "c", "d", "e"])).toEqual(["a", "b", "...", "e"]);
  });
});
