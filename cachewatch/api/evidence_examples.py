"""What answers about evidence look like."""

from __future__ import annotations

from typing import Any

EVIDENCE_EXAMPLE: dict[str, Any] = {
    "id": 3,
    "path": "/evidence/3",
    "source": {"slug": "acme", "name": "Acme", "kind": "openai"},
    "series": {"id": 12, "name": "rag-answer / gpt-5.4", "path": "/series/acme/proj_rag/gpt-5.4"},
    "file_name": "responses.jsonl",
    "state": "done",
    "progress": None,
    "heading": "Routing scatter: one prefix is found at times and missed at others",
    "error": None,
    "format": "generic",
    "by": ["arm"],
    "verdict": {
        "cause": "routing-scatter",
        "word": "Routing scatter",
        "confidence": "confirmed",
        "is_finding": True,
    },
    "closes": ["fan-out", "expiring-prefixes", "prompt-length", "minutes"],
    "requests": 66,
    "duplicates": 0,
    "left_out": 1,
    "rejected": 0,
    "pooled": {"share": 0.305, "cached_tokens": 88448, "input_tokens": 290392},
    "created_by": "jonas@example.org",
    "created_at": "2026-11-25T13:40:00Z",
    "finished_at": "2026-11-25T13:40:01Z",
    "can": {"delete": True},
}
