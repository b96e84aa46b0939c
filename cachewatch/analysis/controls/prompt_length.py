"""Prompt length: cached tokens a request are the second witness."""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.controls.control import (
    FIRED,
    NOT_TESTABLE,
    OPEN,
    RULED_OUT,
    Control,
    Said,
    falls_as_a_whole,
)
from cachewatch.analysis.examination import LENGTH
from cachewatch.analysis.figures import count, percent, points
from cachewatch.analysis.thresholds import BEYOND_LENGTH, GAP_CLOSE

NAME = LENGTH


def judge(case: Case) -> Control:
    """Ruled out where at least half of the fall remains beyond what length explains."""
    fall = case.fall
    if fall is None or fall.size_change is None or fall.beyond_length is None:
        return Control(NAME, NOT_TESTABLE, {})
    numbers = {
        "size_change": fall.size_change,
        "fall": fall.within,
        "whole": fall.whole,
        "beyond_length": fall.beyond_length,
        "cached_per_request": fall.cached_per_request[0],
        "cached_per_request_busy": fall.cached_per_request[1],
    }
    if case.reason == NAME:
        return Control(NAME, FIRED, numbers)
    nothing_falls = (fall.within or 0.0) < GAP_CLOSE.default
    left = nothing_falls or fall.beyond_length >= BEYOND_LENGTH.default * (fall.within or 0.0)
    return Control(NAME, RULED_OUT if left else OPEN, numbers)


def say(control: Control) -> Said:
    """In words."""
    n = control.numbers
    if control.status == NOT_TESTABLE:
        return Said(
            "Quiet and busy prompts cannot be compared.", "Service days with quiet and busy hours."
        )
    if (n["fall"] or 0) < GAP_CLOSE.default:
        where = "in the same traffic " if falls_as_a_whole(n) else ""
        return Said(
            f"Busy prompts are {percent(n['size_change'] or 1)} as long as quiet ones, and {where}"
            "nothing falls that their length could explain.",
            f"A fall of at least {points(GAP_CLOSE.default)} on the median day.",
        )
    statement = (
        f"Busy prompts are {percent(n['size_change'] or 1)} as long as quiet ones, and "
        f"{count(n['cached_per_request'] or 0)} cached tokens a request become "
        f"{count(n['cached_per_request_busy'] or 0)}: length {_leaves(n['beyond_length'] or 0)} "
        f"a fall of {points(n['fall'] or 0)}."
    )
    return Said(statement, "Half of the fall explained by the length of the prompts.")


def _leaves(beyond_length: float) -> str:
    return "explains all of" if beyond_length <= 0 else f"leaves {points(beyond_length)} of"
