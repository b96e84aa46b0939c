"""Since when things are as the verdict says, where that began inside the window."""

from __future__ import annotations

from typing import NamedTuple

from cachewatch.analysis.case import measures_of
from cachewatch.analysis.conditions import BY_WEEKEND, MOVES
from cachewatch.analysis.decide import Decisions
from cachewatch.analysis.measures import Measures
from cachewatch.analysis.step_hour import step_hour
from cachewatch.analysis.thresholds import MIN_CONTRAST_DAYS
from cachewatch.analysis.verdict_codes import INCONCLUSIVE, LEVEL_SHIFT, MIX_SHIFT, SCATTER


class Since(NamedTuple):
    """First hour of the present state of affairs; None = it was there when the window began.

    `provisional`: fewer days have passed since than a contrast needs.
    """

    hour: int | None
    provisional: bool


ALWAYS = Since(None, False)


def since_of(decisions: Decisions, index: int) -> Since:
    """The first busy hour that a fall took, or the hour in which the level moved."""
    verdict, reason = decisions.verdict[index], decisions.reason[index]
    if verdict == LEVEL_SHIFT:
        return _step(decisions, index)
    about_a_fall = verdict in (SCATTER, MIX_SHIFT, INCONCLUSIVE)
    if about_a_fall and reason not in (BY_WEEKEND, MOVES):
        measures, row = measures_of(decisions, index)
        hour = _first_busy_hour(measures, row)
        if hour is not None:
            return Since(hour, bool(measures.within.days[row] < MIN_CONTRAST_DAYS.default))
    return ALWAYS


def _first_busy_hour(measures: Measures, row: int) -> int | None:
    """The first busy hour that lost, near the service day on which the fall began."""
    start = measures.onset_hour(row)
    if start is None:
        return None
    step = step_hour(measures.days, row, int(measures.onset.day[row]), measures.thirds)
    return step.hour if step else start


def _step(decisions: Decisions, index: int) -> Since:
    """The hour in which the level moved."""
    days, day = decisions.measures.days, int(decisions.level.day[index])
    step = step_hour(days, index, day)
    hour = step.hour if step else days.start_hour_of(index, day)
    days_after = int(decisions.level.split.days_after[index])
    return Since(hour, days_after < MIN_CONTRAST_DAYS.default)
