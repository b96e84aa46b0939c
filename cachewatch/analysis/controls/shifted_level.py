"""The level of the share: did it move on a day, or does it differ on weekends?"""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.conditions import AT_WEEKEND, BY_WEEKEND
from cachewatch.analysis.controls.control import FIRED, NOT_TESTABLE, OPEN, RULED_OUT, Control, Said
from cachewatch.analysis.figures import percent, points
from cachewatch.analysis.verdict_codes import LEVEL_SHIFT

NAME = "level-shift"


def judge(case: Case) -> Control:
    """The best split of the service days."""
    level = case.level
    if level is None:
        return Control(NAME, NOT_TESTABLE, {})
    numbers = {
        "before": level.before,
        "after": level.after,
        "days_before": float(level.days_before),
        "days_after": float(level.days_after),
        "standard_errors": level.standard_errors,
        "at_equal_load": level.at_equal_load,
    }
    if case.reason == AT_WEEKEND:
        return Control(NAME, OPEN, numbers)
    fired = case.verdict == LEVEL_SHIFT or case.reason == BY_WEEKEND
    return Control(NAME, FIRED if fired else RULED_OUT, numbers)


def say(control: Control) -> Said:
    """In words."""
    if control.status == NOT_TESTABLE:
        return Said("Too few service days to compare.", "Two days on each side of a change.")
    n = control.numbers
    equal = n.get("at_equal_load")
    at_equal_load = "" if equal is None else f"; {points(equal)} between hours of equal load"
    statement = (
        f"Best split of the days: {percent(n['before'] or 0)} on {n['days_before']:.0f} days, "
        f"{percent(n['after'] or 0)} on {n['days_after']:.0f}{at_equal_load}."
    )
    if control.status == OPEN:
        beside = " One side holds weekend days alone."
        return Said(statement + beside, "A weekday on the other side of the weekend.")
    flip = (
        "A change of 10 points and a quarter of the larger level, clear of the days' own spread, "
        "also between hours of equal load."
    )
    return Said(statement, "The days after the change, alone." if control.status == FIRED else flip)
