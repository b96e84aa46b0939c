"""The level of each service day at equal load: what load alone does to it is taken out.

Every hour's share is the level of its day plus what its load brings, the same on all days: least
squares over days and classes of load, hours weighted by their input tokens. A quiet weekend, or the
few night hours of a day that has only begun, then stand level with busier days, where load explains
them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.segments import Bools, Floats, Ints, segment_sums
from cachewatch.analysis.service_days import DayHours
from cachewatch.analysis.thresholds import LOAD_CLASS, MIN_DAY_HOURS


class DayLevels(NamedTuple):
    """Levels of k series over D service days.

    Attributes:
        share: float64 (k, D), pooled share of each day at the load of the whole window, which may
            lie outside 0..1; NaN on days without enough hours.
        input_tokens: by series, float64 (D, L): of each day in each of its classes of load.

    """

    share: Floats
    input_tokens: list[Floats]

    def matched(self, after: Bools) -> Floats:
        """Part of the input of the days `after` (k, D) at a load that the other days saw too, (k,)."""
        parts = []
        for tokens, later in zip(self.input_tokens, after, strict=True):
            before, since = tokens[~later].sum(axis=0), tokens[later].sum(axis=0)
            total = since.sum()
            parts.append(since[before > 0].sum() / total if total > 0 else 0.0)
        return np.array(parts, np.float64)


def levels_at_equal_load(days: DayHours, series: Ints) -> DayLevels:
    """The daily levels of some series, (k,), at equal load."""
    shares: list[Floats] = []
    tokens: list[Floats] = []
    for one in series.tolist():
        at = days.slice_of(one)
        by_class, day = _classes(days.requests[at]), days.day[at]
        classes = int(by_class.max(initial=-1)) + 1
        group = day * classes + by_class
        of_input, of_cached = (
            segment_sums(column[at], group, days.days * classes).reshape(days.days, classes)
            for column in (days.input_tokens, days.cached_tokens)
        )
        few = np.bincount(day, minlength=days.days) < MIN_DAY_HOURS.default
        shares.append(np.where(few, np.nan, _levels(of_input, of_cached)))
        tokens.append(of_input)
    return DayLevels(np.array(shares).reshape(len(series), days.days), tokens)


def _classes(requests: Floats) -> Ints:
    """The class of load of each hour, 0 for the lowest that is there."""
    steps = np.floor(np.log(requests) / np.log(LOAD_CLASS.default))
    place: Ints = np.unique(steps, return_inverse=True)[1]
    return place


def _levels(tokens: Floats, cached: Floats) -> Floats:
    """Least squares of share on day and class; tokens and cached tokens by day and class (D, L).

    Days that no class of load connects stay at the mean of all: between them nothing is told.
    """
    per_day, per_class = tokens.sum(axis=1), tokens.sum(axis=0)
    within = tokens / per_class
    left = np.diag(per_day) - within @ tokens.T
    right = cached.sum(axis=1) - within @ cached.sum(axis=0)
    level = np.linalg.pinv(left, hermitian=True) @ right
    mean = cached.sum() / per_day.sum()
    levels: Floats = mean + level - per_day @ level / per_day.sum()
    return levels
