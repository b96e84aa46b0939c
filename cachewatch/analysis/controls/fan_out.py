"""Fan-out: workers that start before the first answer all miss, the more the busier."""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.controls.control import (
    FIRED,
    NOT_TESTABLE,
    OPEN,
    RULED_OUT,
    Control,
    Numbers,
    Said,
    falls_as_a_whole,
)
from cachewatch.analysis.examination import FAN_OUT
from cachewatch.analysis.figures import percent, times
from cachewatch.analysis.thresholds import FAN_OUT_ALIKE, GAP_POINTS, MINUTE_BURST

NAME = FAN_OUT


def judge(case: Case) -> Control:
    """Hourly numbers give a hint at most; minutes tell."""
    in_use = case.minutes.in_use
    doubling = case.examination.doubling
    numbers = {
        "burstiness": case.minutes.burstiness,
        "minutes_in_use": in_use,
        "slope": doubling.slope if doubling else None,
        "bend": doubling.bend if doubling else None,
        "noise": case.fall.noise if case.fall else None,
        "whole": case.fall.whole if case.fall else None,
    }
    if case.reason == NAME:
        return Control(NAME, FIRED, numbers)
    if in_use is not None:
        return Control(NAME, OPEN if case.minutes.bursts else RULED_OUT, numbers)
    fall = case.fall.within if case.fall else None
    if fall is None:
        return Control(NAME, NOT_TESTABLE, numbers)
    return Control(NAME, OPEN if fall >= GAP_POINTS.default else RULED_OUT, numbers)


def say(control: Control) -> Said:
    """In words."""
    n = control.numbers
    flip = "1-minute buckets of a busy day: is the first minute of each burst cold?"
    come = _come(n)
    if come and control.status == RULED_OUT:
        return Said(f"{come}.", "Bursts in the 1-minute buckets.")
    if come and not is_spread(n):
        return Said(
            f"{come}: in bursts, and the first ones of a burst find nothing to read.",
            "One call first, the others after its answer: does the share of the bursts rise?",
        )
    if control.status == FIRED:
        lost = percent(1 - 2 ** (n["slope"] or 0.0))
        shape = (
            f"Each doubling of load takes the same {lost} of the share, from the quietest hours on, "
            f"and {_why(n['noise'])}: the shape of workers that start together."
        )
        return Said(f"{shape} {come}, which does not fit it.", flip) if come else Said(shape, flip)
    if control.status == OPEN:
        return Said("Hourly numbers cannot exclude workers that start at once.", flip)
    nothing = "In the same traffic nothing falls" if falls_as_a_whole(n) else "Nothing falls"
    return Said(f"{nothing} with load, so no race is needed to explain it.", flip)


def is_spread(numbers: Numbers) -> bool:
    """Minutes were read, and the requests of an hour come in many of them: nothing starts together."""
    in_use = numbers.get("minutes_in_use")
    return in_use is not None and in_use > MINUTE_BURST.default


def _come(numbers: Numbers) -> str | None:
    """How the requests of an hour lie in its minutes; None where no minutes were read."""
    in_use, uneven = numbers.get("minutes_in_use"), numbers.get("burstiness")
    if in_use is not None:
        return f"The requests of an hour come as if in {in_use:.0f} of its 60 minutes"
    if uneven is not None:  # evidence of rules that did not count the minutes in use
        return f"The requests of a minute vary {times(uneven)} as much as requests at random do"
    return None


def _why(noise: float | None) -> str:
    """What the shape alone does not show: see DoublingSlope.looks_like_fan_out()."""
    if noise is None or noise >= FAN_OUT_ALIKE.default:
        return "from a low level"
    return "hours of equal load are far more alike than hits by chance would make them"
