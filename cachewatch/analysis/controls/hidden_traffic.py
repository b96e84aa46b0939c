"""Other traffic under the same key: at equal load, does the share move more than chance allows?"""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.conditions import MOVES
from cachewatch.analysis.controls.control import (
    FIRED,
    NOT_TESTABLE,
    OPEN,
    RULED_OUT,
    Control,
    Said,
)
from cachewatch.analysis.examination import BACKGROUND, HIDDEN_TRAFFIC
from cachewatch.analysis.figures import count, percent, points
from cachewatch.analysis.thresholds import HINT_NOISE

NAME = HIDDEN_TRAFFIC


def judge(case: Case) -> Control:
    """Two hours of the same load and the same traffic differ by chance only."""
    fall = case.fall
    if fall is None or fall.noise is None:
        return Control(NAME, NOT_TESTABLE, {})
    background = case.examination.background
    fits = background is not None and background.explains(fall.within or 0.0)
    numbers = {
        "over_chance": fall.noise,
        "beyond_chance": fall.noise_points,
        "background_requests": background.requests if background and fits else None,
        "rest_share": background.rest_share if background and fits else None,
    }
    if case.reason in (NAME, MOVES, BACKGROUND):
        return Control(NAME, FIRED, numbers)
    return Control(NAME, RULED_OUT if fall.noise < HINT_NOISE.default else OPEN, numbers)


def say(control: Control) -> Said:
    """In words."""
    if control.status == NOT_TESTABLE:
        return Said(
            "Too few hours of equal load to compare.", "More days with quiet and busy hours."
        )
    n = control.numbers
    statement = (
        f"Hours of equal load differ {n['over_chance'] or 0:.1f} times as much as chance brings "
        f"({points(n['beyond_chance'] or 0)} beyond it)."
    )
    if n["background_requests"] is not None:
        return Said(
            f"A constant background of about {count(n['background_requests'])} cached requests an "
            f"hour beside a rest of {percent(n['rest_share'] or 0)} explains every hour.",
            "An API key of its own for whatever runs at a constant rate.",
        )
    if control.status == FIRED:
        return Said(
            statement + " Something else than load moves the share: it could be a mix.",
            "Request evidence: time, hash of the prefix, input and cached tokens.",
        )
    return Said(statement, "Differences at equal load of 1.6 times chance.")
