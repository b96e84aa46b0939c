"""Findings as JSON: the part of `cachewatch evidence --json` that the analysis answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from cachewatch.analysis.requests.findings import (
    Arm,
    Comparison,
    Finding,
    Number,
    RequestFindings,
)


def to_json(found: RequestFindings) -> dict[str, Any]:
    """Keys findings, missed_tokens, arms, comparisons, floor; numbers JSON can hold."""
    missed = found.missed_tokens
    by_cause = {str(cause): tokens for cause, tokens in missed.by_cause.items()}
    return {
        "findings": [_finding(one) for one in found.findings],
        "missed_tokens": {
            "total": missed.total,
            "by_cause": {**by_cause, "unknown": missed.unknown},
        },
        "arms": [_arm(one) for one in found.arms],
        "comparisons": [comparison_json(one) for one in found.comparisons],
        "floor": None if found.floor is None else asdict(found.floor),
    }


def comparison_json(one: Comparison) -> dict[str, object]:
    """Two arms, in words."""
    told = ("a", "b", "p", "method", "statement")
    return {name: getattr(one, name) for name in told}


def _finding(one: Finding) -> dict[str, object]:
    return {
        "cause": one.cause,
        "confidence": one.confidence,
        "numbers": _plain(one.numbers),
        "statement": one.statement,
        "does_not_prove": one.does_not_prove,
    }


def _arm(one: Arm) -> dict[str, object]:
    return {
        "arm": dict(one.values),
        "n": one.n,
        "zeros": one.zeros,
        "partial": one.partial,
        "full": one.full,
        "input_tokens": one.input_tokens,
        "cached_tokens": one.cached_tokens,
        "share": one.share,
        "hit_interval": list(one.hit_interval),
    }


def _plain(numbers: Mapping[str, Number]) -> dict[str, Number]:
    """Whole floats as integers; what is no number as None."""
    return {name: _number(value) for name, value in numbers.items()}


def _number(value: Number) -> Number:
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) > 1 else value
