import type {
  HourState, MinuteOfSeries, SeriesDetail, SeriesHour, SeriesHours, SeriesMinutes, ThresholdRow, VerdictHistory, VerdictRun,
} from "../api/types";
import { avoidable } from "./fixtures";

const HOUR = 3_600_000;
export const WINDOW_START = "2026-11-19T13:00:00Z";
export const WINDOW_END = "2026-11-26T13:00:00Z";

/** A repeatable wobble between -1 and 1. */
function wobble(seed: number): number {
  const value = Math.sin(seed * 12.9898) * 43758.5453;
  return (value - Math.floor(value)) * 2 - 1;
}

/** Requests of an hour: quiet nights, busy office hours, half of that at the weekend. */
function requestsAt(time: number): number {
  const at = new Date(time);
  const weekend = [0, 6].includes(at.getUTCDay());
  const bump = Math.exp(-(((at.getUTCHours() - 12.5) / 4.2) ** 2));
  return Math.round((38 + (weekend ? 1700 : 4500) * bump) * (1 + 0.14 * wobble(time / HOUR)));
}

/** A share that falls as requests rise, the more the busier. */
function shareAt(requests: number, time: number): number {
  const load = Math.max(Math.log(requests / 200), 0);
  return Math.max(0.7 - 0.185 * load + 0.025 * wobble(time / HOUR + 7), 0.08);
}

export function hourFixture(time: number, state: HourState = "used"): SeriesHour {
  const silent = state === "no_traffic" || state === "missing";
  const requests = silent ? null : requestsAt(time);
  const input = requests === null || state === "no_input" ? null : Math.round(requests * 4850);
  const share = state === "after_gap" ? 0.06 + 0.02 * wobble(time) : shareAt(requests ?? 1, time);
  const cached = input === null || state === "not_reported" ? null : Math.round(input * share);
  return {
    hour: new Date(time).toISOString(),
    state,
    requests,
    input_tokens: input,
    cached_tokens: cached,
    cache_write_tokens: null,
    share: cached === null || input === null ? null : cached / input,
    third: null,
  };
}

function stateAt(time: number, end: number): HourState {
  if (time >= end + 2 * HOUR) return "open";
  if (time >= end) return "settling";
  const at = new Date(time);
  const [day, clock] = [at.getUTCDate(), at.getUTCHours()];
  if (day === 24 && clock === 6) return "no_input";
  if (day === 22 && clock >= 20 && clock < 23) return clock === 22 ? "unknown_before" : "missing";
  if (clock === 2 || (clock === 3 && day % 2 === 0)) return "no_traffic";
  return clock === 3 || (clock === 4 && day % 2 === 0) ? "after_gap" : "used";
}

/** Hours of a window and the three after it that are not settled. */
export function hoursFixture(start = WINDOW_START, end = WINDOW_END): SeriesHours {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  const tail = 3;
  const count = (to - from) / HOUR + tail;
  const items = Array.from({ length: count }, (_, index) => {
    const time = from + index * HOUR;
    return hourFixture(time, stateAt(time, to));
  });
  return { items, start, end: new Date(to + tail * HOUR).toISOString(), complete_to: end };
}

function threshold(row: Partial<ThresholdRow> & Pick<ThresholdRow, "name" | "label" | "value" | "limit">): ThresholdRow {
  return { side: "at or above", unit: "share", passes: true, sentence: "", closest: false, finding: "", ...row };
}

export function seriesFixture(changes: Partial<SeriesDetail> = {}): SeriesDetail {
  return {
    id: 7,
    source: { slug: "acme", name: "Acme AI", kind: "openai" },
    project_id: "proj_rag",
    project_name: "rag-answer",
    model: "gpt-5.4",
    model_name: "gpt-5.4",
    path: "/series/acme/proj_rag/gpt-5.4",
    verdict: {
      code: "load-correlated-misses",
      word: "Misses rise with load",
      published_state: "load-correlated-misses",
      published_word: "Misses rise with load",
      action_class: "yours to fix",
      since: "2026-11-17",
      days: 9,
      short: "rank correlation −0.98, 146 linked hours",
      sentence: "Cached share falls from 68% when quiet to 16% when busy",
      is_finding: true,
      day: "2026-11-26",
      flags: [],
      near_threshold: false,
      nearest: null,
      retires_on: null,
      onset: null,
    },
    decision: {
      code: "load-correlated-misses",
      word: "Misses rise with load",
      is_finding: true,
      since: "2026-11-17",
      decided_on: "2026-11-26",
      confirmed: true,
      agreeing: 3,
      windows: 3,
      provisional_until: null,
      newest_differs: false,
      changed_by: null,
      sentence: "Decided on Thu 26 Nov; confirmed by 3 of 3 daily windows, first seen on Tue 17 Nov.",
    },
    pooled: { share: 0.23, cached_tokens: 241_400_000, input_tokens: 1_040_000_000 },
    quiet: { share: 0.68, cached_tokens: 28_400_000, input_tokens: 41_800_000, requests_per_hour: 187, hours: 46, low_requests: 33, high_requests: 360 },
    busy: { share: 0.158, cached_tokens: 120_000_000, input_tokens: 759_000_000, requests_per_hour: 3405, hours: 46, low_requests: 1740, high_requests: 4973 },
    third_reason: null,
    ...avoidable(),
    rho: -0.98,
    linked_hours: 146,
    requests_per_day: 30_873,
    awaits_settling: false,
    points: [],
    complete_to: WINDOW_END,
    last_traffic: "2026-11-26T15:00:00Z",
    idle_days: 0,
    can: { annotate: true },
    lede:
      "In the quietest third of hours, about 187 requests an hour, 68% of input tokens are read from the prompt cache. " +
      "In the busiest third, about 3,405 an hour, 16% are. The likely cause is that requests land on machines that have " +
      "not seen the prefix. Eviction under heavy load and more first turns at peak are still open.",
    window: { start: WINDOW_START, end: WINDOW_END },
    now_hours: 168,
    excluded: { after_gap: 7, unsettled: 2, no_input: 1, no_requests: 0, not_reported: 0, clipped: 0, unknown_before: 1 },
    excluded_sentence: "146 hours used; left out: 7 after a gap, 1 without input tokens, 1 after an hour that was not read",
    thresholds: [
      threshold({ name: "rho_floor", label: "Rank correlation", value: -0.98, limit: -0.4, side: "at or below", unit: "correlation" }),
      threshold({
        name: "quiet", label: "Quiet-third share", value: 0.68, limit: 0.15, closest: true,
        sentence: "quiet-third share is 68%, a finding starts at 15%",
      }),
      threshold({ name: "ratio_floor", label: "Busy share / quiet share", value: 0.232, limit: 0.6, side: "at or below", unit: "ratio" }),
      threshold({ name: "min_hours", label: "Linked hours with input", value: 146, limit: 24, unit: "hours" }),
    ],
    controls: [
      {
        name: "share-over-load",
        status: "fired",
        statement: "Inside the day the share falls by 52 points (from 68% to 16%), on 7 of 7 service days.",
        to_flip: "A fall of less than 5 points on the median day.",
        numbers: { fall: 0.52, days: 7, days_that_fall: 7, reference_share: 0.68, busy_share: 0.16 },
      },
      {
        name: "fan-out",
        status: "open",
        statement: "Hourly numbers cannot exclude workers that start at once.",
        to_flip: "1-minute buckets of a busy day: is the first minute of each burst cold?",
        numbers: { slope: null, burstiness: null },
      },
    ],
    generation: "up to GPT-5.4",
    cell: null,
    stability: { without_busiest_hour: 0.51, without_one_day: 0.49, weakest_day_start: "2026-11-22T03:00:00Z", stands: true },
    intervals: { gap: [-0.565, -0.474], rho: [-0.99, -0.962], days: 7, confidence: 0.9 },
    threshold_values: { rho_floor: -0.4, ratio_floor: 0.6, quiet_floor: 0.15, min_hours: 24, set_by: "default" },
    handoff: {
      verdict_owner: "routing",
      text: "Owned here: routing. Not for the prefix or retention notes: 68% cached when quiet, 7 post-gap hours already excluded.",
    },
    repairs: [
      { key: "compare-bodies", step: "Compare the prompt at 04:00 and 14:00", why: "A prefix that differs at peak would look the same here.", how: "Log the first 3,000 tokens of ten requests in each hour.", result: "The next step depends on it.", samples: [] },
      { key: "size-key", step: "Size the key", why: "About 15 requests a minute for each key is where overflow begins.", how: "Take the p99 minute of the busiest hour.", result: "The next step depends on it.", samples: [] },
      { key: "ship-key", step: "Ship prompt_cache_key", why: "A key keeps requests with one prefix together.", how: "Use the conversation or the tenant document, never the request.", result: "The next step depends on it.", samples: [] },
    ],
    decided_at: "2026-11-26T15:12:00Z",
    rules_version: "full-4",
    previous_id: 6,
    next_id: 8,
    api_keys: [{ api_key_id: "key_1", name: "rag-prod" }],
    ...changes,
  };
}

export function historyFixture(): VerdictHistory {
  const run = (start: string, end: string, code: VerdictRun["code"], word: string): VerdictRun => ({
    start, end, code, word, days: (Date.parse(end) - Date.parse(start)) / (24 * HOUR), flipped_from: null, rules_changed: false,
  });
  return {
    days_stored: 57,
    complete_to: WINDOW_END,
    items: linked([
      run("2026-10-01", "2026-10-04", "too-few-linked-hours", "Too few linked hours"),
      run("2026-10-04", "2026-10-18", "share-rises-with-load", "Share rises with load"),
      run("2026-10-18", "2026-11-08", "healthy", "No finding"),
      run("2026-11-08", "2026-11-12", "load-correlated-misses", "Misses rise with load"),
      run("2026-11-12", "2026-11-17", "healthy", "No finding"),
      run("2026-11-17", "2026-11-27", "load-correlated-misses", "Misses rise with load"),
    ]),
  };
}

/** Runs as the server gives them: one that follows another without a missing day has flipped from it. */
export function linked(runs: VerdictRun[]): VerdictRun[] {
  return runs.map((run, index) => {
    const before = runs[index - 1];
    return { ...run, flipped_from: before?.end === run.start ? before.code : null };
  });
}

/** A series of which no day was asked for. */
export function minutesFixture(changes: Partial<SeriesMinutes> = {}): SeriesMinutes {
  return {
    state: "none", start: null, end: null, asked_at: null, fetched_at: null, reason: "", reason_code: "", notices: [],
    hours_read: 0, grouping: [], data_version: null, test: null, minutes: [], ...changes,
  };
}

/** A day that was read: two hours of which each has ten quieter and ten busier minutes, the latter cached less. */
export function readMinutesFixture(changes: Partial<SeriesMinutes> = {}): SeriesMinutes {
  const start = "2026-11-24T03:00:00Z";
  const minute = (hour: number, index: number): MinuteOfSeries => {
    const requests = (index < 10 ? 10 : 40) * (hour + 1);
    return {
      at: new Date(Date.parse(start) + hour * HOUR + index * 60_000).toISOString(),
      requests,
      input_tokens: requests * 1000,
      cached_tokens: requests * (index < 10 ? 600 : 200),
    };
  };
  return minutesFixture({
    state: "fetched",
    start,
    end: "2026-11-25T03:00:00Z",
    asked_at: "2026-11-26T15:12:00Z",
    fetched_at: "2026-11-26T15:13:00Z",
    hours_read: 24,
    test: { slope: -0.2, standard_errors: -20, burstiness: 1.04, hours: 12, minutes: 720 },
    minutes: [0, 1].flatMap((hour) => Array.from({ length: 20 }, (_, index) => minute(hour, index))),
    ...changes,
  });
}
