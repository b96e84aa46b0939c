"""A readout as plain values for JSON: numbers, codes, and the texts made from them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any

from cachewatch.analysis import readout_words as words
from cachewatch.analysis.readouts.comparing import Interval
from cachewatch.analysis.readouts.kinds import MEASURES, Measure
from cachewatch.analysis.readouts.result import Check, MeasureReading, Missing, Readout

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SHOWN_CONFIDENCE = 0.9


def as_json(readout: Readout, project_id: str | None, model: str | None) -> dict[str, Any]:
    """The document of one readout; null where nothing is known, never NaN.

    Shares, changes and intervals are ratios (0.479 = 47.9 points), costs USD a request, times
    RFC 3339 in UTC. `project_id` and `model` name the series; model None = all of the project.
    """
    spans, pooled = readout.spans, _find(readout, "pooled_share")
    net = readout.net
    return {
        "state": readout.state,
        "reasons": list(readout.reasons),
        "kind": readout.marker.kind,
        "series": {"project_id": project_id, "model": model},
        "windows": {
            "before": _window(
                spans.before_start, spans.before_end, pooled.before_hours if pooled else 0
            ),
            "after": _window(
                spans.after_start, spans.after_end, pooled.after_hours if pooled else 0
            ),
            "washout_hours": spans.washout_hours,
        },
        "primary": readout.primary,
        "measures": {name: _measure(_find(readout, name)) for name in MEASURES},
        "checks": [_check(one, readout) for one in readout.checks],
        "control": _control(readout),
        "placebo": readout.placebos._asdict() if readout.placebos else None,
        "net_change": {
            "value": net.value if net else None,
            "interval": _bounds(net.interval) if net else None,
        },
        "minimum_effect": readout.minimum_effect,
        "minimum_detectable": readout.minimum_detectable,
        "looks": [_look(one) for one in readout.looks],
        "low_days": readout.low_days,
        "value": _value(readout),
        "missing": words.missing_sentence(readout.missing),
        "missing_numbers": _missing(readout.missing),
        "texts": _texts(readout),
    }


def hour_text(hour: int) -> str:
    """A whole UTC hour since the epoch as RFC 3339."""
    return (_EPOCH + timedelta(hours=hour)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _find(readout: Readout, name: Measure) -> MeasureReading | None:
    return next((one for one in readout.measures if one.name == name), None)


def _window(start: int, end: int, hours: int) -> dict[str, Any]:
    return {"start": hour_text(start), "end": hour_text(end), "hours": hours}


def _measure(one: MeasureReading | None) -> dict[str, Any] | None:
    if one is None:
        return None
    counts = {
        "before_cached": one.before_numerator,
        "before_input": one.before_denominator,
        "after_cached": one.after_numerator,
        "after_input": one.after_denominator,
    }
    if one.name in ("cached_per_request", "input_cost_per_request"):
        top = "cached" if one.name == "cached_per_request" else "usd"
        counts = {
            f"before_{top}": one.before_numerator,
            "before_requests": one.before_denominator,
            f"after_{top}": one.after_numerator,
            "after_requests": one.after_denominator,
        }
    numbers = counts if one.before_denominator is not None else {}
    return {
        "before": _number(one.before),
        "after": _number(one.after),
        "expected": _number(one.expected),
        "change": _number(one.change),
        "interval": _bounds(one.interval),
        **{name: _number(value) for name, value in numbers.items()},
        "before_hours": one.before_hours,
        "after_hours": one.after_hours,
        "direction": one.direction,
        "reading": one.reading,
    }


def _check(one: Check, readout: Readout) -> dict[str, Any]:
    return {
        "name": one.name,
        "before": _number(one.before),
        "after": _number(one.after),
        "limit": _number(one.limit),
        "ok": one.ok,
        "blocks": one.blocks,
        "explained": _number(one.explained),
        "statement": words.check_sentence(one, readout.primary),
    }


def _control(readout: Readout) -> dict[str, Any]:
    controls = readout.controls
    return {
        "series": len(controls.series),
        "change": controls.change,
        "interval": _bounds(controls.interval(SHOWN_CONFIDENCE)),
    }


def _look(one: Any) -> dict[str, Any]:
    return {
        "days": one.days,
        "confidence": one.confidence,
        "state": one.state,
        "change": one.change,
        "interval": _bounds(one.interval),
    }


def _missing(missing: Missing | None) -> dict[str, Any] | None:
    """What is waited for in numbers: hours, or points of half an interval."""
    if missing is None:
        return None
    by, since = missing.by_hour, missing.since_hour
    return {
        "reason": missing.reason,
        "have": _number(missing.have),
        "need": _number(missing.need),
        "look_again": None if by is None else hour_text(by),
        "since": None if since is None else hour_text(since),
    }


def _value(readout: Readout) -> dict[str, Any] | None:
    value = readout.value
    if value is None:
        return None
    return {
        "cached_tokens_a_week": value.cached_tokens,
        "cached_tokens_interval": _bounds(value.tokens_interval),
        "usd_a_week": _number(value.usd),
        "usd_interval": _bounds(value.usd_interval),
        "priced_part": _number(value.priced_part),
    }


def _texts(readout: Readout) -> dict[str, Any]:
    return {
        "state": words.state_word(readout.state),
        "heading": words.heading(readout),
        "caveat": words.CAVEAT,
        "reasons": words.reason_sentences(readout),
        "measures": [words.measure_sentence(one) for one in readout.measures],
        "controls": words.controls_sentence(readout) if readout.looks else None,
        "placebo": words.placebo_sentence(readout),
        "detectable": words.detectable_sentence(readout),
        "value": words.value_sentence(readout) if readout.looks else None,
    }


def _number(value: float | None) -> float | None:
    return value if value is not None and isfinite(value) else None


def _bounds(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)
