"""Accounting: can the reported numbers all be right?"""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.controls.control import FIRED, NOT_TESTABLE, RULED_OUT, Control, Said
from cachewatch.analysis.figures import hours

NAME = "accounting"


def judge(case: Case) -> Control:
    """Cached tokens within input, and input = cached + written + uncached where all are reported."""
    accounts = case.accounts
    numbers = {
        "more_cached_than_input": float(accounts.more_cached_than_input),
        "parts_differ": float(accounts.parts_differ),
        "parts_reported": float(accounts.parts_reported),
    }
    if accounts.suspect:
        return Control(NAME, FIRED, numbers)
    return Control(NAME, RULED_OUT if accounts.parts_reported else NOT_TESTABLE, numbers)


def say(control: Control) -> Said:
    """In words."""
    n = control.numbers
    flip = "The raw usage rows of the hours in question."
    if control.status == FIRED:
        more, differ = int(n["more_cached_than_input"] or 0), int(n["parts_differ"] or 0)
        parts = [f"{hours(more)} with more cached than input tokens"] if more else []
        parts += [f"{hours(differ)} whose parts do not add up to the input"] if differ else []
        return Said(f"The usage does not add up: {' and '.join(parts)}.", flip)
    if control.status == NOT_TESTABLE:
        return Said(
            "The parts of the input are not all reported, so they cannot be added up.", flip
        )
    return Said(
        f"Cached, written and uncached tokens add up to the input in all "
        f"{hours(int(n['parts_reported'] or 0))} that report them.",
        flip,
    )
