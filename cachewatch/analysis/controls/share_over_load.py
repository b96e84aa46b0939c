"""The fall itself: does the share fall as load rises, inside the day?"""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.conditions import YOUNG
from cachewatch.analysis.controls.control import (
    FIRED,
    NOT_TESTABLE,
    OPEN,
    RULED_OUT,
    Control,
    Numbers,
    Said,
)
from cachewatch.analysis.figures import falls_by, percent, points
from cachewatch.analysis.share import is_higher
from cachewatch.analysis.thresholds import DAY_GAP, GAP_POINTS, MIN_CONTRAST_DAYS
from cachewatch.analysis.verdict_codes import FLAT_LOW, SCATTER

NAME = "share-over-load"
_ALIKE = 0.005  # of share: the same number of points to a reader


def judge(case: Case) -> Control:
    """Fired where it is the verdict; open where other causes are not excluded."""
    fall = case.fall
    young = case.reason == YOUNG
    if fall is None or fall.within is None or (fall.days < 2 and not young):
        return Control(NAME, NOT_TESTABLE, {})
    numbers = {
        "fall": fall.within,
        "whole": fall.whole,
        "days": float(fall.days),
        "days_that_fall": float(fall.days_that_fall),
        "lower_bound": fall.lower_bound,
        "reference_share": fall.reference_share,
        "busy_share": fall.busy_share,
    }
    if case.verdict == SCATTER:
        return Control(NAME, FIRED, numbers)
    still = fall.within >= GAP_POINTS.default or case.verdict == FLAT_LOW
    return Control(NAME, OPEN if still else RULED_OUT, numbers)


def say(control: Control) -> Said:
    """In words."""
    if control.status == NOT_TESTABLE:
        return Said(
            "Too few service days bring quiet and busy hours to compare.",
            "Three days whose busy hours bring 1.5 times the requests of the quiet ones.",
        )
    n = control.numbers
    statement = _moves(n)
    if control.status == OPEN and (n["fall"] or 0) < GAP_POINTS.default:
        return _low(statement, rises=is_higher(n["busy_share"] or 0, n["reference_share"] or 0))
    limit = points(GAP_POINTS.default)
    if control.status == OPEN and (n["days"] or 0) < MIN_CONTRAST_DAYS.default:
        return Said(statement, "The same fall on three service days.")
    if control.status == OPEN:
        return Said(
            statement,
            "Prompt length, other traffic, the time of day, workers that start at once and prefixes "
            "that expire fit the same fall: rule out those that are still open or shown.",
        )
    side = "less than" if control.status == FIRED else "at least"
    return Said(statement, f"A fall of {side} {limit} on the median day.")


def _moves(n: Numbers) -> str:
    """How the share moves: that of all traffic with its shares, and what is left in the same traffic."""
    days = f"{n['days_that_fall']:.0f} of {n['days']:.0f} service days"
    level = f"from {percent(n['reference_share'] or 0)} to {percent(n['busy_share'] or 0)}"
    within, whole = n["fall"] or 0.0, n.get("whole")
    moves, limit = falls_by(within), f"{DAY_GAP.default * 100:.0f} points"
    on = (
        f", on {days}" if within >= DAY_GAP.default else f", and falls by {limit} or more on {days}"
    )
    if whole is None or abs(whole - within) < _ALIKE:
        return f"Inside the day the share {moves} ({level}){on}."
    return (
        f"Inside the day the share of all traffic {falls_by(whole)} ({level}); in the same traffic "
        f"it {moves}{on}."
    )


def _low(statement: str, *, rises: bool) -> Said:
    """A flat low share, whose busy hours may still read a little more."""
    if rises:
        return Said(
            f"{statement} Scatter does not rise; a key made on every request, or one that is too "
            "fine, does, and total scatter may lie beneath it.",
            "Which keys are sent, and a probe of two pairs of calls.",
        )
    return Said(
        "A share that is low at every load hides any scatter: total scatter, and a key that is "
        "used once, look the same.",
        "A probe of two pairs of calls.",
    )
