"""Other traffic in the busy hours: how much of the fall is left inside the cells?"""

from __future__ import annotations

from cachewatch.analysis.case import Case
from cachewatch.analysis.controls.control import (
    FIRED,
    NOT_TESTABLE,
    ONE_CELL,
    OPEN,
    RULED_OUT,
    Control,
    Said,
)
from cachewatch.analysis.figures import falls_by, percent
from cachewatch.analysis.thresholds import GAP_POINTS, SEEN_ON_BOTH
from cachewatch.analysis.verdict_codes import MIX_SHIFT

NAME = "traffic-mix"


def judge(case: Case) -> Control:
    """Cells are API keys, batch settings and service tiers; what shares one cannot be told apart."""
    fall = case.fall
    if case.cells < 2 or fall is None or fall.whole is None or fall.within is None:
        return Control(NAME, NOT_TESTABLE, {"cells": float(case.cells)})
    numbers = {
        "cells": float(case.cells),
        "fall": fall.whole,
        "within_cells": fall.within,
        "seen_on_both": fall.seen_on_both,
    } | ({ONE_CELL: 1.0} if case.one_cell else {})
    if case.verdict == MIX_SHIFT and case.reason in (NAME, "weekend"):
        return Control(NAME, FIRED, numbers)
    seen = (fall.seen_on_both or 0.0) >= SEEN_ON_BOTH.default
    small = abs(fall.whole - fall.within) < max(GAP_POINTS.default / 2, abs(fall.whole) / 2)
    return Control(NAME, RULED_OUT if seen and small else OPEN, numbers)


def say(control: Control) -> Said:
    """In words."""
    n = control.numbers
    if control.status == NOT_TESTABLE:
        return Said(
            "All traffic comes under one API key, tier and batch setting, so templates under it "
            "cannot be told apart.",
            "An API key of its own for each template or job.",
        )
    if ONE_CELL in n:
        return Said(
            f"One of the {n['cells']:.0f} combinations of API key, tier and batch setting is judged "
            f"alone, and its own share {falls_by(n['within_cells'] or 0)} inside the day: the other "
            "traffic has no part in that.",
            "An API key of its own for each template under that key.",
        )
    statement = (
        f"The share {falls_by(n['fall'] or 0)} inside the day, and "
        f"{falls_by(n['within_cells'] or 0)} inside the {n['cells']:.0f} combinations of API key, "
        "tier and batch setting "
        f"({percent(n['seen_on_both'] or 0)} of the input in those seen both quiet and busy)."
    )
    if control.status == FIRED:
        return Said(statement, "Each part judged alone after two days under its own API key.")
    return Said(statement, "A cell with another share that carries the busy hours.")
