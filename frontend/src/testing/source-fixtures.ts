import type { Backfill, Coverage, Member, Reject, Revision, Run, Source, Token } from "../api/types";

import { hourAt } from "./fixtures";

export function run(change: Partial<Run> = {}): Run {
  return {
    id: 7,
    source: "acme",
    kind: "hourly",
    status: "ok",
    start: hourAt(15, 48),
    end: hourAt(15),
    started_at: "2026-11-26T15:12:00Z",
    finished_at: "2026-11-26T15:12:02Z",
    seconds: 2.1,
    pages: 2,
    hours: 48,
    rows_read: 2_016,
    rows_new: 31,
    rows_changed: 6,
    rows_removed: 0,
    rows_unchanged: 1_979,
    rows_rejected: 0,
    error: "",
    error_code: "",
    notices: [],
    ...change,
  };
}

export function source(change: Partial<Source> = {}): Source {
  return {
    slug: "acme",
    name: "Acme AI",
    kind: "openai",
    base_url: "https://api.openai.com/v1",
    key: { state: "ok", hint: "sk-admin-...9fQ2", variable: "" },
    paused: false,
    problem: "",
    grouping: ["project_id", "model", "api_key_id", "batch"],
    refused_grouping: ["service_tier"],
    settle_minutes: 60,
    time_zone: "UTC",
    backfill_days: 182,
    scopes: { usage: "granted", management: "missing" },
    probed_at: "2026-11-26T09:00:00Z",
    lookback: null,
    last_run: run(),
    next_run_at: "2026-11-26T16:12:00Z",
    buckets_stored: 12_704,
    hours_stored: 2_989,
    series_count: 14,
    first_hour: "2026-07-25T00:00:00Z",
    complete_to: hourAt(13),
    created_at: "2026-11-01T00:00:00Z",
    runs_ok: 167,
    runs_total: 168,
    revised_rows_7d: 61,
    rejected_rows_7d: 1,
    rows_7d: 14_112,
    can: { ingest: true, admin: true },
    ...change,
  };
}

export function coverage(missing = 0): Coverage {
  const hours = Array.from({ length: 169 }, (_, index) => {
    const state = index === 168 ? "open" : index > 165 ? "settling" : index < missing ? "missing" : index === 100 ? "revised" : "complete";
    return { hour: hourAt(15, 168 - index), state, revisions: state === "revised" ? 2 : 0 } as const;
  });
  return { hours };
}

export function backfill(change: Partial<Backfill> = {}): Backfill {
  const states = ["refused", "queued", "queued", "running", "fetched", "fetched"];
  const weeks = states.map((state, index) => ({
    start: hourAt(0, 168 * (states.length - index)),
    end: hourAt(0, 168 * (states.length - index - 1)),
    state,
    note: state === "refused" ? "OpenAI refused hours before 22 Oct 2026 (reporting_lookback_exceeded)." : "",
    hours_fetched: state === "fetched" ? 168 : state === "running" ? 72 : 0,
    hours_total: 168,
  }));
  return { weeks, fetched: 2, total: 6, running: true, sentence: "2 of 6 weeks are in", ...change };
}

export function revision(change: Partial<Revision> = {}): Revision {
  return {
    id: 1,
    source: "acme",
    series_id: 1,
    series_name: "rag-answer / gpt-5.4",
    series_path: "/series/acme/proj_rag/gpt-5.4",
    hour: hourAt(9),
    input_before: 11_920_000,
    input_now: 12_290_000,
    change: 370_000,
    share_before: 0.91,
    share_now: 0.911,
    nth: 2,
    seen_at: "2026-11-26T11:12:00Z",
    removed: false,
    ...change,
  };
}

export function reject(change: Partial<Reject> = {}): Reject {
  return {
    id: 1,
    source: "acme",
    hour: hourAt(7),
    dimensions: "project proj_tagging, model gpt-4o-mini",
    field: "input_cached_tokens",
    place: "page 1, bucket 7, result 41",
    reason: "a whole number is needed, text was sent",
    sent: '"2204160"',
    first_seen_at: "2026-11-26T11:12:00Z",
    last_seen_at: "2026-11-26T15:12:00Z",
    ...change,
  };
}

export function member(change: Partial<Member> = {}): Member {
  return {
    id: 1,
    email: "mira@example.org",
    name: "Mira Okafor",
    role: "owner",
    source_slugs: null,
    last_sign_in: "2026-11-26T09:00:00Z",
    is_you: true,
    ...change,
  };
}

export function token(change: Partial<Token> = {}): Token {
  return {
    id: 1,
    name: "nightly report",
    hint: "cw_...4f2a",
    scopes: ["read"],
    created_at: "2026-11-20T00:00:00Z",
    expires_at: "2027-02-18T00:00:00Z",
    last_used_at: null,
    revoked_at: null,
    owner: "mira@example.org",
    ...change,
  };
}
