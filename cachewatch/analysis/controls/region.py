"""Region: prompt caches do not cross regional boundaries, and usage rows do not name the region."""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.controls.control import NOT_TESTABLE, Control, Said

NAME = "region"


def judge(_case: Case) -> Control:
    """Never testable on usage rows."""
    return Control(NAME, NOT_TESTABLE, {})


def say(_control: Control) -> Said:
    """In words."""
    return Said(
        "Usage rows do not name the region a request was served in.",
        "The region of twenty requests that missed, from request logs.",
    )
