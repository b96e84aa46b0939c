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
from cachewatch.analysis.examination import HIDDEN_TRAFFIC
from cachewatch.analysis.figures import points
from cachewatch.analysis.thresholds import HINT_NOISE

NAME = HIDDEN_TRAFFIC


def judge(case: Case) -> Control:
    """Two hours of the same load and the same traffic differ by chance only."""
    fall = case.fall
    if fall is None or fall.noise is None:
        return Control(NAME, NOT_TESTABLE, {})
    numbers = {"over_chance": fall.noise, "beyond_chance": fall.noise_points}
    if case.reason in (NAME, MOVES):
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
    if control.status == FIRED:
        return Said(
            statement + " Something else than load moves the share: it could be a mix.",
            "Request evidence: time, hash of the prefix, input and cached tokens.",
        )
    return Said(statement, "Differences at equal load of 1.6 times chance.")
