"""Many prefixes: entries that expire before the same prefix comes again.

A prefix that comes at random q / P times an hour is found with probability 1 - exp(-q T / P), T the
lifetime and P the number of prefixes that share the traffic evenly.
"""

from __future__ import annotations

from math import log

import numpy as np

from cachewatch.analysis.case import Case, DayFall
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
from cachewatch.analysis.figures import count
from cachewatch.analysis.minutes import CONFIRMED, WARMER
from cachewatch.analysis.thresholds import FOUND_WHEN_QUIET, GAP_POINTS
from cachewatch.analysis.verdict_codes import SPARSE

NAME = "expiring-prefixes"
MINUTES_PER_HOUR = 60.0


def judge(case: Case) -> Control:
    """Open wherever the share falls: hourly numbers cannot tell expiry from routing."""
    lifetime = float(np.mean(case.generation.lifetime.usual))
    numbers = {"lifetime_minutes": lifetime, "requests_per_hour": case.median_rate}
    numbers |= {"sparse_below": case.sparse_rate}
    if case.verdict == SPARSE or case.reason == WARMER:
        return Control(NAME, FIRED, numbers)
    fall = case.fall
    if fall is None or fall.within is None:
        return Control(NAME, NOT_TESTABLE, numbers)
    if case.minutes_say == CONFIRMED:
        return Control(NAME, RULED_OUT, numbers | {"minute_standard_errors": case.minutes.t})
    if fall.within < GAP_POINTS.default:
        return Control(NAME, RULED_OUT, numbers | {"whole": fall.whole})
    return Control(NAME, OPEN, numbers | {"prefixes": like_prefixes(fall, lifetime)})


def like_prefixes(fall: DayFall, lifetime_minutes: float) -> float | None:
    """How many equally busy prefixes would give the busy share by expiry alone."""
    if not fall.reference_share or fall.busy_share is None or not fall.busy_rate:
        return None
    # Of what can be found at all; the quiet share stands for that.
    quiet = FOUND_WHEN_QUIET.default
    found = min(quiet * fall.busy_share / fall.reference_share, quiet)
    if found <= 0:
        return None
    return fall.busy_rate * lifetime_minutes / MINUTES_PER_HOUR / -log(1.0 - found)


def say(control: Control) -> Said:
    """In words."""
    n = control.numbers
    lives = f"entries of this model usually live about {count(n['lifetime_minutes'] or 0)} minutes"
    how = "Count the prefixes of one busy hour in a sample of logs."
    if control.status == FIRED:
        return Said(
            f"The median hour brings {count(n['requests_per_hour'] or 0)} requests, and {lives}.",
            "Denser traffic, or a longer lifetime.",
        )
    if control.status == NOT_TESTABLE:
        return Said("Too few hours to say how often a prefix comes back.", how)
    if control.status == RULED_OUT:
        return Said(_why_not(n), how)
    like = n.get("prefixes")
    behaves = f"busy hours behave like about {count(like)} prefixes" if like else "it may be so"
    return Said(f"Entries that expire fit as well: {behaves} ({lives}).", how)


def _why_not(n: Numbers) -> str:
    minute_standard_errors = n.get("minute_standard_errors")
    if minute_standard_errors is None:
        nothing = "In the same traffic nothing falls" if falls_as_a_whole(n) else "Nothing falls"
        return f"{nothing} with load, so no expiry is needed to explain it."
    return (
        "Within the same hour busier minutes read less "
        f"({abs(minute_standard_errors):.1f} standard errors); entries that expire are read no less "
        "in a denser minute."
    )
