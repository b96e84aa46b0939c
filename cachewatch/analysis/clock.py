"""Time of day: among hours at the same clock hour, do busier days cache less?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from cachewatch.analysis.gap_test import student_quantile
from cachewatch.analysis.segments import Bools, Floats, Ints
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


NOT_TESTED = ClockTest(None, None, None, 0, 0)


@dataclass(frozen=True, eq=False)
class LoadHours:
    """Hours of one series on days that count, each (H,).

    `clock` is the UTC hour of the day, `day` the service day; `cached_tokens` may be adjusted for
    a change of cells. All requests and input tokens are above zero.
    """

    clock: Ints
    day: Ints
    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats

    def __len__(self) -> int:
        return len(self.clock)

    @cached_property
    def load(self) -> Floats:
        """Natural logarithm of the requests."""
        return np.log(self.requests)

    @cached_property
    def share(self) -> Floats:
        """Cached share hour by hour."""
        return self.cached_tokens / self.input_tokens

    def at(self, mask: Bools) -> LoadHours:
        """The marked hours."""
        return LoadHours(*(getattr(self, name)[mask] for name in self.__dataclass_fields__))


def clock_test(hours: LoadHours, rates: tuple[float, float], fall: float) -> ClockTest:
    """Test one series.

    Args:
        hours: its hours.
        rates: requests an hour of the reference and the busy hours.
        fall: reference share minus busy share.

    """
    log_ratio = float(np.log(rates[1] / rates[0])) if min(rates) > 0 else 0.0
    if log_ratio < CLOCK_MIN_RATIO.default or fall <= 0:
        return NOT_TESTED
    middle = 0.5 * float(np.log(rates[0] * rates[1]))
    chosen = hours.at(_busy_clock_hours(hours, middle))
    days = np.unique(chosen.day)
    points = len(chosen)
    if points < CLOCK_MIN_POINTS.default or len(days) < CLOCK_MIN_DAYS.default:
        return ClockTest(None, None, None, points, len(days))
    if _centred(chosen.load, chosen.clock).std() < CLOCK_MIN_SPREAD.default:
        return ClockTest(None, None, None, points, len(days))
    unit = -fall / log_ratio
    fraction = _slope(chosen.load, chosen.share, chosen.clock) / unit
    width = _jackknife(np.array([_slope_without(chosen, day) for day in days]) / unit)
    return ClockTest(fraction, fraction - width, fraction + width, points, len(days))


def _busy_clock_hours(hours: LoadHours, floor: float) -> Bools:
    """Clock hours with enough days and enough load, without hours far from their median."""
    keep = np.zeros(len(hours), dtype=bool)
    order = np.argsort(hours.clock, kind="stable")
    load = hours.load[order]
    ends = np.searchsorted(hours.clock[order], np.arange(HOURS_PER_DAY + 1)).tolist()
    for first, end in pairwise(ends):
        here = load[first:end]
        near = np.abs(here - _median(here)) <= CLOCK_OUTLIER.default
        days = np.count_nonzero(near)
        if days >= CLOCK_MIN_DAYS.default and here[near].sum() / days >= floor:
            keep[order[first:end][near]] = True
    return keep


def _median(values: Floats) -> float:
    """As numpy's, without what that costs on a handful of values; NaN for none."""
    count = len(values)
    if not count:
        return float("nan")
    ordered = np.sort(values)
    return float((ordered[(count - 1) // 2] + ordered[count // 2]) / 2.0)


def _centred(values: Floats, clock: Ints) -> Floats:
    count = np.bincount(clock, minlength=HOURS_PER_DAY)
    total = np.bincount(clock, weights=values, minlength=HOURS_PER_DAY)
    mean = total / np.maximum(count, 1)
    centred: Floats = values - mean[clock]
    return centred


def _slope_without(hours: LoadHours, day: int) -> float:
    kept = hours.day != day
    return _slope(hours.load[kept], hours.share[kept], hours.clock[kept])


def _slope(load: Floats, share: Floats, clock: Ints) -> float:
    """Slope of the share on ln(requests) after removing the means of each clock hour."""
    x, y = _centred(load, clock), _centred(share, clock)
    squares = float(x @ x)
    return float(x @ y) / squares if squares > 0 else 0.0


def _jackknife(left_out: Floats) -> float:
    """t(n - 1) times the jackknife standard error."""
    n = len(left_out)
    error = np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())
    return float(student_quantile(n - 1) * error)
