import type { EvidenceArm, EvidenceDetail, EvidenceNumbers, EvidencePage, EvidencePoint, EvidenceRow } from "../api/types";

/** An imported log as the list shows it. */
export function evidenceRow(given: Partial<EvidenceRow> = {}): EvidenceRow {
  return {
    id: 3,
    path: "/evidence/3",
    source: { slug: "acme", name: "Acme", kind: "openai" },
    series: null,
    file_name: "replay.jsonl",
    state: "done",
    progress: null,
    heading: "Key churn: a new prompt_cache_key starts with nothing to find",
    error: null,
    format: "generic",
    by: [],
    verdict: { cause: "key-churn", word: "Key churn", confidence: "confirmed", is_finding: true },
    closes: [],
    requests: 4,
    duplicates: 0,
    left_out: 1,
    rejected: 1,
    pooled: { share: 0.2, cached_tokens: 3_200, input_tokens: 16_000 },
    created_by: "mira@example.org",
    created_at: "2026-11-26T14:00:00Z",
    finished_at: "2026-11-26T14:00:01Z",
    can: { delete: true },
    ...given,
  };
}

/** The list, of a reader who may import into one source. */
export function evidencePage(items: EvidenceRow[] = [], given: Partial<EvidencePage> = {}): EvidencePage {
  return {
    items,
    total: items.length,
    limit: 50,
    offset: 0,
    import_into: [{ slug: "acme", name: "Acme", kind: "openai" }],
    formats: [{ name: "generic", title: "The generic form" }],
    ...given,
  };
}

/** A request of 4,000 tokens that read nothing. */
export function point(given: Partial<EvidencePoint> = {}): EvidencePoint {
  return {
    time: "2026-11-25T13:10:04Z",
    arm: 0,
    input_tokens: 4_000,
    cached_tokens: 0,
    read: "zero",
    first: false,
    missed: false,
    cause: null,
    account: null,
    key_changed: false,
    account_changed: false,
    ...given,
  };
}

function arm(given: Partial<EvidenceArm>): EvidenceArm {
  return {
    label: "no key",
    values: {},
    n: 2,
    zeros: 2,
    partial: 0,
    full: 0,
    pooled: { share: 0, cached_tokens: 0, input_tokens: 8_000 },
    hit_interval: [0, 0.66],
    distinct_keys: null,
    p: null,
    p_text: "baseline",
    reading: "reference arm",
    differs: false,
    is_small: true,
    ...given,
  };
}

/** What four requests of two arms show. */
export function evidenceNumbers(given: Partial<EvidenceNumbers> = {}): EvidenceNumbers {
  const unknown = { cause: "unknown", word: "Unknown", note: "No rule matched.", owner: "nobody yet", tokens: 800, share: 0.25, percent: "25.0%", requests: 1, usd: 0.0018, cost: "under $0.01", cost_note: "" } as const;
  return {
    format_reason: "its rows have the columns input_tokens and cached_input_tokens",
    sessions: 1,
    models: ["gpt-5.4"],
    model_count: 1,
    first_at: "2026-11-25T13:10:04Z",
    last_at: "2026-11-25T13:26:41Z",
    warnings: [],
    findings: [{ cause: "key-churn", word: "Key churn", confidence: "confirmed", statement: "Each request carries a new key.", does_not_prove: "It does not prove that a stable key brings every hit.", numbers: {} }],
    missed_heading: "Of 3,200 missed tokens, 75.0% are key churn",
    missed_total: 3_200,
    missed_usd: 0.0018,
    missed_cost: "under $0.01",
    missed_cost_note: "25% of the tokens priced",
    prices: ["gpt-5.4: input $2.50, cached $0.25 per 1M tokens; list price, prices of 25 Nov 2026"],
    missed: [{ cause: "key-churn", word: "Key churn", note: "A new key is a new route.", owner: "app", tokens: 2_400, share: 0.75, percent: "75.0%", requests: 1, usd: null, cost: "N/A", cost_note: "no list price" }, unknown],
    arms_heading: "No arm differs from no key by more than chance",
    order_note: "",
    baseline: "no key",
    arms: [arm({}), arm({ label: "stable key", zeros: 1, full: 1, pooled: { share: 0.4, cached_tokens: 3_200, input_tokens: 8_000 }, p: 1, p_text: "p = 1.00", reading: "no detectable difference" })],
    comparisons: [],
    floor: null,
    facts: [{ name: "Accounts", value: "N/A, no account is reported" }],
    left_out: [{ reason: "failed", words: "the request failed", rows: 1 }],
    rejected: [{ where: "replay.jsonl, line 6", why: "not JSON" }],
    strip_heading: "1 request of 4 missed what was readable",
    points: [point({ first: true }), point({ arm: 1, first: true }), point({ missed: true, cause: "key-churn", key_changed: true }), point({ arm: 1, cached_tokens: 3_200, read: "full" })],
    points_of: 4,
    ...given,
  };
}

/** One imported log with what it shows. */
export function evidenceDetail(given: Partial<EvidenceDetail> = {}): EvidenceDetail {
  return { ...evidenceRow(), numbers: evidenceNumbers(), markdown: "**Key churn**", ...given };
}
