"""One busy day by the minute, where it was fetched."""

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
from cachewatch.analysis.figures import times
from cachewatch.analysis.minutes import BURSTS, CONFIRMED

NAME = "minutes"


def judge(case: Case) -> Control:
    """Within the same hour, do busier minutes cache less?"""
    test = case.minutes
    numbers = {
        "slope": test.slope,
        "standard_errors": test.t,
        "hours": float(test.hours),
        "minutes": float(test.minutes),
    }
    says = case.minutes_say
    if says == BURSTS:
        return Control(NAME, OPEN, numbers | {"burstiness": test.burstiness})
    if says is None:
        return Control(NAME, OPEN if test.hours else NOT_TESTABLE, numbers)
    return Control(NAME, FIRED if says == CONFIRMED else RULED_OUT, numbers)


def say(control: Control) -> Said:
    """In words."""
    n = control.numbers
    if control.status == NOT_TESTABLE:
        return Said(
            "No 1-minute buckets that say something of these days and cells were read.",
            "1-minute buckets of one busy day.",
        )
    if n.get("burstiness") is not None:
        return Said(
            f"Requests come in bursts, {times(n['burstiness'] or 0)} as uneven by the minute as requests "
            "at random: minutes of one hour cannot be compared.",
            "A day whose requests are spread over the minutes.",
        )
    if control.status == OPEN:
        return Said("The minutes read do not decide.", "Minutes of a busier day.")
    errors = (
        ""
        if n["standard_errors"] is None
        else f" ({abs(n['standard_errors']):.1f} standard errors)"
    )
    if control.status == FIRED:
        return Said(f"Within the same hour busier minutes read less{errors}.", "Another busy day.")
    return Said(
        f"Within the same hour busier minutes do not read less{errors}: the fall does not come "
        "from a limit that is met within a minute.",
        "Another busy day.",
    )
