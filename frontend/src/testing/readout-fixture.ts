import type { Marker, ReadoutDetail, ReadoutMeasure, ReadoutNumbers, ReadoutPage, ReadoutRow } from "../api/types";
import { READOUT_STATES, READOUTS } from "../lib/readouts";

const NO_PARTICULARS = { key: null, granularity: null, shards: null, units_at_peak: null, position: null, mode: null, change: null, retention: null };

/** A key shipped three days before the day of the tests. */
export function marker(change: Partial<Marker> = {}): Marker {
  return {
    id: 3,
    source: { slug: "acme", name: "Acme AI", kind: "openai" },
    scope: "series",
    project_id: "proj_rag",
    project_name: "rag-answer",
    series_id: 7,
    model: "gpt-5.4",
    series_path: "/series/acme/proj_rag/gpt-5.4",
    kind: "key-shipped",
    word: "key shipped",
    state: "in-force",
    at: "2026-11-23T10:00:00Z",
    until: null,
    link: "https://git.example.org/rag/pull/812",
    note: "all pods",
    external_id: "",
    version: 2,
    created_by: "Jonas Weber",
    created_at: "2026-11-23T10:04:00Z",
    changed_at: "2026-11-23T10:04:00Z",
    rollout: {
      id: 5,
      particulars: { ...NO_PARTICULARS, key: "rag-{tenant}", granularity: "tenant-document", shards: 1 },
      readouts: [{ id: 9, series_id: 7, state: "improved", state_word: "Improved", outcome: null }],
    },
    ...change,
  };
}

/** A model that the data shows for the first time, which nobody has marked yet. */
export function proposal(): Marker {
  return marker({
    id: 4, kind: "model-changed", word: "model changed", state: "proposed", scope: "project", series_id: null, model: null, series_path: null,
    at: "2026-11-24T00:00:00Z", link: "", note: "gpt-5.6 is first seen in this project.", created_by: null, rollout: null,
  });
}

export function measure(change: Partial<ReadoutMeasure> = {}): ReadoutMeasure {
  return {
    name: "busy_share",
    label: "Busy-hour cached share",
    before: { value: 0.167, numerator: 45_900_000, denominator: 276_000_000, hours: 53, text: "16.7%", under: "45.9M / 276M, 53 hours" },
    after: { value: 0.645, numerator: 179_000_000, denominator: 278_000_000, hours: 53, text: "64.5%", under: "179M / 278M, 53 hours" },
    expected: 0.17,
    change: 0.475,
    change_text: "+47.5",
    interval: [0.431, 0.53],
    interval_text: "+43.1 to +53.0",
    direction: "up",
    direction_word: "up",
    reading: "as-expected",
    reading_word: "as expected",
    ...change,
  };
}

export function numbers(change: Partial<ReadoutNumbers> = {}): ReadoutNumbers {
  return {
    kind: "key",
    reasons: [],
    reason_sentences: [],
    windows: {
      before: { start: "2026-11-16T10:00:00Z", end: "2026-11-23T10:00:00Z", hours: 166 },
      after: { start: "2026-11-23T11:00:00Z", end: "2026-11-26T10:00:00Z", hours: 70 },
      washout_hours: 1,
    },
    primary: "busy_share",
    measures: [
      measure(),
      measure({ name: "quiet_share", label: "Quiet-hour cached share", change: 0.006, change_text: "+0.6", interval: [-0.017, 0.032], interval_text: "\u22121.7 to +3.2", direction: "same", direction_word: "barely moves" }),
    ],
    checks: [
      { name: "requests_per_hour", before: 1062, after: 1077, limit: 1.4, ok: true, blocks: false, explained: null, statement: "Requests an hour at the same hours of the day went from 1,062 to 1,077." },
      { name: "other_markers", before: null, after: 0, limit: 0, ok: true, blocks: false, explained: null, statement: "No other marker in the windows." },
    ],
    controls: {
      change: -0.001,
      interval: [-0.011, 0.009],
      series: [{ series_id: 8, series_name: "voice-intake / gpt-5.4-mini", series_path: "/series/acme/proj_voice/gpt-5.4-mini", before: 0.087, after: 0.085, change: -0.003, interval: [-0.007, 0.002] }],
      sentence: "3 untouched series moved by \u22120.1 points in the middle (90% interval \u22121.1 to +0.9); that is taken off.",
    },
    placebo: { markers: 240, beyond: 0 },
    placebo_sentence: "Of 240 fake markers 0 moved this much.",
    net_change: { value: 0.476, interval: [0.429, 0.531] },
    minimum_effect: 0.05,
    minimum_detectable: 0.057,
    detectable_sentence: "A true change of 5.7 points or more would have been seen in 80% of cases.",
    looks: [{ days: 2, confidence: 0.98, state: "improved", change: 0.405, interval: [0.35, 0.46] }],
    low_days: 0,
    others: [],
    value: { cached_tokens_a_week: 133_000_000, cached_tokens_interval: [120_000_000, 140_000_000], usd_a_week: 300, usd_interval: [270, 315], priced_part: 1 },
    value_sentence: "Value: +133M cached tokens a week; $300 less spent on input a week.",
    ...change,
  };
}

export function readout(change: Partial<ReadoutDetail> = {}): ReadoutDetail {
  return {
    ...readoutRow(),
    marker: marker(),
    caveat: "This is a before/after comparison, not an experiment. It shows a change at this time, not why it happened.",
    numbers: numbers(),
    changes: [],
    markdown: "**Improved**: Busy-hour cached share rose from 17.0% to 64.5% after the key shipped\n",
    ...change,
  };
}

export function readoutRow(change: Partial<ReadoutRow> = {}): ReadoutRow {
  return {
    id: 9,
    rollout_id: 5,
    marker_id: 3,
    kind: "key-shipped",
    kind_word: "key shipped",
    at: "2026-11-23T10:00:00Z",
    until: null,
    days_since: 3,
    link: "https://git.example.org/rag/pull/812",
    particulars: { ...NO_PARTICULARS, key: "rag-{tenant}", granularity: "tenant-document", shards: 1 },
    source: { slug: "acme", name: "Acme AI", kind: "openai" },
    series_id: 7,
    project_id: "proj_rag",
    project_name: "rag-answer",
    model: "gpt-5.4",
    series_name: "rag-answer / gpt-5.4",
    series_path: "/series/acme/proj_rag/gpt-5.4",
    path: "/readouts/9",
    state: "improved",
    state_word: "Improved",
    is_claim: true,
    heading: "Busy-hour cached share rose from 17.0% to 64.5% after the key shipped",
    reasons: [],
    reason_sentences: [],
    missing: null,
    missing_numbers: null,
    primary: measure(),
    net_change: 0.476,
    measured_at: "2026-11-26T15:03:00Z",
    complete_to: "2026-11-26T14:00:00Z",
    data_version: 4711,
    version: "5d1f0c7ab2e94438:2",
    problem: null,
    decision: null,
    late: null,
    can: { annotate: true },
    ...change,
  };
}

const MISSING = "9 of 48 hours after the marker; look again on Fri 27 Nov 10:00 UTC.";

/** A readout that waits for hours. */
export function collecting(): ReadoutDetail {
  const primary = measure({ change: null, change_text: "N/A", interval: null, interval_text: "N/A", reading: "unknown", reading_word: "N/A" });
  const row = readoutRow({ id: 10, path: "/readouts/10", state: "collecting", state_word: "Collecting", is_claim: false, heading: MISSING, missing: MISSING, net_change: null, primary });
  return readout({ ...row, missing_numbers: { reason: "after-days", have: 9, need: 48, look_again: "2026-11-27T10:00:00Z", since: null }, numbers: numbers({ measures: [primary], checks: [], looks: [], value: null, value_sentence: null }) });
}

/** A readout whose weeks cannot be compared. */
export function trafficChanged(): ReadoutDetail {
  const check = { name: "requests_per_hour", before: 1062, after: 370, limit: 1.4, ok: false, blocks: true, explained: null, statement: "Requests an hour at the same hours of the day went from 1,062 to 370." };
  const row = readoutRow({ id: 11, path: "/readouts/11", state: "traffic-changed", state_word: "Traffic changed", is_claim: false, heading: "Traffic changed; the weeks are not comparable", reasons: [check.name], reason_sentences: [check.statement] });
  return readout({ ...row, numbers: numbers({ checks: [...numbers().checks.slice(1), check], reasons: [check.name], reason_sentences: [check.statement] }) });
}

/** One page of the list, with how many of each state its rows have. */
export function readoutPage(items: ReadoutRow[]): ReadoutPage {
  const states = READOUT_STATES.map((state) => ({ state, word: READOUTS[state].word, count: items.filter((row) => row.state === state).length }));
  return { items, states, total: items.length, limit: 20, offset: 0 };
}
