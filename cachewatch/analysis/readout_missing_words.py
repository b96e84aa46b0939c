"""What a readout waits for, and why one cannot be measured, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil

from cachewatch.analysis.explain import hour_words
from cachewatch.analysis.readout_thresholds import (
    MIN_BEFORE_DAYS,
    MIN_BEFORE_HOURS,
    MIN_FIRST_HOURS,
)
from cachewatch.analysis.readouts.result import Missing

NOT_MEASURABLE_WORDS: Mapping[str, str] = {
    "unpriced": "Net input cost per request is N/A: the model has no list price here.",
    "writes-not-reported": "Writes are not reported, so the cost is unknown.",
    "below-minimum": "No cached tokens: requests are below the minimum that can be cached.",
    "no-cached-tokens": "No cached tokens before or after, so nothing can be compared.",
    "cached-not-reported": "Cached tokens are not reported for the days before the marker.",
    "no-traffic-before": "No traffic in the days before the marker, so nothing can be compared.",
    "few-hours-before": "Too little traffic before the marker: "
    f"{MIN_BEFORE_HOURS.default:.0f} linked hours on {MIN_BEFORE_DAYS.default:.0f} days are needed.",
    "no-gaps-before": f"Fewer than {MIN_FIRST_HOURS.default:.0f} first hours after a gap before the "
    "marker: no pause to compare with.",
    "traffic-stopped": "Traffic stopped after the marker and did not come back within two weeks.",
    "rows-not-read": "Rows of hours around the marker could not be read: what was used in them is "
    "unknown, so nothing can be compared.",
    "few-hours-after": "Too little traffic in the two weeks after the marker.",
}


def missing_sentence(missing: Missing | None) -> str | None:
    """What is waited for, and until when; None where nothing is."""
    if missing is None:
        return None
    text = _MISSING[missing.reason](missing)
    if missing.reason in ("hours-to-read", "hours-after-to-read"):
        return f"{text}; it is measured when they are."
    if missing.by_hour is None and missing.reason == "rows-not-read":
        return f"{text}."
    if missing.by_hour is None:
        return f"{text}; two weeks did not settle it, so a person decides."
    return f"{text}; look again on {hour_words(missing.by_hour)} UTC."


def _counted(missing: Missing, words: str) -> str:
    return f"{missing.have or 0:.0f} of {missing.need or 0:.0f} {words}"


def _interval(missing: Missing, unit: str, need_unit: str) -> str:
    if missing.have is None:
        return "The interval is too wide for a word"
    half, need = ceil(missing.have * 1000) / 10, (missing.need or 0) * 100
    return f"The interval is \u00b1{half:.1f}{unit}; \u00b1{need:.0f}{need_unit} are needed"


def _stopped(missing: Missing) -> str:
    since = "" if missing.since_hour is None else f" since {hour_words(missing.since_hour)} UTC"
    return f"No traffic{since}, {missing.have or 0:.0f} hours"


_MISSING: Mapping[str, Callable[[Missing], str]] = {
    "hours-to-read": lambda one: _counted(one, "hours before the marker are read"),
    "hours-after-to-read": lambda one: _counted(one, "hours after the marker are read"),
    "rows-not-read": lambda one: _counted(
        one, "hours are read; rows of the others could not be, so what was used is unknown"
    ),
    "after-days": lambda one: _counted(one, "hours after the marker"),
    "busy-hours": lambda one: _counted(one, "busy hours of a load that was seen before"),
    "first-hours": lambda one: _counted(one, "first hours after a gap since the marker"),
    "days-of-a-kind": lambda _one: "No weekday (or weekend day) before to compare with yet",
    "traffic-stopped": _stopped,
    "interval": lambda one: _interval(one, " points", ""),
    "cost-interval": lambda one: _interval(one, "% of the cost", "%"),
    "as-usual": lambda _one: "Fake markers on untouched series moved as much",
    "ends-disagree": lambda _one: "Busy hours gained and quiet hours lost; no word for both",
}
