"""Time of day: among hours at the same clock hour, do busier days cache less?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.by_length import ByLength
from cachewatch.analysis.equal_load import row_medians
from cachewatch.analysis.gap_test import student_quantiles
from cachewatch.analysis.load_hours import LoadHours
from cachewatch.analysis.segments import (
    Bools,
    Floats,
    Ints,
    Table,
    offsets_of,
    ratio,
    segment_sums,
)
from cachewatch.analysis.thresholds import (
    CLOCK_FRACTION,
    CLOCK_MIN_DAYS,
    CLOCK_MIN_POINTS,
    CLOCK_MIN_RATIO,
    CLOCK_MIN_SPREAD,
    CLOCK_OUTLIER,
    CLOCK_UPPER,
)

HOURS_PER_DAY = 24
SMALLEST_PART = 1e-3  # where less is left without a day, the other hours are added up anew


class Slope(NamedTuple):
    """See ClockTest."""

    fraction: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class ClockTest:
    """How much of the slope over load is left at a fixed clock hour.

    Attributes:
        fraction: the slope of the share on ln(requests) at fixed clock hours over the slope from
            reference to busy hours; 1 = load explains all, 0 = the clock does. None: not testable.
        low, high: its bounds, by leaving out one day at a time.
        points, days: hours and days used.

    """

    fraction: float | None
    low: float | None
    high: float | None
    points: int
    days: int

    @property
    def follows_clock(self) -> bool:
        """The share falls at certain hours of the day, however busy they are."""
        return (
            self.fraction is not None
            and self.high is not None
            and self.fraction < CLOCK_FRACTION.default
            and self.high < CLOCK_UPPER.default
        )

    @property
    def follows_load(self) -> bool:
        """Busier days clearly read less at the same hour."""
        return self.low is not None and self.low > 0


NO_SLOPE = Slope(None, None, None)
NOT_TESTED = ClockTest(*NO_SLOPE, 0, 0)


def clock_tests(hours: LoadHours, rates: tuple[Floats, Floats], fall: Floats) -> list[ClockTest]:
    """Test every series.

    Args:
        hours: of f series.
        rates: requests an hour of the reference and the busy hours, each (f,).
        fall: reference share minus busy share, (f,).

    """
    rated = np.minimum(*rates) > 0
    log_ratio = np.log(np.divide(rates[1], rates[0], where=rated, out=np.ones(len(hours))))
    asked = ~((log_ratio < CLOCK_MIN_RATIO.default) | (fall <= 0))
    floor = 0.5 * np.log(np.where(rated, rates[0] * rates[1], 1.0))
    chosen = hours.at(_busy_clock_hours(hours, floor) & np.repeat(asked, hours.counts))
    table = _ByDay(chosen)
    testable = asked & (chosen.counts >= CLOCK_MIN_POINTS.default)
    testable &= (table.days >= CLOCK_MIN_DAYS.default) & (table.spread >= CLOCK_MIN_SPREAD.default)
    slopes = iter(_slopes(table, testable, -fall / np.where(asked, log_ratio, 1.0)))
    columns = (asked, testable, chosen.counts, table.days)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        ClockTest(*(next(slopes) if tested else NO_SLOPE), points=points, days=days)
        if is_asked
        else NOT_TESTED
        for is_asked, tested, points, days in rows
    ]


def _busy_clock_hours(hours: LoadHours, floor: Floats) -> Bools:
    """Clock hours with enough days and enough load, without hours far from their median, (H,)."""
    group, count = _by_clock(hours)
    order = np.argsort(group, kind="stable")
    offsets = offsets_of(group, count)
    load, lengths = hours.load[order], np.diff(offsets)
    median = np.repeat(row_medians(Table(offsets).of(load, np.nan), lengths), lengths)
    near = np.abs(load - median) <= CLOCK_OUTLIER.default
    ends = np.concatenate(([0], np.cumsum(near)))[offsets]
    days = np.diff(ends)
    mean = ByLength(ends).sums(load[near]) / np.maximum(days, 1)
    floors = np.repeat(floor, count // max(len(hours), 1))
    busy = (days >= CLOCK_MIN_DAYS.default) & (mean >= floors)
    keep = np.zeros(len(order), dtype=bool)
    keep[order] = near & np.repeat(busy, lengths)
    return keep


def _by_clock(hours: LoadHours) -> tuple[Ints, int]:
    """The (series, clock hour) of every hour as one number, and how many there are."""
    clocks = max(HOURS_PER_DAY, int(hours.clock.max(initial=0)) + 1)
    return hours.ids * clocks + hours.clock, len(hours) * clocks


class _ByDay:
    """The hours of f series without the mean of their clock hour, and what each day adds.

    Attributes:
        hours: what is compared.
        load, share: float64 (H,), ln(requests) and cached share minus the mean of the clock hour.
        seen: bool (f, D), the days with an hour; `days` (f,) counts them.
        spread: float64 (f,), standard deviation of the load; NaN without hours.

    """

    def __init__(self, hours: LoadHours) -> None:
        self.hours = hours
        self._group, self._groups = _by_clock(hours)
        self._of_clock = np.bincount(self._group, minlength=self._groups)
        self.load, self.share = self._centred(hours.load), self._centred(hours.share)
        self._width = int(hours.day.max(initial=0)) + 1
        self._day = hours.ids * self._width + hours.day
        self.seen = self._by_day(np.ones(len(self._day))) > 0
        self.days = self.seen.sum(axis=1)
        self.spread = self._spread()

    def _centred(self, values: Floats) -> Floats:
        total = np.bincount(self._group, weights=values, minlength=self._groups)
        centred: Floats = values - (total / np.maximum(self._of_clock, 1))[self._group]
        return centred

    def _by_day(self, values: Floats) -> Floats:
        size = len(self.hours) * self._width
        return segment_sums(values, self._day, size).reshape(-1, self._width)

    def _spread(self) -> Floats:
        alone, counts = self.hours.alone, self.hours.counts
        hours = counts.astype(np.float64)
        off = self.load - np.repeat(ratio(alone.sums(self.load), hours), counts)
        return np.sqrt(ratio(alone.sums(off**2), hours))

    def products(self, one: Floats, other: Floats) -> tuple[Floats, Floats]:
        """Sum of the products of two such columns (f,), and what each day takes with it (f, D).

        Without one of its n hours a clock hour has another mean: n / (n - 1) of the hour's own
        product goes.
        """
        of_clock = self._of_clock[self._group]
        with_mean = one * other * (of_clock / np.maximum(of_clock - 1, 1))
        return self.hours.alone.dots(one, other), self._by_day(with_mean)


def _slopes(table: _ByDay, testable: Bools, unit: Floats) -> list[Slope]:
    """Slopes of the share on ln(requests) over `unit`, and their bounds, of the testable series.

    The bounds: t(n - 1) times the jackknife standard error of leaving out a day.
    """
    squares, squares_of_day = table.products(table.load, table.load)
    product, product_of_day = table.products(table.load, table.share)
    left = squares[:, None] - squares_of_day
    part = ratio(product[:, None] - product_of_day, left) / unit[:, None]
    seen = table.seen
    apart = np.where(seen, part, -np.inf).max(axis=1) - np.where(seen, part, np.inf).min(axis=1)
    small = (seen & (left < SMALLEST_PART * squares[:, None])).any(axis=1)
    for one in np.flatnonzero(testable & (small | ~(apart >= SMALLEST_PART))).tolist():
        for day in np.flatnonzero(seen[one]).tolist():
            part[one, day] = _slope_without(table.hours, one, day) / unit[one]
    seen, part, unit = seen[testable], part[testable], unit[testable]
    days = seen.sum(axis=1)
    mean = np.where(seen, part, 0.0).sum(axis=1) / days
    off = np.where(seen, part - mean[:, None], 0.0)
    width = student_quantiles(days - 1) * np.sqrt((days - 1) / days * (off**2).sum(axis=1))
    fraction = np.nan_to_num(ratio(product, squares)[testable]) / unit
    bounds = (column.tolist() for column in (fraction, fraction - width, fraction + width))
    return [Slope(*one) for one in zip(*bounds, strict=True)]


def _slope_without(hours: LoadHours, one: int, day: int) -> float:
    """The slope of one series without one day, from its other hours; 0.0 where loads are equal."""
    rest = _ByDay(hours.at((hours.ids == one) & (hours.day != day)))
    squares = float(rest.load @ rest.load)
    return float(rest.load @ rest.share) / squares if squares > 0 else 0.0
