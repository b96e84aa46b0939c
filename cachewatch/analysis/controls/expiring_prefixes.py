"""Many prefixes: entries that expire before the same prefix comes again.

A prefix that comes at random q / P times an hour is found with probability 1 - exp(-q T / P), T the
lifetime and P the number of prefixes that share the traffic evenly.
"""

from __future__ import annotations

from math import log

import numpy as np

from cachewatch.analysis.cache_generation import FROM_5_6, UNKNOWN
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
from cachewatch.analysis.thresholds import FOUND_WHEN_QUIET, GAP_POINTS, SPARSE_VISITS
from cachewatch.analysis.verdict_codes import SPARSE

NAME = "expiring-prefixes"
MINUTES_PER_HOUR = 60.0
# Among the numbers: the lifetime is that of another generation, as the model is not known.
_ASSUMED = "lifetime_assumed"


def judge(case: Case) -> Control:
    """Open wherever the share falls: hourly numbers cannot tell expiry from routing."""
    lifetime = float(np.mean(case.generation.lifetime.usual))
    numbers = {"lifetime_minutes": lifetime, "requests_per_hour": case.median_rate}
    numbers |= {"sparse_below": case.sparse_rate}
    if case.generation.name == UNKNOWN.name:
        numbers |= {_ASSUMED: 1.0}
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
    lives = _lives(n)
    how = "Count the prefixes of one busy hour in a sample of logs."
    if control.status == FIRED:
        return Said(_why_sparse(n, lives), "Denser traffic, or a longer lifetime.")
    if control.status == NOT_TESTABLE:
        return Said("Too few hours to say how often a prefix comes back.", how)
    if control.status == RULED_OUT:
        return Said(_why_not(n), how)
    like = n.get("prefixes")
    behaves = f"busy hours behave like about {count(like)} prefixes" if like else "it may be so"
    return Said(f"Entries that expire fit as well: {behaves} ({lives}).", how)


def _lives(n: Numbers) -> str:
    minutes = f"about {count(n['lifetime_minutes'] or 0)} minutes"
    if n.get(_ASSUMED):
        return (
            f"entries are taken to live {minutes}, as of {FROM_5_6.name}, since this model is not "
            "known"
        )
    return f"entries of this model usually live {minutes}"


def _why_sparse(n: Numbers, lives: str) -> str:
    """Against the limit where the rate is below it: requests must come back to the same prefix."""
    rate, limit = n["requests_per_hour"] or 0.0, n.get("sparse_below")
    requests = f"{count(rate)} request" + ("" if count(rate) == "1" else "s")
    said = f"The median hour brings {requests}, and {lives}"
    if limit is None or rate > limit:
        return f"{said}."
    visits = rate * (n["lifetime_minutes"] or 0.0) / MINUTES_PER_HOUR
    return (
        f"{said}: {visits:.1f} requests in one lifetime, where up to {SPARSE_VISITS.default:.1f} are "
        "sparse. A request reads only what one with the same prefix wrote within that time, and so "
        "few, spread over more than one prefix, do not come back to it."
    )


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
