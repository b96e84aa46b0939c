"""Does a finding hang on one hour or on one day?"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan

import numpy as np

from cachewatch.analysis.contrast import nanmedian
from cachewatch.analysis.gap_test import gap_test
from cachewatch.analysis.measures import Measures
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio


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


def stabilities(measures: Measures, rows: Ints) -> list[Stability]:
    """Leave out the busiest hour, then each day in turn, of some rows (r,)."""
    median_falls = _without_busiest_hour(measures, rows).tolist()
    hour = [None if isnan(fall) else fall for fall in median_falls]
    found = [Stability(fall, None, False, None) for fall in hour]
    gaps = measures.parts.within[rows]
    counts = (~np.isnan(gaps)).sum(axis=1)
    for count in np.unique(counts[counts >= 2]).tolist():
        places = np.flatnonzero(counts == count)
        median, stands, weakest = _without_each_day(measures, rows[places])
        start = measures.days.start_hour()[rows[places], weakest].tolist()
        columns = (places.tolist(), median.tolist(), stands.tolist(), start)
        for place, smallest, yes, first_hour in zip(*columns, strict=True):
            found[place] = Stability(hour[place], smallest, yes, first_hour)
    return found


def _without_each_day(measures: Measures, rows: Ints) -> tuple[Floats, Bools, Ints]:
    """The smallest median fall, whether each is a finding, and the day left out for the smallest.

    Of rows (r,) that have equally many days with a gap.
    """
    gaps = measures.parts.within[rows]
    row, day = np.nonzero(~np.isnan(gaps))
    days = day.reshape(len(rows), -1)
    count = days.shape[1]
    left = np.repeat(gaps[row, day].reshape(days.shape)[:, None, :], count, axis=1)
    left[:, np.arange(count), np.arange(count)] = np.nan
    level = np.repeat(measures.reference_share[rows], count)
    test = gap_test(left.reshape(-1, count), level)
    median = test.median.reshape(days.shape)
    weakest = np.argmin(median, axis=1)
    at = np.arange(len(rows)), weakest
    stands: Bools = np.all(test.yes.reshape(days.shape), axis=1)
    return median[at], stands, days[at]


def _without_busiest_hour(measures: Measures, rows: Ints) -> Floats:
    """The median day's fall without the busiest hour of the days that count, (r,); NaN = none."""
    days, chosen = measures.days, measures.contrast
    place, lengths = days.hours_of(rows)
    row = np.repeat(np.arange(len(rows)), lengths)
    counts = chosen.kept[rows[row], days.day[place]]
    place, row = place[counts], row[counts]
    # The first of the busiest of each row comes first.
    order = np.lexsort((-days.requests[place], row))
    first = np.flatnonzero(np.diff(row, prepend=-1))
    busiest, some = place[order][first], row[first]
    day = days.day[busiest]
    tokens, cached = (
        values[rows[some], day] for values in (chosen.busy.input_tokens, chosen.busy.cached_tokens)
    )
    left = tokens - days.input_tokens[busiest]
    without = ratio(cached - days.cached_tokens[busiest], left)
    gaps = measures.parts.within[rows]
    gaps[some, day] += np.where(left > 0, ratio(cached, tokens) - without, 0.0)
    median = np.full(len(rows), np.nan)
    median[some] = nanmedian(gaps[some])
    return median
