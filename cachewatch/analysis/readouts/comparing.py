"""After against what the days before lead one to expect, with an interval by day.

The change is the pooled ratio of the matched hours after, minus the ratio that the curve of the
days before gives for the same hours. Its error comes from whole days: the spread of the daily
residuals after, and of those before when each day is predicted from the others. Few days know
their own spread badly, so both are drawn towards each other; the interval is Student's t with
Welch's degrees of freedom, the drawn days among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan, nan, sqrt
from typing import NamedTuple

import numpy as np
from scipy.stats import t as student_t

from cachewatch.analysis.readout_thresholds import PRIOR_DAYS
from cachewatch.analysis.readouts.sides import Sides
from cachewatch.analysis.readouts.smoothing import Kernel, rows_of
from cachewatch.analysis.segments import Bools, Floats, Ints

Interval = tuple[float, float]


class Totals(NamedTuple):
    """Sums over a set of hours."""

    hours: int
    numerator: float
    denominator: float

    @property
    def ratio(self) -> float | None:
        """Numerator over denominator; None without one."""
        return self.numerator / self.denominator if self.denominator > 0 else None


@dataclass(frozen=True, eq=False)
class Days:
    """Residual ratios by service day, each (D,): number of the day, value, weight (sum 1).

    `influence` (D, S): how much each of the S days before weighs in what the day is held against.
    """

    day: Ints
    value: Floats
    weight: Floats
    influence: Floats

    @property
    def effective(self) -> float:
        """How many equal days the weights stand for; 0 without any."""
        return float(1.0 / np.square(self.weight).sum()) if len(self.weight) else 0.0


@dataclass(frozen=True, eq=False)
class Compared:
    """One ratio before and after.

    Attributes:
        before: of all marked hours before.
        after: of the marked hours after that have a counterpart before.
        expected: ratio that the days before lead one to expect in those hours; None without any.
        change: after minus expected; NaN without any.
        error: its standard error; inf where fewer than two days lie on a side.
        degrees: of freedom.
        matched: part of the denominator after that has a counterpart before; NaN of nothing.
        days_before, days_after: the residuals by service day.
        spread_before, spread_after: standard deviation of the ratio of hours of one load; NaN with
            fewer than two hours.

    """

    before: Totals
    after: Totals
    expected: float | None
    change: float
    error: float
    degrees: float
    matched: float
    days_before: Days
    days_after: Days
    spread_before: float
    spread_after: float

    @property
    def known(self) -> bool:
        """Whether there is a change and an error to state."""
        return not isnan(self.change) and self.error < inf

    def interval(self, confidence: float) -> Interval | None:
        """Both bounds of the change; None where no error can be stated."""
        return interval_of(self.change, self.error, self.degrees, confidence)


def interval_of(change: float, error: float, degrees: float, confidence: float) -> Interval | None:
    """change -+ t(degrees) x error; None where that cannot be stated."""
    if isnan(change) or not error < inf:
        return None
    half = float(student_t.ppf(0.5 + confidence / 2.0, degrees)) * error
    return change - half, change + half


def compare(
    sides: Sides,
    kernel: Kernel,
    numerator: Floats,
    denominator: Floats,
    where: Bools,
    rows: Floats | None = None,
) -> Compared:
    """Compare numerator / denominator over the marked hours.

    Args:
        sides: the hours, U of them.
        kernel: which hours before stand for which hours.
        numerator, denominator: float64 (U,), the denominator above zero.
        where: bool (U,), hours to compare; the curve is made of all hours before.
        rows: rows_of(kernel, denominator of the hours before), where the caller has them.

    """
    before = sides.before
    rows = rows_of(kernel, denominator[before]) if rows is None else rows
    residual = numerator - denominator * (rows @ (numerator[before] / denominator[before]))
    kept = where & ~np.isnan(residual)
    known, after = before & kept, sides.after & kept
    late, early = (_days(sides, residual, denominator, one, rows) for one in (after, known))
    totals = _totals(numerator, denominator, after)
    change = float(residual[after].sum()) / totals.denominator if totals.denominator > 0 else nan
    error, degrees = _error(early, late)
    return Compared(
        before=_totals(numerator, denominator, before & where),
        after=totals,
        expected=None if totals.ratio is None else totals.ratio - change,
        change=change,
        error=error,
        degrees=degrees,
        matched=_matched_part(denominator[after], denominator[sides.after & where]),
        days_before=early,
        days_after=late,
        spread_before=_spread_of_hours(sides, residual, denominator, known),
        spread_after=_spread_of_hours(sides, residual, denominator, after),
    )


def _matched_part(matched: Floats, every: Floats) -> float:
    """Of the denominators after, the part of those that are matched; NaN of nothing."""
    total = float(every.sum())
    return float(matched.sum()) / total if total > 0 else nan


def _spread_of_hours(sides: Sides, residual: Floats, denominator: Floats, where: Bools) -> float:
    """From hours next to each other in load (successive differences, von Neumann 1941)."""
    order = np.argsort(sides.requests[where], kind="stable")
    steps = np.diff((residual[where] / denominator[where])[order])
    return float(np.sqrt(np.square(steps).mean() / 2.0)) if len(steps) else nan


def _totals(numerator: Floats, denominator: Floats, where: Bools) -> Totals:
    return Totals(int(where.sum()), float(numerator[where].sum()), float(denominator[where].sum()))


def _days(sides: Sides, residual: Floats, denominator: Floats, where: Bools, rows: Floats) -> Days:
    days, place = np.unique(sides.day[where], return_inverse=True)
    weight = np.bincount(place, denominator[where], len(days))
    value = np.bincount(place, residual[where], len(days)) / np.maximum(weight, 1e-300)
    part = denominator[where] / np.maximum(weight[place], 1e-300)
    source, source_place = np.unique(sides.day[sides.before], return_inverse=True)
    to_day = np.zeros((len(days), len(part)))
    to_day[place, np.arange(len(part))] = part
    from_day = np.zeros((len(source_place), len(source)))
    from_day[np.arange(len(source_place)), source_place] = 1.0
    influence = to_day @ rows[where] @ from_day
    return Days(days, value, weight / max(float(weight.sum()), 1e-300), influence)


def _error(early: Days, late: Days) -> tuple[float, float]:
    """Standard error of the change, and its degrees of freedom."""
    if len(early.day) < 2 or len(late.day) < 2:
        return inf, 1.0
    free_before, free_after = early.effective - 1.0, late.effective - 1.0
    if free_before <= 0 or free_after <= 0:
        return inf, 1.0
    middle = float((late.weight * late.value).sum())
    after = _variance_of_a_day(late, np.square(late.value - middle)) * late.effective / free_after
    apart = 1.0 + np.square(early.influence).sum(axis=1)  # a day and what it is predicted from
    before = _variance_of_a_day(early, np.square(early.value) / apart)
    degrees = free_before + free_after
    pooled = (before * free_before + after * free_after) / degrees
    prior = PRIOR_DAYS.default
    own_before, own_after = (
        (own * free + pooled * prior) / (free + prior)
        for own, free in ((before, free_before), (after, free_after))
    )
    drawn = np.abs(late.weight @ late.influence)  # how much each day before weighs in the change
    parts = own_after * _spread(late.weight), own_before * _spread(drawn)
    return sqrt(sum(parts)), _welch(parts, (free_after + prior, free_before + prior))


def _welch(parts: tuple[float, float], degrees: tuple[float, float]) -> float:
    """Degrees of freedom of a sum of two variances (Welch 1947, Satterthwaite 1946)."""
    total = sum(parts)
    if total <= 0:
        return sum(degrees)
    return total**2 / sum(part**2 / free for part, free in zip(parts, degrees, strict=True))


def _variance_of_a_day(days: Days, squares: Floats) -> float:
    """Variance of a day of mean weight, from squared residuals.

    Days differ by what moves whole days, and by the chance of their hours, which is larger on a day
    with fewer of them: a day's variance is taken to go with one over the root of its weight.
    """
    part = np.sqrt(days.weight)
    return float((part * squares * _size(days.weight)).sum() / part.sum())


def _size(weight: Floats) -> Floats:
    """Root of a day's weight over the mean weight."""
    return np.asarray(np.sqrt(weight * len(weight) / max(float(weight.sum()), 1e-300)))


def _spread(weight: Floats) -> float:
    """Variance of the weighted sum of days, over that of a day of mean weight."""
    return float((np.square(weight) / np.maximum(_size(weight), 0.2)).sum())
