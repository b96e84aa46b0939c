"""Hours that were bad for everybody: the provider's own."""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.conditions import PROVIDER_HOURS
from cachewatch.analysis.controls.control import (
    FIRED,
    NOT_TESTABLE,
    OPEN,
    RULED_OUT,
    Control,
    Said,
)
from cachewatch.analysis.figures import falls_by
from cachewatch.analysis.thresholds import PROVIDER_SERIES

NAME = PROVIDER_HOURS


def judge(case: Case) -> Control:
    """Other series of the same generation that are not busier in the busy hours."""
    others = case.others
    numbers = {"series": float(others.series), "fall": others.fall}
    if case.reason == NAME:
        return Control(NAME, FIRED, numbers)
    if others.series < PROVIDER_SERIES.default or case.fall is None:
        return Control(NAME, NOT_TESTABLE, numbers)
    shared = others.explain(max(case.fall.whole or 0.0, 0.0))
    return Control(NAME, OPEN if shared else RULED_OUT, numbers)


def say(control: Control) -> Said:
    """In words."""
    n = control.numbers
    if control.status == NOT_TESTABLE:
        return Said(
            "Too few other series of this model generation are there in the same hours without a "
            "load of their own.",
            "Three other series whose load does not follow this one's.",
        )
    return Said(
        f"{n['series']:.0f} other series that are not busier in these hours "
        f"{_moves(n['fall'] or 0)} (median).",
        "Half of the fall shared by series that are not busier.",
    )


def _moves(fall: float) -> str:
    return falls_by(fall).replace("s ", " ", 1)
