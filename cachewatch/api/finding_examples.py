"""What answers about findings look like."""

from __future__ import annotations

from typing import Any

from cachewatch.api.money import AVOIDABLE_EXAMPLE, MONEY_EXAMPLE

OWNER: dict[str, Any] = {"id": 3, "name": "Mira Okafor"}
_SERIES: dict[str, Any] = {
    "source": {"slug": "acme", "name": "Acme", "kind": "openai"},
    "series_id": 12,
    "project_id": "proj_rag",
    "project_name": "rag-answer",
    "model": "gpt-5.4",
    "model_name": "gpt-5.4",
    "series_path": "/series/acme/proj_rag/gpt-5.4",
}
FINDING_EXAMPLE: dict[str, Any] = {
    "id": 4,
    **_SERIES,
    "code": "load-correlated-misses",
    "word": "Misses rise with load",
    "heading": "Cached share falls from 68% when quiet to 16% when busy",
    "state": "in-progress",
    "state_word": "In progress",
    "standing": "Open 9 days",
    "opened_at": "2026-11-17T09:03:00Z",
    "state_since": "2026-11-18T10:00:00Z",
    "days_open": 9,
    "cleared_on": None,
    "cleared_sentence": None,
    "owner": OWNER,
    "tracker": "https://tracker.example.org/RAG-12",
    "reason": "",
    "accepted_until": None,
    "handed_to": "",
    "marker_id": None,
    "version": 5,
    "avoidable": AVOIDABLE_EXAMPLE,
    "money": MONEY_EXAMPLE,
    "steps_done": 3,
    "steps_total": 8,
    "next_step": {"key": "keys-at-last-hop", "number": 4, "step": "Find out which key is sent"},
}
ACTIVITY_EXAMPLE: dict[str, Any] = {
    "id": 91,
    "finding_id": 4,
    "action": "changed",
    "sentence": "In progress, was new; owner Mira Okafor, was none",
    "text": "",
    "fields": {"state": ["new", "in-progress"], "owner": [None, "Mira Okafor"]},
    "by": "Mira Okafor",
    "at": "2026-11-18T10:00:00Z",
}
ATTENTION_EXAMPLE: dict[str, Any] = {
    "kind": "no-owner",
    "kind_word": "Open 9 days",
    "group": "high",
    **_SERIES,
    "verdict": {"code": "load-correlated-misses", "word": "Misses rise with load"},
    "sentence": "Cached share falls from 68% when quiet to 16% when busy",
    "since": "2026-11-17T09:03:00Z",
    "age_days": 9,
    "owner": None,
    "avoidable": AVOIDABLE_EXAMPLE,
    "money": MONEY_EXAMPLE,
    "finding_id": 4,
    "readout_id": None,
    "readout_state": None,
    "next_step": {"label": "Assign an owner", "path": "/series/acme/proj_rag/gpt-5.4#finding"},
}
