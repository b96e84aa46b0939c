"""Thresholds in words: the number, and where a finding starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cachewatch.analysis import figures
from cachewatch.analysis.distances import Distance, distances
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.figures import count, falls_by, percent, points


def nearest_sentence(evidence: Evidence) -> str:
    """The nearest threshold in words: "busy is 61% of quiet, a finding starts at 60%"."""
    rows = distances(evidence)
    nearest = next(row for row in rows if row.closest)
    others = sum(row.passes is False for row in rows if not row.closest)
    text = distance_sentence(nearest)
    if nearest.passes or not others:
        return text
    return f"{text}; {others} more threshold{'s' if others > 1 else ''} not reached"


def distance_sentence(row: Distance) -> str:
    """One threshold: the number, and where a finding starts."""
    words = _WORDS.get(row.name)
    if words is None:
        return f"{row.label.lower()} is {_value(row)}, a finding starts at {_limit(row)}"
    return words(row)


def _value(row: Distance) -> str:
    if row.value is None:
        return "N/A"
    if row.unit == "correlation":
        return figures.apart(row.value, row.limit, figures.correlation, 2)
    return figures.apart(row.value, row.limit, percent, 0)


def _left(row: Distance) -> str:
    """A part that is left; below zero nothing is."""
    return "nothing" if row.value is not None and row.value < 0 else _value(row)


def _limit(row: Distance) -> str:
    if row.unit == "correlation":
        return figures.correlation(row.limit, 2)
    return percent(row.limit, 0 if round(row.limit * 100, 6).is_integer() else 1)


def _hours(row: Distance) -> str:
    have = "N/A" if row.value is None else count(row.value)
    return f"{have} linked hours, a verdict needs {count(row.limit)}"


def _fall(row: Distance) -> str:
    start = f"a finding starts at a fall of {points(row.limit)}"
    if row.value is None:
        return f"no day could be compared, {start}"
    return f"the share {falls_by(row.value)} inside the day, {start}"


_WORDS: Mapping[str, Callable[[Distance], str]] = {
    "min_hours": _hours,
    "gap_points": _fall,
    "rho_floor": lambda row: (
        f"rank correlation is {_value(row)}, a finding starts at {_limit(row)}"
    ),
    "ratio_floor": lambda row: f"busy is {_value(row)} of quiet, a finding starts at {_limit(row)}",
    "quiet_floor": lambda row: f"quiet share is {_value(row)}, a finding starts at {_limit(row)}",
    "gap_days_agree": lambda row: f"{_value(row)} of the days fall, a finding needs {_limit(row)}",
    "beyond_length": lambda row: (
        f"prompt length leaves {_left(row)} of the fall, a finding needs {_limit(row)}"
    ),
    "noise_ratio": lambda row: (
        f"chance explains {_value(row)} of the differences at equal load, "
        f"a finding needs {_limit(row)}"
    ),
    "clock_fraction": lambda row: (
        f"{_left(row)} of the slope is left at the same clock hour, a finding needs {_limit(row)}"
    ),
}
