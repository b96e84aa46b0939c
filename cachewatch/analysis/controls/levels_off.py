"""Levelling off: does the fall end before the busiest hours?"""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.controls.control import (
    FIRED,
    NOT_TESTABLE,
    OPEN,
    RULED_OUT,
    Control,
    Said,
)
from cachewatch.analysis.examination import LEVELS_OFF
from cachewatch.analysis.figures import PERCENT_UP_TO, count, percent, times

NAME = LEVELS_OFF
WHOLE = 1.0


def judge(case: Case) -> Control:
    """Ruled out where the busiest hours may fall as steeply as all of them, or more."""
    top = case.examination.top
    if top is None:
        return Control(NAME, NOT_TESTABLE, {})
    numbers = {
        "part": top.part,
        "high": top.high,
        "hours": float(top.hours),
        "noise": case.fall.noise if case.fall else None,
    }
    if case.reason == NAME:
        return Control(NAME, FIRED, numbers)
    return Control(NAME, RULED_OUT if top.high >= WHOLE else OPEN, numbers)


def say(control: Control) -> Said:
    """In words."""
    if control.status == NOT_TESTABLE:
        return Said(
            "Too few busy hours of different load to see whether a fall goes on in them.",
            "More days, or busy hours that differ in load.",
        )
    n = control.numbers
    part, high = max(n["part"] or 0.0, 0.0), max(n["high"] or 0.0, 0.0)
    statement = (
        f"In the {count(n['hours'] or 0)} busiest hours the share falls {_steep(part, high)}"
    )
    if control.status == FIRED:
        return Said(
            f"{statement}: the fall ends before the busiest hours, where a limit goes on to bite, and "
            f"hours of equal load differ {n['noise'] or 0:.1f} times as much as chance brings, where a "
            "limit would make them alike. It fits tenants who are all active, or entries that "
            "expire, as well.",
            "1-minute buckets of a busy day, or the number of prefixes in a busy hour.",
        )
    return Said(f"{statement}.", "Less than half as steeply, beyond doubt.")


def _steep(part: float, high: float) -> str:
    """Both slopes in one unit: percentages up to the whole, else times."""
    shown = percent if max(part, high) < PERCENT_UP_TO else times
    return f"{shown(part)} as steeply with load as over all of them, at most {shown(high)}"
