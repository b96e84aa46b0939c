"""One busy day by the minute, where it was fetched."""

from __future__ import annotations

from cachewatch.analysis import figures
from cachewatch.analysis.case import Case
from cachewatch.analysis.controls.control import (
    FIRED,
    NOT_TESTABLE,
    OPEN,
    RULED_OUT,
    Control,
    Numbers,
    Said,
)
from cachewatch.analysis.figures import percent
from cachewatch.analysis.minutes import BURSTS, CONFIRMED, LENGTHS, UNDECIDED
from cachewatch.analysis.thresholds import MINUTE_T

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
        return Control(NAME, OPEN, numbers | {"minutes_in_use": test.in_use})
    if says == LENGTHS:
        return Control(NAME, OPEN, numbers | {"in_cached_tokens": test.witness})
    if says in (None, UNDECIDED):
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
    if bursts := _bursts(n):
        return Said(f"{bursts}.", "A day whose requests are spread over the minutes.")
    errors = (
        ""
        if n["standard_errors"] is None
        else f" ({abs(n['standard_errors']):.1f} standard errors)"
    )
    if n.get("in_cached_tokens") is not None:
        return Said(
            f"Within the same hour busier minutes read less{errors}, but hold longer requests: "
            f"{percent(max(n['in_cached_tokens'] or 0, 0))} of it is left in cached tokens a request.",
            "Each template under an API key of its own.",
        )
    if control.status == OPEN:
        return Said(_open(n, errors), "Minutes of another busy day.")
    if control.status == FIRED:
        return Said(f"Within the same hour busier minutes read less{errors}.", "Another busy day.")
    return Said(
        f"Within the same hour busier minutes do not read less{errors}: the fall does not come "
        "from a limit that is met within a minute.",
        "Another busy day.",
    )


def _bursts(numbers: Numbers) -> str | None:
    """That minutes of one hour cannot be compared; None where they can."""
    in_use = numbers.get("minutes_in_use")
    if in_use is not None:
        come = f"Requests come in bursts, as if in {in_use:.0f} of the hour's 60 minutes"
    elif numbers.get("burstiness") is not None:  # evidence of rules that did not count these
        come = "Requests come in bursts"
    else:
        return None
    return f"{come}: minutes of one hour cannot be compared"


def _open(numbers: Numbers, errors: str) -> str:
    """Minutes that do not decide, with how far they lean."""
    slope, t, hours = numbers["slope"], numbers["standard_errors"], numbers["hours"]
    undecided = "The minutes read do not decide"
    if slope is None or t is None:
        return f"{undecided}."
    if abs(t) >= MINUTE_T.default:
        return f"{undecided}: they are of {figures.hours(int(hours or 0))}, too few to compare."
    lean = "less" if slope < 0 else "more"
    return f"{undecided}: busier ones read {lean}{errors}; {MINUTE_T.default:.0f} are needed."
