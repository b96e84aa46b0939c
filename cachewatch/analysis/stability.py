"""Does a finding hang on one hour or on one day?"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

import numpy as np

from cachewatch.analysis.contrast import nanmedian
from cachewatch.analysis.gap_test import gap_test
from cachewatch.analysis.measures import Measures


@dataclass(frozen=True)
class Stability:
    """The fall of one series with parts left out.

    Attributes:
        without_busiest_hour: the median day's fall without the busiest hour of the window.
        without_one_day: the smallest median fall when one day is left out; None below two days.
        stands: the fall is a finding whichever single day is left out.
        weakest_hour: first hour of the day without which it is smallest; None likewise.

    """

    without_busiest_hour: float | None
    without_one_day: float | None
    stands: bool
    weakest_hour: int | None


def stability(measures: Measures, row: int) -> Stability:
    """Leave out the busiest hour, then each day in turn."""
    gap = measures.parts.within[row]
    known = np.flatnonzero(~np.isnan(gap))
    hour = _without_busiest_hour(measures, row)
    if len(known) < 2:
        return Stability(hour, None, False, None)
    left = np.tile(gap[known], (len(known), 1))
    np.fill_diagonal(left, np.nan)
    level = np.full(len(known), measures.reference_share[row])
    test = gap_test(left, level)
    weakest = int(np.argmin(test.median))
    start = measures.days.start_hour_of(row, int(known[weakest]))
    return Stability(hour, float(test.median[weakest]), bool(test.yes.all()), start)


def _without_busiest_hour(measures: Measures, row: int) -> float | None:
    days, chosen = measures.days, measures.contrast
    low, high = np.searchsorted(days.series, [row, row + 1])
    hours = slice(int(low), int(high))
    counts = np.flatnonzero(chosen.kept[row][days.day[hours]])
    if not len(counts):
        return None
    busiest = int(low) + int(counts[np.argmax(days.requests[hours][counts])])
    day = int(days.day[busiest])
    tokens = float(chosen.busy.input_tokens[row, day])
    cached = float(chosen.busy.cached_tokens[row, day])
    left = tokens - float(days.input_tokens[busiest])
    gaps = measures.parts.within[row].copy()
    if left > 0:
        gaps[day] += cached / tokens - (cached - float(days.cached_tokens[busiest])) / left
    median = float(nanmedian(gaps[None])[0])
    return None if isnan(median) else median
