"""The shapes of pushed requests."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from ninja import Field
from pydantic import StringConstraints

from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples

Slug = Annotated[str, StringConstraints(max_length=200)]


class NewRequests(Shape):
    """Where pushed requests belong."""

    source: Slug | None = Field(
        default=None,
        description="slug of a source of the kind requests; left out: the header "
        "X-Cachewatch-Source, else the only source that takes requests",
    )
    complete_to: str | None = Field(
        default=None,
        max_length=40,
        description="all requests before this time were sent; hours without any are then idle",
    )


class PushedRow(Shape):
    """What became of one row. `row` is its place in the list, or its line; from 1.

    `reason` says why. It is empty for a row that was there already with equal numbers, and for one that
    is accepted, unless its counts cannot be: more cached or written tokens than input.
    """

    row: int
    outcome: Literal["accepted", "already-there", "left-out", "rejected"]
    reason: str


class PushedRequests(Shape):
    """What became of a batch, in sum and row by row.

    Rows that are rejected would be so again: mend them, or drop them. All others are stored.
    """

    source: str
    accepted: int
    already_there: int
    left_out: int
    rejected: int
    rows: list[PushedRow]

    model_config = examples(
        {
            "source": "azure",
            "accepted": 1,
            "already_there": 0,
            "left_out": 0,
            "rejected": 1,
            "rows": [
                {"row": 1, "outcome": "accepted", "reason": ""},
                {"row": 2, "outcome": "rejected", "reason": "request_id is missing"},
            ],
        }
    )


_ROW: dict[str, Any] = {
    "type": "object",
    "description": "One request in the generic form; other short columns are possible arms",
    "required": ["request_id", "timestamp", "input_tokens"],
    "additionalProperties": True,
    "properties": {
        "request_id": {"type": "string"},
        "timestamp": {"oneOf": [{"type": "string"}, {"type": "number"}]},
        "input_tokens": {"type": "integer"},
        "cached_input_tokens": {"type": "integer", "nullable": True},
        "cache_write_tokens": {"type": "integer", "nullable": True},
        "output_tokens": {"type": "integer", "nullable": True},
        "project": {"type": "string"},
        "model": {"type": "string"},
        "session": {"type": "string"},
        "account": {"type": "string"},
        "prompt_cache_key": {"type": "string", "nullable": True},
        "prefix_hash": {"type": "string"},
        "service_tier": {"type": "string"},
        "reasoning_effort": {"type": "string"},
        "streamed": {"type": "boolean"},
        "status": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
    },
}
BODY: dict[str, Any] = {
    "requestBody": {
        "required": False,
        "description": "None where only complete_to is told. Requests in the generic form, plain or packed with gzip "
        "(Content-Encoding: gzip): a JSON object with a list, or JSON lines",
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["requests"],
                    "additionalProperties": False,
                    "properties": {"requests": {"type": "array", "items": _ROW}},
                }
            },
            "application/x-ndjson": {"schema": {"type": "string"}},
        },
    }
}
