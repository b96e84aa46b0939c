import type { SeriesKeyPlan } from "../api/types";

/** A template of many tenants that a key helps, from a day by the minute. */
export function keyPlan(changes: Partial<SeriesKeyPlan> = {}): SeriesKeyPlan {
  return {
    series_id: 7,
    series_path: "/series/acme/proj_rag/gpt-5.4",
    project_id: "proj_rag",
    project_name: "rag-answer",
    model: "gpt-5.4",
    model_name: "gpt-5.4",
    heading: "Send a key per template, over 4 to 6 shards",
    basis: "minutes",
    hours: { start: "2026-11-19T13:00:00Z", end: "2026-11-26T13:00:00Z" },
    minutes: { start: "2026-11-24T00:00:00Z", end: "2026-11-25T00:00:00Z" },
    requests: 402_117,
    mean_input_tokens: 7012.4,
    prefixes: 12,
    generation: "up to GPT-5.4",
    key_improves_routing: true,
    helps: "yes",
    unit: "template",
    shards: { low: 4, high: 6, needed: 4, kept_warm: 11 },
    keys: [0, 1, 2, 3, 4].map((shard) => `cw1-{prompt and tools}-${shard}`),
    reasons: ["In busy minutes there are 60 requests, and about 15 fit on one machine.", "4 shards carry 99 of 100 minutes, 6 every one."],
    requests_per_minute: 60,
    by_minute: true,
    busiest_minute: 80,
    quiet_requests_per_hour: 400,
    units: [{ granularity: "template", distinct: 1, repeating_share: 0.98, requests_per_minute: null, holds_long_part: true }],
    repeating_unit: "template",
    keys_sent: null,
    code: { python: "key = cache_key(system, tools, tenant_id, 4)\n", node: "const key = cacheKey(system, tools, tenantId, 4);\n", http: 'key=$(cache_key "$system" "$tools" "$tenant_id" 4)\n' },
    derivation: { python: "def cache_key(system, tools, unit, shards):\n    ...\n", node: "export function cacheKey() {}\n", http: "cache_key() { :; }\n" },
    rules: { requests_per_minute: 15, repeats: 3, lifetime_from_minutes: 5, lifetime_to_minutes: 10, minimum_tokens: 1024, longest_key: 64 },
    assumed: { unit: null, prefixes: 12, requests_per_minute: null },
    ...changes,
  };
}
