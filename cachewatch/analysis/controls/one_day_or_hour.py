"""Stability: does the fall hang on one hour or on one day?"""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.controls.control import NOT_TESTABLE, OPEN, RULED_OUT, Control, Said
from cachewatch.analysis.figures import falls_by, points
from cachewatch.analysis.thresholds import GAP_POINTS

NAME = "one-day-or-hour"


def judge(case: Case) -> Control:
    """The fall without the busiest hour, and without each single day."""
    found = case.stability
    if found is None or found.without_one_day is None or found.without_busiest_hour is None:
        return Control(NAME, NOT_TESTABLE, {})
    numbers = {
        "without_busiest_hour": found.without_busiest_hour,
        "without_one_day": found.without_one_day,
    }
    whole = case.fall.within if case.fall else None
    falls = whole is not None and whole >= GAP_POINTS.default
    stands = found.stands and found.without_busiest_hour >= GAP_POINTS.default
    return Control(NAME, RULED_OUT if stands or not falls else OPEN, numbers)


def say(control: Control) -> Said:
    """In words."""
    if control.status == NOT_TESTABLE:
        return Said("Too few service days to leave one out.", "More service days.")
    n = control.numbers
    hour, day = n["without_busiest_hour"] or 0, n["without_one_day"] or 0
    if hour < 0 or day < 0:
        return Said(
            f"On the median day the share {falls_by(hour)} without the busiest hour, and "
            f"{falls_by(day)} without the day that changes this most.",
            "Service days whose share falls with load.",
        )
    statement = (
        f"The median day's fall is {points(hour)} without the busiest "
        f"hour and at least {points(day)} without any single day."
    )
    return Said(statement, "More service days with the same fall.")
