"""Rows as a gateway pushes them, and a source that takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ingest import services
from ingest.models import Source
from tests.factories import HOUR, at

NOW = at(HOUR + 10, 5)
SENT_AT = at(HOUR, 10)


def gateway(name: str = "Azure", **fields: Any) -> Source:
    """A source that takes requests."""
    return services.add_pushed_source(name=name, kind=Source.Kind.REQUESTS, now=NOW, **fields)


def request_row(number: int, time: datetime = SENT_AT, **fields: Any) -> dict[str, Any]:
    """A request of 4,000 input tokens, 1,000 of them cached."""
    return {
        "request_id": f"req-{number}",
        "timestamp": time.isoformat(),
        "project": "assistant",
        "model": "gpt-5.4",
        "input_tokens": 4_000,
        "cached_input_tokens": 1_000,
        "output_tokens": 50,
    } | fields
