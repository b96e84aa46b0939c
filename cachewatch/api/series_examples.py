"""Examples of the shapes of series."""

from __future__ import annotations

from typing import Any

from cachewatch.api.money import AVOIDABLE_EXAMPLE, MONEY_EXAMPLE
from cachewatch.api.series_standing import DECISION_EXAMPLE, STANDING_EXAMPLE

ROW_EXAMPLE: dict[str, Any] = {
    "id": 12,
    "source": {"slug": "acme", "name": "Acme", "kind": "openai"},
    "project_id": "proj_rag",
    "project_name": "rag-answer",
    "model": "gpt-5.4",
    "model_name": "gpt-5.4",
    "path": "/series/acme/proj_rag/gpt-5.4",
    "verdict": {
        "code": "load-correlated-misses",
        "word": "Misses rise with load",
        "published_state": "load-correlated-misses",
        "published_word": "Misses rise with load",
        "action_class": "yours to fix",
        "since": "2026-11-21",
        "days": 6,
        "short": "68% quiet, 16% busy",
        "sentence": "Cached share falls from 68% when quiet to 16% when busy",
        "is_finding": True,
        "day": "2026-11-26",
        "flags": ["near-threshold"],
        "near_threshold": True,
        "nearest": None,
        "retires_on": None,
        "onset": {"at": "2026-11-21T03:00:00Z", "provisional": False},
    },
    "decision": DECISION_EXAMPLE,
    "pooled": {"share": 0.25, "cached_tokens": 250_000_000, "input_tokens": 1_000_000_000},
    "quiet": {
        "share": 0.68,
        "cached_tokens": 34_000_000,
        "input_tokens": 50_000_000,
        "requests_per_hour": 187.0,
        "hours": 48,
        "low_requests": 90,
        "high_requests": 310,
    },
    "busy": {
        "share": 0.16,
        "cached_tokens": 112_000_000,
        "input_tokens": 700_000_000,
        "requests_per_hour": 3405.0,
        "hours": 48,
        "low_requests": 2100,
        "high_requests": 5210,
    },
    "third_reason": None,
    "avoidable": AVOIDABLE_EXAMPLE,
    "money": MONEY_EXAMPLE,
    "rho": -0.91,
    "linked_hours": 147,
    "requests_per_day": 41200.0,
    "awaits_settling": False,
    "points": [
        {
            "t": "2026-11-19T12:00:00Z",
            "share": 0.41,
            "cached_tokens": 8_200_000,
            "input_tokens": 20_000_000,
        }
    ],
    "complete_to": "2026-11-26T13:00:00Z",
    "last_traffic": "2026-11-26T12:00:00Z",
    "idle_days": 0,
}
LISTED_EXAMPLE: dict[str, Any] = {
    **ROW_EXAMPLE,
    "work": {
        "finding_id": 4,
        "finding_state": "shipped",
        "standing": "Open 9 days",
        "owner": {"id": 3, "name": "Mira Okafor"},
        "rollout": "Collecting",
        "rollout_note": "key shipped, 23 Nov",
        "readout_id": 7,
        "readout_state": "collecting",
    },
}
DETAIL_EXAMPLE: dict[str, Any] = {
    **ROW_EXAMPLE,
    **STANDING_EXAMPLE,
    "can": {"annotate": True},
    "lede": "The prefix is cacheable; the requests do not land where it is cached.",
    "window": {"start": "2026-11-19T13:00:00Z", "end": "2026-11-26T13:00:00Z"},
    "now_hours": 168,
    "excluded": {
        "after_gap": 21,
        "unsettled": 0,
        "no_input": 0,
        "no_requests": 0,
        "not_reported": 0,
        "clipped": 0,
        "unknown_before": 0,
    },
    "excluded_sentence": "21 hours that follow a gap were left out.",
    "thresholds": [
        {
            "name": "gap_points",
            "label": "Fall inside the day, same traffic",
            "value": 0.52,
            "limit": 0.05,
            "side": "at or above",
            "unit": "points",
            "passes": True,
            "sentence": "the share falls by 52 points inside the day, a finding starts at a fall of "
            "5 points",
            "closest": True,
            "finding": "",
        }
    ],
    "threshold_values": {
        "rho_floor": -0.4,
        "ratio_floor": 0.6,
        "quiet_floor": 0.15,
        "min_hours": 24,
        "set_by": "default",
    },
    "handoff": None,
    "repairs": [
        {
            "key": "set-key",
            "step": "Set prompt_cache_key",
            "why": "Requests with one key go to the same machines.",
            "how": "Use the template's name.",
            "result": "Busy hours should read like quiet ones two service days later.",
            "samples": [
                {
                    "label": "OpenAI Python",
                    "language": "python",
                    "code": "client.responses.create(model=MODEL, input=INPUT, prompt_cache_key=key)",
                }
            ],
        }
    ],
    "decided_at": "2026-11-26T13:05:00Z",
    "rules_version": "full-5",
    "previous_id": None,
    "next_id": 13,
    "api_keys": [{"api_key_id": "key_1", "name": "gateway"}],
}
