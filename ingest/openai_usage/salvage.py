"""The slow way through a bucket with a bad value: what is readable is kept, the rest is named."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isinf
from typing import Any, NamedTuple

import msgspec

from ingest.normalise import DIMENSIONS
from ingest.openai_usage.json_text import is_whole_text
from ingest.openai_usage.wire import (
    LAST_SECOND,
    LONGEST_ID,
    LONGEST_MODEL,
    LONGEST_TIER,
    MOST_TOKENS,
    UsageResult,
)

_SHOWN_CHARACTERS = 120
_LONGEST_DIMENSIONS = 900  # characters, as the column that keeps them
_SERIES_FIELDS = {"project_id", "model"}  # without them a row belongs nowhere
_LONGEST_TEXT = {
    "object": LONGEST_ID,
    "project_id": LONGEST_ID,
    "model": LONGEST_MODEL,
    "api_key_id": LONGEST_ID,
    "service_tier": LONGEST_TIER,
}


class Unreadable(NamedTuple):
    """A value that has the wrong type."""

    row: int | None  # 1-based; None: of the bucket itself
    field: str
    reason: str
    sent: object
    dimensions: str = ""  # the row's readable ones


class SalvagedBucket(NamedTuple):
    """A bucket's readable parts. A None among the results is a row that belongs nowhere."""

    start_s: int | None
    end_s: int | None
    results: list[UsageResult | None] | None  # None: not a list
    unreadable: list[Unreadable]


def salvage_bucket(sent: object) -> SalvagedBucket:
    """Take a decoded bucket apart. Never raises."""
    if not isinstance(sent, dict):
        problem = Unreadable(None, "bucket", f"it is {kind(sent)}, not an object", sent)
        return SalvagedBucket(None, None, None, [problem])
    unreadable: list[Unreadable] = []
    start_s = _time(sent, "start_time", unreadable)
    end_s = _time(sent, "end_time", unreadable)
    results = sent.get("results")
    if isinstance(results, list):
        rows = [_result(row, number, unreadable) for number, row in enumerate(results, 1)]
        return SalvagedBucket(start_s, end_s, rows, unreadable)
    reason = f"it is {kind(results)}, not a list" if "results" in sent else "it is missing"
    unreadable.append(Unreadable(None, "results", reason, results))
    return SalvagedBucket(start_s, end_s, None, unreadable)


def kind(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    names = {bool: "true or false", str: "a text", list: "a list", dict: "an object"}
    return names.get(type(value), "a number")


def shorten(value: object) -> str:
    """A JSON value as JSON, at most 120 characters of it."""
    try:
        # The encoder writes an infinite number as null.
        endless = isinstance(value, float) and isinf(value)
        text = json.dumps(value) if endless else msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        text = json.dumps(value)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[: _SHOWN_CHARACTERS - 3]}..."


def _time(sent: dict[str, object], name: str, unreadable: list[Unreadable]) -> int | None:
    value = _whole(sent.get(name))
    reason = "it is missing" if name not in sent else _count_reason(value, LAST_SECOND)
    if reason is None and isinstance(value, int):
        return value
    unreadable.append(Unreadable(None, name, reason or "it is null", sent.get(name)))
    return None


def _result(sent: object, number: int, unreadable: list[Unreadable]) -> UsageResult | None:
    if not isinstance(sent, dict):
        problem = Unreadable(number, "results", f"the row is {kind(sent)}, not an object", sent)
        unreadable.append(problem)
        return None
    good: dict[str, Any] = {}
    bad: dict[str, str] = {}
    for name in UsageResult.__struct_fields__:
        value = _whole(sent.get(name))
        reason = _reason(name, value)
        if reason is None:
            good[name] = value
        else:
            bad[name] = reason
    series = dimensions_text(good)
    unreadable.extend(
        Unreadable(number, name, reason, sent[name], series) for name, reason in bad.items()
    )
    return None if _SERIES_FIELDS & bad.keys() else UsageResult(**good)


def dimensions_text(values: Mapping[str, object]) -> str:
    """ "project_id=proj_a, model=gpt-5": a row's dimensions, without those that are null."""
    parts = (f"{name}={values[name]}" for name in DIMENSIONS if values.get(name) is not None)
    return ", ".join(parts)[:_LONGEST_DIMENSIONS]


def _whole(value: object) -> object:
    """1000.0 is the whole number 1000, written with a point."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _reason(name: str, value: object) -> str | None:
    """Why this value of a result's field cannot be used; None where it can."""
    if name in _LONGEST_TEXT:
        return _text_reason(value, _LONGEST_TEXT[name])
    if name == "batch":
        return None if value is None or isinstance(value, (bool, str)) else f"it is {kind(value)}"
    return _count_reason(value, MOST_TOKENS)


def _text_reason(value: object, longest: int) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        return f"it is {kind(value)}, not a text"
    if "\x00" in value:
        return "it holds a NUL character"
    if not is_whole_text(value):
        return "it holds half of a surrogate pair, which is no character"
    return f"it is longer than {longest} characters" if len(value) > longest else None


def _count_reason(value: object, most: int) -> str | None:
    if value is None:
        return None
    if isinstance(value, float) and isinf(value):
        return "it is negative" if value < 0 else f"it is larger than {most:,}"
    if isinstance(value, float):
        return "it is a fraction, not a whole number"
    if isinstance(value, bool) or not isinstance(value, int):
        return f"it is {kind(value)}, not a whole number"
    if value < 0:
        return "it is negative"
    return f"it is larger than {most:,}" if value > most else None
