"""Time of day: at the same clock hour, do busier days cache less?"""

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
from cachewatch.analysis.examination import CLOCK
from cachewatch.analysis.figures import portion
from cachewatch.analysis.thresholds import HINT_CLOCK

NAME = CLOCK


def judge(case: Case) -> Control:
    """Ruled out where busier days clearly read less at the same hour."""
    test = case.examination.clock
    if test.fraction is None:
        return Control(NAME, NOT_TESTABLE, {"hours": float(test.points)})
    numbers = {
        "fraction": test.fraction,
        "low": test.low,
        "high": test.high,
        "hours": float(test.points),
        "days": float(test.days),
    }
    if case.reason == NAME:
        return Control(NAME, FIRED, numbers)
    ruled_out = test.follows_load and test.fraction >= HINT_CLOCK.default / 2
    return Control(NAME, RULED_OUT if ruled_out else OPEN, numbers)


def say(control: Control) -> Said:
    """In words."""
    if control.status == NOT_TESTABLE:
        return Said(
            "Load hardly differs from day to day at the same hour, so clock and load cannot be "
            "told apart.",
            "Days of different load, such as a month of history.",
        )
    n = control.numbers
    left = portion(max(n["fraction"] or 0.0, 0.0), " of")
    statement = (
        f"At the same clock hour busier days lose {left} what the slope over load says "
        f"({n['hours']:.0f} hours on {n['days']:.0f} days)."
    )
    flip = "Less than a quarter of the slope left at fixed clock hours."
    return Said(statement, flip if control.status == RULED_OUT else "More days, or minutes.")
