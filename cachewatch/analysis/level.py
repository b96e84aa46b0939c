"""Did the level of the share move on a day, or does it differ on weekends?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from cachewatch.analysis.day_levels import levels_at_equal_load
from cachewatch.analysis.measures import Measures
from cachewatch.analysis.segments import Bools, Floats, Ints
from cachewatch.analysis.service_days import DayHours
from cachewatch.analysis.thresholds import (
    LEVEL_MATCHED,
    LEVEL_OF_LARGER,
    LEVEL_POINTS,
    LEVEL_STANDARD_ERRORS,
    MIN_LEVEL_DAYS,
    MIN_SIDE_DAYS,
)


@dataclass(frozen=True, eq=False)
class TwoLevels:
    """Daily values of n series in two groups.

    Attributes:
        before, after: float64 (n,), mean of each group.
        days_before, days_after: int64 (n,).
        error: float64 (n,), standard error of the difference.
        misfit: float64 (n,), sum of squares inside the groups.
        clear: bool (n,), the difference reaches all limits.

    """

    before: Floats
    after: Floats
    days_before: Ints
    days_after: Ints
    error: Floats
    misfit: Floats
    clear: Bools


@dataclass(frozen=True, eq=False)
class LevelShift:
    """The best split of each series' days.

    Attributes:
        day: int64 (n,), first day of the new level; -1 where no split is possible.
        split: the two levels at that day.
        weekend: weekdays (before) against weekends (after).
        at_equal_load: float64 (n,), the change at that day between hours of equal load; NaN where
            none is asked for, or too few hours have an equal.
        shifted: bool (n,), the level moved on a day.
        by_weekend: bool (n,), weekends explain the two levels better.
        at_weekend: bool (n,), one level is known of weekend days alone, with weekdays on one side
            only: the level moved, or weekends bring other traffic.

    """

    day: Ints
    split: TwoLevels
    weekend: TwoLevels
    at_equal_load: Floats
    shifted: Bools
    by_weekend: Bools
    at_weekend: Bools


def level_shift(measures: Measures) -> LevelShift:
    """Find the best split of each series' days, and whether load explains it."""
    weekend = measures.days.is_weekend()
    found = best_split(measures.level, measures.level_rate, weekend)
    return _beyond_load(found, measures.days, weekend & ~np.isnan(measures.level))


def best_split(values: Floats, rates: Floats, weekend: Bools) -> LevelShift:
    """Find the best split of daily values (n, D), NaN for days without one; load is not asked.

    A weekend that brings less traffic and a lower share (or more of both) differs by density, not
    by its traffic, and is no weekend level. `rates` (n, D) are requests an hour of the days.
    """
    rows, width = values.shape
    best = two_groups(values, np.zeros_like(values, dtype=bool))
    day = np.full(rows, -1, dtype=np.int64)
    for start in range(1, width):
        after = np.broadcast_to(np.arange(width) >= start, values.shape)
        split = two_groups(values, after)
        better = split.misfit < best.misfit
        day = np.where(better, start, day)
        best = _choose(better, split, best)
    by_weekend = two_groups(values, weekend)
    enough = (~np.isnan(values)).sum(axis=1) >= MIN_LEVEL_DAYS.default
    density = two_groups(rates, weekend)
    step, busier = by_weekend.after - by_weekend.before, density.after - density.before
    by_density = step * busier > 0
    fits_best = by_weekend.clear & (by_weekend.misfit <= best.misfit)
    between = _weekend_between_weekdays(values, weekend)
    is_weekend: Bools = fits_best & ~by_density & between & enough
    unasked = np.full(rows, np.nan)
    shifted: Bools = best.clear & ~is_weekend & enough
    nowhere = np.zeros(rows, dtype=bool)
    return LevelShift(day, best, by_weekend, unasked, shifted, is_weekend, nowhere)


def _beyond_load(found: LevelShift, days: DayHours, weekend: Bools) -> LevelShift:
    """The shifts that stay between hours of equal load, or that no load of a weekday explains.

    `weekend` (n, D): weekend days with a level.
    """
    series = np.flatnonzero(found.shifted)
    if not len(series):
        return found
    levels = levels_at_equal_load(days, series)
    after = np.arange(days.days) >= found.day[series, None]
    split, matched = two_groups(levels.share, after), levels.matched(after)
    told = matched >= LEVEL_MATCHED.default
    same_way = (split.after > split.before) == (found.split.after > found.split.before)[series]
    weekdays = ~np.isnan(levels.share) & ~weekend[series]
    sides = np.minimum((weekdays & after).sum(axis=1), (weekdays & ~after).sum(axis=1))
    stays = np.where(told, split.clear & same_way, sides >= MIN_SIDE_DAYS.default)
    change, shifted = found.at_equal_load.copy(), found.shifted.copy()
    change[series] = np.where(told, split.after - split.before, np.nan)
    shifted[series] = stays & (sides > 0)
    at_weekend = found.at_weekend.copy()
    at_weekend[series] = stays & (sides == 0)
    return replace(found, at_equal_load=change, shifted=shifted, at_weekend=at_weekend)


def _weekend_between_weekdays(values: Floats, weekend: Bools) -> Bools:
    """Weekdays are known before and after a weekend; else it is no more than a first or last day."""
    known = ~np.isnan(values)
    weekday = known & ~weekend
    before = np.logical_or.accumulate(weekday, axis=1)
    after = np.logical_or.accumulate(weekday[:, ::-1], axis=1)[:, ::-1]
    between: Bools = np.any(known & weekend & before & after, axis=1)
    return between


def two_groups(values: Floats, after: Bools) -> TwoLevels:
    """Means and spread of the days outside and inside `after`, both (n, D)."""
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    means, counts, misfit = [], [], np.zeros(len(values))
    for group in (known & ~after, known & after):
        count = group.sum(axis=1)
        mean = (filled * group).sum(axis=1) / np.maximum(count, 1)
        misfit += (((filled - mean[:, None]) * group) ** 2).sum(axis=1)
        means.append(mean)
        counts.append(count)
    degrees = np.maximum(counts[0] + counts[1] - 2, 1)
    spread = misfit / degrees * sum(1.0 / np.maximum(count, 1) for count in counts)
    error = np.sqrt(spread)
    possible = np.minimum(*counts) >= MIN_SIDE_DAYS.default
    change = np.abs(means[1] - means[0])
    clear = possible & (change >= LEVEL_POINTS.default)
    clear &= change >= LEVEL_OF_LARGER.default * np.maximum(*means)
    clear &= change >= LEVEL_STANDARD_ERRORS.default * error
    return TwoLevels(
        before=means[0],
        after=means[1],
        days_before=counts[0],
        days_after=counts[1],
        error=error,
        misfit=np.where(possible, misfit, np.inf),
        clear=clear,
    )


def _choose(mask: Bools, one: TwoLevels, other: TwoLevels) -> TwoLevels:
    return TwoLevels(
        *(
            np.where(mask, getattr(one, name), getattr(other, name))
            for name in TwoLevels.__dataclass_fields__
        )
    )
