"""Thresholds in words: the number, and where a finding starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cachewatch.analysis import figures
from cachewatch.analysis.deciding import deciding
from cachewatch.analysis.distances import Distance
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.figures import count, falls_by, percent, points
from cachewatch.analysis.verdict_codes import FLAT_LOW
from cachewatch.analysis.vocabulary import verdict_word


def nearest_sentence(evidence: Evidence) -> str:
    """The nearest threshold in words: "busy is 61% of quiet, a finding starts at 60%"."""
    rows = deciding(evidence)
    nearest = next(row for row in rows if row.closest)
    own = [row for row in rows if row.finding == nearest.finding and not row.closest]
    others = sum(row.passes is False for row in own)
    text = distance_sentence(nearest)
    if nearest.passes or not others:
        return text
    more = "thresholds are" if others > 1 else "threshold is"
    return f"{text}; {others} more {more} not reached"


def distance_sentence(row: Distance) -> str:
    """One threshold: the number, and where a finding starts."""
    words = _WORDS.get(row.name)
    if words is None:
        more = "at most" if row.side == "at or below" else "at least"
        whose = f'"{verdict_word(row.finding)}"' if row.finding else "this verdict"
        return f"{_in_sentence(row.label)}: {_value(row)}, {whose} needs {more} {_limit(row)}"
    return words(row)


def _value(row: Distance) -> str:
    if row.value is None:
        return "N/A"
    shown, digits = _PRINTED.get(row.unit, (percent, 0))
    return figures.apart(row.value, row.limit, shown, digits)


def _left(row: Distance) -> str:
    """A part that is left: from nothing to all."""
    if row.value is not None and not 0 < row.value < 1:
        return "nothing" if row.value <= 0 else "all"
    return _value(row)


def _days(row: Distance) -> str:
    """Part of the days that fall."""
    whole = {0.0: "no day falls", 1.0: "every day falls"}
    words = "no day could be compared" if row.value is None else whole.get(row.value)
    if words is None:
        return f"{_value(row)} of the days fall, a finding needs {_limit(row)}"
    return f"{words}, a finding needs {_limit(row)} of the days to fall"


def _in_sentence(label: str) -> str:
    return label[:1].lower() + label[1:]


def _limit(row: Distance) -> str:
    if row.unit in _PRINTED:
        shown, digits = _PRINTED[row.unit]
        return shown(row.limit, digits)
    return percent(row.limit, 0 if round(row.limit * 100, 6).is_integer() else 1)


def _whole_points(share: float, digits: int) -> str:
    return f"{count(share * 100, digits)} points"


_PRINTED: Mapping[str, tuple[Callable[[float, int], str], int]] = {
    "correlation": (figures.correlation, 2),
    "points": (_whole_points, 0),
    "hours": (count, 0),
    "tokens": (count, 0),
    "requests": (count, 0),
    "number": (count, 1),
}


def _hours(row: Distance) -> str:
    have = "N/A" if row.value is None else count(row.value)
    return f"{have} linked hours, a verdict needs {count(row.limit)}"


def _fall(row: Distance) -> str:
    start = f"a finding starts at a fall of {points(row.limit)}"
    if row.value is None:
        return f"no day could be compared, {start}"
    if row.name == "gap_close":
        start = f"a finding that has begun ends below {points(row.limit)}"
    moves = falls_by(row.value)
    if points(row.value) == points(row.limit):
        moves = f"falls by {figures.apart(row.value, row.limit, _whole_points, 0)}"
    return f"the share {moves} inside the day, {start}"


def _noise(row: Distance) -> str:
    """Hours of equal load, against what chance brings."""
    if row.value is None:
        return f"hours of equal load could not be compared, a finding needs less than {_times(row)}"
    differ = f"hours of equal load differ by {_value(row)} times what chance brings"
    return f"{differ}, a finding needs less than {_times(row)}"


def _times(row: Distance) -> str:
    return f"{_limit(row)} times"


def _same_traffic(row: Distance) -> str:
    """A mix: what is left of the fall with the traffic held still."""
    left = "N/A" if row.value is None else f"the share {falls_by(row.value)}"
    return f"in the same traffic {left}, this verdict needs a fall of at most {points(row.limit)}"


def _busy_rate(row: Distance) -> str:
    """The day that varies most, by its thirds."""
    limit = f"load varies from {_limit(row)} times on"
    if row.value is None:
        return f"no day has enough hours to tell busy from quiet ones, {limit}"
    words = f"busy hours have at most {_value(row)} times the requests of quiet ones in a day"
    return f"{words}, {limit}"


_WORDS: Mapping[str, Callable[[Distance], str]] = {
    "busy_rate_ratio": _busy_rate,
    "min_hours": _hours,
    "flat_floor": lambda row: (
        f'share of all hours is {_value(row)}, "{verdict_word(FLAT_LOW)}" starts below {_limit(row)}'
    ),
    "gap_close": _fall,
    "gap_of_all_traffic": _fall,
    "gap_points": lambda row: _fall(row) if row.side == "at or above" else _same_traffic(row),
    "rho_floor": lambda row: (
        f"rank correlation is {_value(row)}, a finding starts at {_limit(row)}"
    ),
    "ratio_floor": lambda row: f"busy is {_value(row)} of quiet, a finding starts at {_limit(row)}",
    "quiet_floor": lambda row: f"quiet share is {_value(row)}, a finding starts at {_limit(row)}",
    "gap_days_agree": _days,
    "minimum_tokens": lambda row: (
        f"mean input is {_value(row)} tokens a request, prompts are cached from {_limit(row)}"
    ),
    "eligible_input": lambda row: (
        f"mean input is {_value(row)} tokens a request, a finding needs {_limit(row)}"
    ),
    "beyond_length": lambda row: (
        f"prompt length leaves {_left(row)} of the fall, a finding needs {_limit(row)}"
    ),
    "noise_ratio": _noise,
    "clock_fraction": lambda row: (
        f"{_left(row)} of the slope is left at the same clock hour, a finding needs {_limit(row)}"
    ),
}
