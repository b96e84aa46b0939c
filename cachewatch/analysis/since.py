"""Since when things are as the verdict says, where that began inside the window."""

from __future__ import annotations

from typing import NamedTuple

from cachewatch.analysis.case import measures_of
from cachewatch.analysis.conditions import BY_WEEKEND, MOVES
from cachewatch.analysis.decide import Decisions
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
    """The onset of a fall, or the day on which the level moved."""
    verdict, reason = decisions.verdict[index], decisions.reason[index]
    if verdict == LEVEL_SHIFT:
        day, after = decisions.level.day[index], decisions.level.split.days_after[index]
        return _at(decisions, index, int(day), int(after))
    about_a_fall = verdict in (SCATTER, MIX_SHIFT, INCONCLUSIVE)
    if about_a_fall and reason not in (BY_WEEKEND, MOVES):
        measures, row = measures_of(decisions, index)
        day = int(measures.onset.day[row])
        if day > 0:
            hour = int(measures.days.start_hour()[row, day])
            return Since(hour, bool(measures.within.days[row] < MIN_CONTRAST_DAYS.default))
    return ALWAYS


def _at(decisions: Decisions, index: int, day: int, days_after: int) -> Since:
    hour = int(decisions.measures.days.start_hour()[index, day])
    return Since(hour, days_after < MIN_CONTRAST_DAYS.default)
