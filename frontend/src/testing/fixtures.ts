import type { Freshness, Me, Overview, Page, RowWork, Rules, SeriesFacets, SeriesRow, VerdictSummary } from "../api/types";

/** The moment every test happens at. */
export const NOW = new Date("2026-11-26T15:22:00Z");

/** An hour of the test's day, or `back` hours before it. */
export function hourAt(hour: number, back = 0): string {
  return new Date(Date.UTC(2026, 10, 26, hour - back)).toISOString().replace(".000", "");
}

export function pageOf<Item>(items: Item[], total = items.length): Page<Item> {
  return { items, total, limit: 50, offset: 0 };
}

export function me(change: Partial<Me> = {}): Me {
  return {
    email: "mira@example.org",
    name: "Mira Okafor",
    role: "owner",
    has_password: true,
    shortcuts_on: true,
    source_slugs: null,
    demo: false,
    can: { annotate: true, ingest: true, admin: true, add_source: true },
    ...change,
  };
}

export function freshness(change: Partial<Freshness> = {}): Freshness {
  const states = [...Array<"complete">(9).fill("complete"), "settling", "settling", "open"] as const;
  return {
    complete_to: hourAt(13),
    settling_hours: 2,
    hours: states.map((state, index) => ({ hour: hourAt(15, 11 - index), state })),
    hours_behind: 2,
    stale: false,
    demo: false,
    ...change,
  };
}

export function overview(change: Partial<Overview> = {}): Overview {
  return {
    window: { start: hourAt(13, 168), end: hourAt(13), hours: 168 },
    headline: "One of 3 series loses its prompt cache under load",
    pooled: { share: 0.448, cached_tokens: 3_050_000_000, input_tokens: 6_800_000_000 },
    previous_pooled: { share: 0.442, cached_tokens: 2_900_000_000, input_tokens: 6_560_000_000 },
    series: 3,
    projects: 2,
    findings: 2,
    new_findings: 1,
    losing_under_load: 1,
    near_threshold: 0,
    unowned_findings: 1,
    collecting_readouts: 0,
    readouts_to_review: 0,
    avoidable: {
      tokens_per_week: [467_000_000, 1_022_000_000],
      usd_per_week: [1051.2, 2300.4],
      priced: 1,
      unpriced: 0,
      priced_share: 1,
      price_date: "2026-11-26",
      amount: "$1,051 to $2,300",
      covers: "1 series priced; prices of 26 Nov 2026",
    },
    largest: [],
    verdict_counts: facets().verdicts,
    groups: facets().groups,
    sources: [{ slug: "acme", name: "Acme AI", kind: "openai" }],
    has_source: true,
    ...change,
  };
}

/** Two chapters in short, and a threshold that a team may set beside one that is fixed. */
export function rules(): Rules {
  return {
    version: "full-4",
    chapters: [
      { name: "verdicts", title: "Verdicts", parts: [{ anchor: "verdicts-words", title: "Words" }], html: '<p>First.</p>\n<h3 id="verdicts-words">Words</h3>' },
      { name: "accuracy", title: "How often the verdicts are right", parts: [], html: "<table><tbody><tr><td>96 % (94 to 97)</td></tr></tbody></table>" },
    ],
    thresholds: [
      { name: "gap_points", label: "Fall inside the day", unit: "points", value: 0.05, low: null, high: null, source: "measured on fleets" },
      { name: "quiet_floor", label: "Quiet-third share", unit: "share", value: 0.15, low: 0, high: 1, source: "the published rule" },
    ],
  };
}

export function facets(change: Partial<SeriesFacets> = {}): SeriesFacets {
  return {
    verdicts: [
      { code: "load-correlated-misses", count: 1 },
      { code: "no-cached-tokens", count: 1 },
      { code: "too-few-linked-hours", count: 1 },
    ],
    groups: [
      { name: "routing", label: "Routing?", codes: ["load-correlated-misses"], count: 1 },
      { name: "prefix", label: "Prefix or breakpoint", codes: ["flat-low-share", "no-cached-tokens"], count: 1 },
      { name: "lifetime", label: "Lifetime", codes: ["cold-only-after-idle", "sparse-traffic-retention"], count: 0 },
      { name: "mix-or-change", label: "Mix or change", codes: ["mix-shift", "level-shift-mid-window", "inconclusive"], count: 0 },
      { name: "no-finding", label: "No finding", codes: ["healthy", "share-rises-with-load", "load-does-not-vary"], count: 0 },
      { name: "no-data", label: "No data", codes: ["too-few-linked-hours"], count: 1 },
    ],
    projects: [
      { id: "proj_rag", name: "rag-answer", count: 1 },
      { id: "proj_translate", name: "translate", count: 1 },
      { id: null, name: "(none)", count: 1 },
    ],
    models: [
      { model: "gpt-5.4", count: 2 },
      { model: "gpt-4.1", count: 1 },
    ],
    sources: [{ slug: "acme", name: "Acme AI", count: 3 }],
    owners: [{ id: null, name: "No owner", count: 1 }, { id: 3, name: "Mira Okafor", count: 1 }],
    findings: [{ state: "new", word: "New", count: 1 }, { state: "in-progress", word: "In progress", count: 1 }],
    near: 0,
    total: 3,
    ...change,
  };
}

export function verdict(change: Partial<VerdictSummary> = {}): VerdictSummary {
  return {
    code: "load-correlated-misses",
    word: "Misses rise with load",
    published_state: "load-correlated-misses",
    published_word: "Misses rise with load",
    action_class: "yours to fix",
    since: "2026-11-17",
    days: 9,
    short: "68% when quiet, 16% when busy",
    sentence: "Cached share falls from 68% when quiet to 16% when busy",
    is_finding: true,
    day: "2026-11-26",
    flags: [],
    near_threshold: false,
    nearest: null,
    retires_on: null,
    onset: null,
    ...change,
  };
}

/** What a finding costs a week, in numbers and in words. */
export function avoidable(): Pick<SeriesRow, "avoidable" | "money"> {
  return {
    avoidable: {
      tokens_per_week: [467_000_000, 1_022_000_000],
      usd_per_week: [1051.2, 2300.4],
      basis: "quiet share",
      reference_share: 0.68,
      price_date: "2026-11-26",
      priced_share: 1,
    },
    money: {
      amount: "$1,051 to $2,300",
      basis: "low end: busy hours to 68%",
      note: "$2.25 per 1M tokens, prices of 26 Nov 2026",
    },
  };
}

export function seriesRow(change: Partial<SeriesRow> = {}): SeriesRow {
  return {
    id: 1,
    source: { slug: "acme", name: "Acme AI", kind: "openai" },
    project_id: "proj_rag",
    project_name: "rag-answer",
    model: "gpt-5.4",
    model_name: "gpt-5.4",
    path: "/series/acme/proj_rag/gpt-5.4",
    verdict: verdict(),
    decision: null,
    pooled: { share: 0.2317, cached_tokens: 241_000_000, input_tokens: 1_040_000_000 },
    quiet: third(0.68, 187),
    busy: third(0.16, 3_405),
    third_reason: null,
    ...avoidable(),
    rho: -0.98,
    linked_hours: 141,
    requests_per_day: 30_873,
    awaits_settling: false,
    points: [0.5, null, 0.3].map((share, index) => ({ t: hourAt(6 * index), share, cached_tokens: null, input_tokens: null })),
    complete_to: hourAt(13),
    last_traffic: hourAt(12),
    idle_days: 0,
    work: rowWork(),
    ...change,
  };
}

export function rowWork(change: Partial<RowWork> = {}): RowWork {
  return {
    finding_id: 4, finding_state: "in-progress", standing: "Open 9 days", owner: { id: 3, name: "Mira Okafor" },
    rollout: "In progress", rollout_note: "1 of 3 steps", readout_id: null, readout_state: null,
    ...change,
  };
}

function third(share: number, requests_per_hour: number) {
  return { share, cached_tokens: 1, input_tokens: 2, requests_per_hour, hours: 47, low_requests: 1, high_requests: 9 };
}

/** A finding, a real zero, and a null project without a verdict's worth of hours. */
export function seriesRows(): SeriesRow[] {
  return [
    seriesRow(),
    seriesRow({
      id: 2,
      project_id: "proj_translate",
      project_name: "translate",
      model: "gpt-4.1",
      model_name: "gpt-4.1",
      path: "/series/acme/proj_translate/gpt-4.1",
      verdict: verdict({ code: "no-cached-tokens", word: "No cached tokens", short: "mean input 640, minimum is 1,024", is_finding: false }),
      pooled: { share: 0, cached_tokens: 0, input_tokens: 140_000_000 },
      avoidable: null,
      money: { amount: "N/A", basis: "not eligible", note: "" },
    }),
    seriesRow({
      id: 3,
      project_id: null,
      project_name: "(none)",
      path: "/series/acme/_none/gpt-5.4",
      verdict: verdict({ code: "too-few-linked-hours", word: "Too few linked hours", short: "11 of 24 linked hours", is_finding: false }),
      pooled: { share: null, cached_tokens: null, input_tokens: 20_000_000 },
      avoidable: null,
      money: { amount: "N/A", basis: "no verdict", note: "" },
      quiet: null,
      busy: null,
      third_reason: "too few hours to split",
      requests_per_day: null,
    }),
  ];
}
