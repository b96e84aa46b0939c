import { describe, expect, it } from "vitest";

import { seriesFixture } from "../testing/series-fixture";
import { hasExamples, markerCurl } from "./marker-curl";
import { newDraft } from "./marker-form";

const NOW = new Date("2026-11-26T15:22:00Z");
const ORIGIN = "https://cachewatch.example.org";

function bodyOf(call: string): unknown {
  return JSON.parse(/--data '([\s\S]*)'$/.exec(call)?.[1]?.replaceAll("'\\''", "'") ?? "");
}

describe("markerCurl", () => {
  it("names the series by the ids that a deploy knows, and holds no time and no token", () => {
    const call = markerCurl(newDraft("key-shipped", NOW), seriesFixture(), ORIGIN);
    expect(call.split("\n").slice(0, 3)).toEqual([
      'curl --fail-with-body "https://cachewatch.example.org/api/v1/markers" \\',
      '  --header "Authorization: Bearer $CACHEWATCH_TOKEN" \\',
      '  --header "Content-Type: application/json" \\',
    ]);
    expect(bodyOf(call)).toMatchObject({ source: "acme", kind: "key-shipped", project_id: "proj_rag", model: "gpt-5.4", external_id: "deploy-812" });
  });

  it("shows where the particulars of a repair go, with examples of what the form leaves empty", () => {
    const draft = newDraft("key-shipped", NOW);
    const half = { ...draft, particulars: { ...draft.particulars, key: "rag-{tenant}" } };
    expect(bodyOf(markerCurl(half, seriesFixture(), ORIGIN))).toMatchObject({ particulars: { key: "rag-{tenant}", granularity: "tenant-document", units_at_peak: 40, shards: 1 } });
    expect([hasExamples(half), hasExamples(newDraft("deploy", NOW))]).toEqual([true, false]);
  });

  it("takes over what the form says", () => {
    const draft = newDraft("key-shipped", NOW);
    const said = { ...draft, scope: "project" as const, note: "Jonas' release", particulars: { ...draft.particulars, key: "rag-{tenant}", granularity: "conversation" } };
    const call = markerCurl(said, seriesFixture(), ORIGIN);
    expect(bodyOf(call)).toEqual({
      source: "acme", kind: "key-shipped", project_id: "proj_rag", external_id: "deploy-812", note: "Jonas' release",
      particulars: { key: "rag-{tenant}", granularity: "conversation", units_at_peak: 40, shards: 1 },
    });
    expect(call).toContain("Jonas'\\'' release");
  });

  it("keeps a null id as null, which is an id, and leaves both out for a whole source", () => {
    const series = seriesFixture({ project_id: null });
    expect(bodyOf(markerCurl(newDraft("deploy", NOW), series, ORIGIN))).toMatchObject({ project_id: null, model: "gpt-5.4" });
    expect(bodyOf(markerCurl({ ...newDraft("deploy", NOW), scope: "source" }, series, ORIGIN))).toEqual({ source: "acme", kind: "deploy", external_id: "deploy-812" });
  });
});
