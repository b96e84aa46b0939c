"""Eligibility: is the prompt long enough to be cached at all?"""

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
from cachewatch.analysis.figures import count
from cachewatch.analysis.thresholds import ELIGIBLE_INPUT, INELIGIBLE_INPUT, QUIET_FLOOR
from cachewatch.analysis.verdict_codes import NO_CACHED

NAME = "below-minimum"


def judge(case: Case) -> Control:
    """The mean hides the mix of sizes, so there is a grey zone around the minimum."""
    mean = case.mean_input
    numbers = {"mean_input": mean, "minimum": float(case.generation.minimum_tokens)}
    if mean is None:
        return Control(NAME, NOT_TESTABLE, numbers)
    if (case.linked_share or 0.0) >= QUIET_FLOOR.default:
        return Control(NAME, RULED_OUT, numbers)
    if mean < INELIGIBLE_INPUT.default:
        return Control(NAME, FIRED if case.verdict == NO_CACHED else OPEN, numbers)
    return Control(NAME, RULED_OUT if mean >= ELIGIBLE_INPUT.default else OPEN, numbers)


def say(control: Control) -> Said:
    """In words."""
    n = control.numbers
    if control.status == NOT_TESTABLE:
        return Said("No request count is reported.", "A request count.")
    return Said(
        f"Mean input is {count(n['mean_input'] or 0)} tokens a request, the minimum is about "
        f"{count(n['minimum'] or 0)} tokens of shared prefix.",
        "The shared prefix of ten requests, counted with tools and schema.",
    )
