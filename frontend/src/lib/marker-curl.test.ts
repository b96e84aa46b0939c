import { describe, expect, it } from "vitest";

import { seriesFixture } from "../testing/series-fixture";
import { hasStandIns, markerCurl } from "./marker-curl";
import { newDraft } from "./marker-form";

const NOW = new Date("2026-11-26T15:22:00Z");
const ORIGIN = "https://cachewatch.example.org";

function textOf(call: string): string {
  return /--data '([\s\S]*)'$/.exec(call)?.[1]?.replaceAll("'\\''", "'") ?? "";
}

/** What is sent once somebody has put a text for every stand-in. */
function bodyOf(call: string): unknown {
  return JSON.parse(textOf(call).replaceAll(/: <.*>(?=,?$)/gm, ': "put"'));
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

  it("shows where the particulars of a repair go, with stand-ins for what the form leaves empty", () => {
    const draft = newDraft("key-shipped", NOW);
    const half = { ...draft, particulars: { ...draft.particulars, key: "rag-{tenant}" } };
    expect(bodyOf(markerCurl(half, seriesFixture(), ORIGIN))).toMatchObject({ particulars: { key: "rag-{tenant}", granularity: "put", units_at_peak: "put", shards: "put" } });
    expect([hasStandIns(half), hasStandIns(newDraft("deploy", NOW))]).toEqual([true, false]);
  });

  it("is no JSON, and so is refused, until every stand-in is replaced", () => {
    const text = textOf(markerCurl(newDraft("key-shipped", NOW), seriesFixture(), ORIGIN));
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(text).toContain('"granularity": <"template" or "tenant-document" or "conversation" or "message" or "request">,');
    expect(text).toContain('"units_at_peak": <units at peak>,');
    const change = textOf(markerCurl(newDraft("prefix-changed", NOW), seriesFixture(), ORIGIN));
    expect(() => JSON.parse(change) as unknown).toThrow(SyntaxError);
    expect(change).toContain('"change": <"what changed">');
    expect(JSON.parse(textOf(markerCurl(newDraft("deploy", NOW), seriesFixture(), ORIGIN)))).toMatchObject({ kind: "deploy" });
  });

  it("takes over what the form says", () => {
    const draft = newDraft("key-shipped", NOW);
    const said = { ...draft, scope: "project" as const, note: "Jonas' release", particulars: { ...draft.particulars, key: "rag-{tenant}", granularity: "conversation" } };
    const call = markerCurl(said, seriesFixture(), ORIGIN);
    expect(bodyOf(call)).toEqual({
      source: "acme", kind: "key-shipped", project_id: "proj_rag", external_id: "deploy-812", note: "Jonas' release",
      particulars: { key: "rag-{tenant}", granularity: "conversation", units_at_peak: "put", shards: "put" },
    });
    expect(call).toContain("Jonas'\\'' release");
  });

  it("keeps a null id as null, which is an id, and leaves both out for a whole source", () => {
    const series = seriesFixture({ project_id: null });
    expect(bodyOf(markerCurl(newDraft("deploy", NOW), series, ORIGIN))).toMatchObject({ project_id: null, model: "gpt-5.4" });
    expect(bodyOf(markerCurl({ ...newDraft("deploy", NOW), scope: "source" }, series, ORIGIN))).toEqual({ source: "acme", kind: "deploy", external_id: "deploy-812" });
  });
});
