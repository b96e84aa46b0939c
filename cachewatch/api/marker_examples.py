"""What answers about markers look like."""

from __future__ import annotations

from typing import Any

MARKER_EXAMPLE: dict[str, Any] = {
    "id": 7,
    "source": {"slug": "acme", "name": "Acme", "kind": "openai"},
    "scope": "series",
    "project_id": "proj_rag",
    "project_name": "rag-answer",
    "series_id": 12,
    "model": "gpt-5.4",
    "series_path": "/series/acme/proj_rag/gpt-5.4",
    "kind": "key-shipped",
    "word": "key shipped",
    "state": "in-force",
    "at": "2026-11-12T14:00:00Z",
    "until": None,
    "link": "https://git.example.org/rag/pull/812",
    "note": "all pods since 14:00",
    "external_id": "deploy-812",
    "version": 1,
    "created_by": "mira@example.org",
    "created_at": "2026-11-12T14:02:05Z",
    "changed_at": "2026-11-12T14:02:05Z",
    "rollout": {
        "id": 5,
        "particulars": {
            "key": "rag-{tenant}",
            "granularity": "tenant-document",
            "shards": 1,
            "units_at_peak": 40,
            "position": None,
            "mode": None,
            "change": None,
            "retention": None,
        },
        "readouts": [
            {
                "id": 9,
                "series_id": 12,
                "state": "improved",
                "state_word": "Improved",
                "outcome": None,
            }
        ],
    },
}
CHANGE_EXAMPLE: dict[str, Any] = {
    "id": 31,
    "action": "changed",
    "fields": {"note": ["", "all pods since 14:00"]},
    "by": "mira@example.org",
    "at": "2026-11-12T14:10:00Z",
}
ROLLOUT_EXAMPLE: dict[str, Any] = {
    "id": 5,
    "marker": MARKER_EXAMPLE,
    "readouts": 1,
    "decided": 0,
}
READOUT_EXAMPLE: dict[str, Any] = {
    "id": 9,
    "rollout_id": 5,
    "marker_id": 7,
    "kind": "key-shipped",
    "kind_word": "key shipped",
    "at": "2026-11-12T14:00:00Z",
    "until": None,
    "source": {"slug": "acme", "name": "Acme", "kind": "openai"},
    "series_id": 12,
    "project_id": "proj_rag",
    "project_name": "rag-answer",
    "model": "gpt-5.4",
    "series_name": "rag-answer / gpt-5.4",
    "series_path": "/series/acme/proj_rag/gpt-5.4",
    "path": "/readouts/9",
    "state": "improved",
    "state_word": "Improved",
    "is_claim": True,
    "heading": "Busy-hour cached share rose from 16.2% to 61.0% after the key shipped",
    "missing": None,
    "net_change": 0.448,
    "measured_at": "2026-11-19T15:03:00Z",
    "complete_to": "2026-11-19T14:00:00Z",
    "data_version": 4711,
    "problem": None,
    "decision": {
        "outcome": "works",
        "outcome_word": "Works",
        "reason": "busy hours read the prefix",
        "by": "mira@example.org",
        "at": "2026-11-20T09:00:00Z",
    },
    "late": None,
}
