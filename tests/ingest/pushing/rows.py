"""Rows as a gateway pushes them, and a source that takes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from ingest import queries, services
from ingest.models import Source, UsageBucket
from ingest.queries import State
from ingest.services import PushOutcome
from tests.factories import HOUR, at

NOW = at(HOUR + 10, 5)
SENT_AT = at(HOUR, 10)
BUCKET = ("hour", "requests", "input_tokens", "cached_tokens", "output_tokens")


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


def push(source: Source, *rows: object, now: datetime = NOW, **more: Any) -> None:
    """Push rows, none of which is rejected."""
    answers = services.push_requests(source, rows, now=now, **more)
    assert {answer.outcome for answer in answers} <= {PushOutcome.ACCEPTED, PushOutcome.LEFT_OUT}


def count(source: Source, now: datetime = NOW) -> int:
    """Count the hours that are due."""
    return services.count_pushed(source, now=now)


def buckets() -> list[tuple[Any, ...]]:
    """The counts of every bucket."""
    return list(UsageBucket.objects.order_by("hour", "slice__series__model").values_list(*BUCKET))


def states(source: Source, start: int, end: int, now: datetime = NOW) -> list[State]:
    """The states of the hours [start, end)."""
    return [one.state for one in queries.hour_states(source, start, end, now)]
