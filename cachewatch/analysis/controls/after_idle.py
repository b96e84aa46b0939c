"""Hours after a gap: are they cold, and does it cost?"""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.controls.control import FIRED, NOT_TESTABLE, RULED_OUT, Control, Said
from cachewatch.analysis.figures import hours, percent
from cachewatch.analysis.thresholds import MIN_COLD_HOURS
from cachewatch.analysis.verdict_codes import COLD

NAME = "cold-after-idle"


def judge(case: Case) -> Control:
    """They enter no verdict about load; this says whether they are a finding of their own."""
    numbers = {
        "hours": float(case.cold_hours),
        "cold_share": case.cold_share,
        "linked_share": case.linked_share,
        "wasted": case.wasted,
    }
    if case.verdict == COLD:
        return Control(NAME, FIRED, numbers)
    few = case.cold_hours < MIN_COLD_HOURS.default
    return Control(NAME, NOT_TESTABLE if few and case.cold_hours else RULED_OUT, numbers)


def say(control: Control) -> Said:
    """In words."""
    n = control.numbers
    number = int(n["hours"] or 0)
    flip = "Three hours after a gap that read far less than linked hours and hold 2% of the input."
    if not number:
        return Said("No hour follows a gap.", flip)
    cold, linked = n["cold_share"], n["linked_share"]
    shares = (
        f"{'N/A' if cold is None else percent(cold)} against "
        f"{'N/A' if linked is None else percent(linked)} in linked hours"
    )
    return Said(f"{hours(number)} after a gap: {shares}.", flip)
