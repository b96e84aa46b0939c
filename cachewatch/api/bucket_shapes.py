"""The shapes of pushed hours."""

from __future__ import annotations

from typing import Any

from ninja import Field

from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.api.request_shapes import Slug


class NewBuckets(Shape):
    """Where pushed hours belong."""

    source: Slug | None = Field(
        default=None,
        description="slug of a source of the kind buckets; left out: the header "
        "X-Cachewatch-Source, else the only source that takes buckets",
    )


class StoredBuckets(Shape):
    """What a push did. Sent again, it changes nothing: all its rows are then `unchanged`.

    `hours` were replaced whole; `hours_in_part` were cut off at an edge of the pages, and left out.
    `removed` rows are stored ones that their hour no longer holds.
    """

    source: str
    hours: int
    hours_in_part: int
    rows: int
    new: int
    changed: int
    removed: int
    unchanged: int

    model_config = examples(
        {
            "source": "warehouse",
            "hours": 24,
            "hours_in_part": 0,
            "rows": 96,
            "new": 92,
            "changed": 4,
            "removed": 0,
            "unchanged": 0,
        }
    )


def _nullable(kind: str) -> dict[str, Any]:
    return {"type": kind, "nullable": True}


_COUNTS = (
    "requests",
    "input_tokens",
    "cached_input_tokens",
    "cache_write_tokens",
    "cache_write_30m_tokens",
    "cache_write_12h_tokens",
    "uncached_input_tokens",
    "output_tokens",
)
_TEXTS = ("project_id", "model", "api_key_id", "service_tier")
_ROW: dict[str, Any] = {
    "type": "object",
    "description": "One combination of dimensions; null or absent is not reported, never zero. "
    "input_tokens holds cached and written tokens",
    "additionalProperties": False,
    "properties": {name: _nullable("string") for name in _TEXTS}
    | {"batch": _nullable("boolean")}
    | {name: _nullable("integer") for name in _COUNTS},
}
_TIME: dict[str, Any] = {"oneOf": [{"type": "string"}, {"type": "integer"}]}
_HOUR: dict[str, Any] = {
    "type": "object",
    "description": "One whole UTC hour: its beginning as start_time or hour, and all its rows",
    "required": ["rows"],
    "additionalProperties": False,
    "properties": {
        "start_time": _TIME,
        "hour": _TIME,
        "rows": {"type": "array", "items": _ROW},
    },
}
BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "Hours with their rows; or pages of the provider's usage API, as one object, "
        "as a list or one a line. Plain, or packed with gzip (Content-Encoding: gzip)",
        "content": {
            "application/json": {
                "schema": {
                    "oneOf": [
                        {
                            "type": "object",
                            "required": ["hours"],
                            "additionalProperties": False,
                            "properties": {"hours": {"type": "array", "items": _HOUR}},
                        },
                        {"type": "object", "required": ["data"], "additionalProperties": True},
                        {"type": "array", "items": {"type": "object"}},
                    ]
                }
            }
        },
    }
}
