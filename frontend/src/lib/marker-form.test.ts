import { describe, expect, it } from "vitest";

import { marker } from "../testing/readout-fixture";

import { draftOf, keyPlan, markerChanges, newDraft, newMarker, type MarkerDraft } from "./marker-form";

const NOW = new Date("2026-11-26T15:22:40Z");
const SERIES = { id: 7, project_id: "proj_rag", source: { slug: "acme", name: "Acme AI", kind: "openai" as const } };

function draft(change: Partial<MarkerDraft> = {}): MarkerDraft {
  return { ...newDraft("key-shipped", NOW), ...change };
}

describe("a new marker", () => {
  it("is sent with its time in UTC and only what the kind asks for", () => {
    const particulars = { ...draft().particulars, key: " rag-{tenant} ", granularity: "tenant-document", units_at_peak: "40", position: "left from another kind" };
    expect(newMarker(draft({ particulars }), SERIES)).toEqual({
      source: "acme", kind: "key-shipped", series_id: 7, at: "2026-11-26T15:22:00Z", until: null, link: "", note: "", external_id: "",
      particulars: { key: "rag-{tenant}", granularity: "tenant-document", units_at_peak: 40 },
    });
  });

  it("of a ramp runs from the first traffic to all of it", () => {
    const sent = newMarker(draft({ at: "2026-11-23T12:00", other: "2026-11-23T09:00" }), SERIES);
    expect([sent.at, sent.until]).toEqual(["2026-11-23T09:00:00Z", "2026-11-23T12:00:00Z"]);
  });

  it("of an incident runs from its time to its end", () => {
    const sent = newMarker(draft({ kind: "incident", at: "2026-11-23T09:00", other: "2026-11-23T12:00" }), SERIES);
    expect([sent.at, sent.until]).toEqual(["2026-11-23T09:00:00Z", "2026-11-23T12:00:00Z"]);
  });

  it("names the project alone where all its models are meant", () => {
    const sent = newMarker(draft({ scope: "project" }), SERIES);
    expect([sent.series_id, sent.project_id]).toEqual([undefined, "proj_rag"]);
  });
});

describe("a marker that is changed", () => {
  it("comes back as it was sent, with the version that was seen", () => {
    const ramp = marker({ at: "2026-11-23T09:00:00Z", until: "2026-11-23T10:00:00Z" });
    expect(draftOf(ramp)).toMatchObject({ at: "2026-11-23T10:00", other: "2026-11-23T09:00" });
    expect(markerChanges(draftOf(ramp), ramp.version)).toEqual({
      at: "2026-11-23T09:00:00Z", until: "2026-11-23T10:00:00Z", link: "https://git.example.org/rag/pull/812", note: "all pods",
      particulars: { key: "rag-{tenant}", granularity: "tenant-document", shards: 1 }, version: 2,
    });
  });
});

describe("the plan of a key", () => {
  it("is checked once something of it is said", () => {
    expect(keyPlan(draft(), 7)).toBeNull();
    expect(keyPlan(draft({ kind: "deploy", particulars: { ...draft().particulars, key: "x" } }), 7)).toBeNull();
    expect(keyPlan(draft({ particulars: { ...draft().particulars, granularity: "request" } }), 7)).toEqual({
      series_id: 7, key: null, granularity: "request", shards: 1, units_at_peak: null, at: "2026-11-26T15:22:00Z",
    });
  });
});
