"""The newest service day of a window, by itself: what it shows is in no window of the day before."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.case import measures_of
from cachewatch.analysis.decide import Decisions
from cachewatch.analysis.segments import Floats


class DayValue(NamedTuple):
    """A value of one service day; `start_hour` is its first hour, whole UTC hours since the epoch."""

    start_hour: int
    value: float


class NewestDays(NamedTuple):
    """The newest service days of a window that can be told; None where there is none.

    `fall`: by which its busy hours cache less in the same traffic, points of share; a day of little
    traffic has none. `share`: its pooled cached share, 0..1.
    """

    fall: DayValue | None
    share: DayValue | None


def newest_days(decisions: Decisions, index: int) -> NewestDays:
    """Of one series, or of the cell that its verdict names."""
    measures, row = measures_of(decisions, index)

    def newest(values: Floats) -> DayValue | None:
        days = np.flatnonzero(~np.isnan(values[row]))
        if not len(days):
            return None
        day = int(days[-1])
        return DayValue(measures.days.start_hour_of(row, day), float(values[row, day]))

    return NewestDays(newest(measures.parts.within), newest(measures.level))
