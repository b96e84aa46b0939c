import type { Activity, Attention, AttentionItem, Finding, SeriesWork, Step } from "../api/types";

const SERIES = {
  source: { slug: "acme", name: "Acme", kind: "openai" },
  series_id: 7,
  project_id: "proj_rag",
  project_name: "rag-answer",
  model: "gpt-5.4",
  model_name: "gpt-5.4",
  series_path: "/series/acme/proj_rag/gpt-5.4",
} as const;

const AVOIDABLE = { basis: "quiet share", reference_share: 0.68, price_date: "2026-11-26", priced_share: 1, tokens_per_week: [467_000_000, 1_022_000_000], usd_per_week: [1051.2, 2300.4] } as const;
const MONEY = { amount: "$1,051 to $2,300", basis: "low end: busy hours to 68%", note: "" };

export function attentionItem(change: Partial<AttentionItem> = {}): AttentionItem {
  return {
    ...SERIES,
    kind: "finding",
    kind_word: "Open 9 days",
    group: "high",
    verdict: { code: "load-correlated-misses", word: "Misses rise with load" },
    sentence: "Cached share falls from 68% when quiet to 16% when busy",
    since: "2026-11-17T09:03:00Z",
    age_days: 9,
    owner: { id: 3, name: "Mira Okafor" },
    avoidable: { ...AVOIDABLE, tokens_per_week: [...AVOIDABLE.tokens_per_week], usd_per_week: [...AVOIDABLE.usd_per_week] },
    money: MONEY,
    finding_id: 4,
    readout_id: null,
    readout_state: null,
    next_step: { label: "Ship prompt_cache_key (step 3 of 3)", path: "/series/acme/proj_rag/gpt-5.4#repair" },
    ...change,
  };
}

export function attention(items: AttentionItem[] = [], change: Partial<Attention["counts"]> = {}): Attention {
  return { items, counts: { all: items.length, sudden: 0, high: items.length, review: 0, ...change } };
}

export function finding(change: Partial<Finding> = {}): Finding {
  return {
    ...SERIES,
    id: 4,
    code: "load-correlated-misses",
    word: "Misses rise with load",
    heading: "Cached share falls from 68% when quiet to 16% when busy",
    state: "new",
    state_word: "New",
    standing: "New, 2 days",
    opened_at: "2026-11-24T09:03:00Z",
    state_since: "2026-11-24T09:03:00Z",
    days_open: 2,
    cleared_on: null,
    cleared_sentence: null,
    owner: null,
    tracker: "",
    reason: "",
    accepted_until: null,
    handed_to: "",
    marker_id: null,
    version: 5,
    avoidable: attentionItem().avoidable,
    money: MONEY,
    steps_done: 1,
    steps_total: 3,
    next_step: { key: "size-the-key", number: 2, step: "Size the key" },
    ...change,
  };
}

export function step(change: Partial<Step> = {}): Step {
  return {
    key: "size-the-key",
    number: 2,
    step: "Size the key",
    why: "About 15 requests a minute for each key is where overflow begins.",
    how: "Take the p99 minute of the busiest hour.",
    result: "The number of keys.",
    samples: [],
    state: "open",
    mark: null,
    kept_from: null,
    ...change,
  };
}

/** Three steps, the first ticked, and one that a former verdict left. */
export function work(change: Partial<SeriesWork> = {}): SeriesWork {
  return {
    finding: finding(),
    checklist: [
      step({ key: "compare", number: 1, step: "Compare the prompt at 04:00 and 14:00", state: "done", mark: { state: "done", reason: "", by: "Mira Okafor", at: "2026-11-25T09:12:00Z", version: 1 } }),
      step(),
      step({
        key: "ship-key",
        number: 3,
        step: "Ship prompt_cache_key",
        samples: [
          { label: "OpenAI Python", language: "python", code: "client.responses.create(prompt_cache_key=key)" },
          { label: "HTTP", language: "sh", code: "curl https://api.openai.com/v1/responses" },
        ],
      }),
      step({ key: "probe", number: null, step: "Send a two-call probe", why: "", how: "", result: "", state: "done", mark: { state: "done", reason: "", by: null, at: "2026-11-20T08:00:00Z", version: 1 }, kept_from: "Flat low share" }),
    ],
    steps_done: 1,
    steps_total: 3,
    team_note: null,
    notes: [
      { key: "changing-prefix", title: "A prefix that changes", fits: true },
      { key: "retention", title: "Retention", fits: false },
    ],
    people: [{ id: 3, name: "Mira Okafor" }, { id: 4, name: "Jonas Weber" }],
    can_write: true,
    ...change,
  };
}

/** A series that nobody has worked on. */
export function noWork(change: Partial<SeriesWork> = {}): SeriesWork {
  return work({ finding: null, checklist: [], notes: [], steps_done: 0, steps_total: 0, ...change });
}

export function activity(change: Partial<Activity> = {}): Activity {
  return { id: 91, finding_id: 4, action: "opened", sentence: "Finding opened: misses rise with load", text: "", fields: {}, by: null, at: "2026-11-24T09:03:00Z", ...change };
}
