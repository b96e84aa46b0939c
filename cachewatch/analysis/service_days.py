"""Service days: a series' hours cut at its own quietest hour, not at UTC midnight.

A day then runs from one quiet end to the next, and its busy hours lie together in the middle,
wherever on earth the users are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.segments import (
    Bools,
    Floats,
    Ints,
    ascending_order,
    offsets_of,
    ranges,
    ratio,
    sums_between,
)
from cachewatch.analysis.series import SeriesBatch

HOURS_PER_DAY = 24
SATURDAY = 5
EPOCH_WEEKDAY = 3  # 1970-01-01 was a Thursday; Monday is 0


@dataclass(frozen=True, eq=False)
class DayHours:
    """Used hours of n series in service days; U hours, D days at most.

    Attributes:
        count: n.
        days: D.
        first_day: int64 (n,), number of each series' first service day since the epoch, by its
            own cut: service day d starts at hour 24 d + cut.
        cut: int64 (n,), UTC clock hour at which the service day starts.
        series, hour, clock, day: int64 (U,); `clock` is the UTC hour of the day, `day` 0..D-1.
        requests, input_tokens, cached_tokens: float64 (U,), all known.

    """

    count: int
    days: int
    first_day: Ints
    cut: Ints
    series: Ints
    hour: Ints
    clock: Ints
    day: Ints
    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats

    @cached_property
    def group(self) -> Ints:
        """The (series, day) of every hour as one number, series * D + day, shape (U,)."""
        return self.series * self.days + self.day

    def slice_of(self, series: int) -> slice:
        """Where the hours of one series stand."""
        first, end = np.searchsorted(self.series, [series, series + 1]).tolist()
        return slice(first, end)

    def hours_of(self, series: Ints) -> tuple[Ints, Ints]:
        """Where the hours of these series stand, one series after the other, and how many each has."""
        first, end = np.searchsorted(self.series, [series, series + 1]).astype(np.int64)
        return ranges(first, end - first), end - first

    @property
    def share(self) -> Floats:
        """Cached share of every hour."""
        return ratio(self.cached_tokens, self.input_tokens)

    def load_order(self) -> Ints:
        """The hours in ascending order of requests in each series, equal ones in time order, (U,)."""
        return ascending_order(self.requests, offsets_of(self.series, self.count))

    def pools(self, where: Bools | None = None) -> DayPools:
        """Totals by series and day of the marked hours."""
        columns = [self.requests, self.input_tokens, self.cached_tokens]
        group = self.group
        if where is not None:
            marked = np.flatnonzero(where)
            columns, group = [values[marked] for values in columns], group[marked]
        shape = (self.count, self.days)
        offsets = offsets_of(group, self.count * self.days)
        sums = (sums_between(values, offsets).reshape(shape) for values in columns)
        return DayPools(np.diff(offsets).astype(np.float64).reshape(shape), *sums)

    def start_hour(self) -> Ints:
        """First hour of every service day, (n, D)."""
        day = self.first_day[:, None] + np.arange(self.days)
        return day * HOURS_PER_DAY + self.cut[:, None]

    def start_hour_of(self, series: int, day: int) -> int:
        """First hour of one service day."""
        return int((self.first_day[series] + day) * HOURS_PER_DAY + self.cut[series])

    def is_weekend(self) -> Bools:
        """True where the middle of the service day lies on a Saturday or Sunday, UTC; (n, D)."""
        middle = self.start_hour() + HOURS_PER_DAY // 2
        weekend: Bools = (middle // HOURS_PER_DAY + EPOCH_WEEKDAY) % 7 >= SATURDAY
        return weekend


@dataclass(frozen=True, eq=False)
class DayPools:
    """Totals of one set of hours by series and day, each float64 (n, D)."""

    hours: Floats
    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats

    @property
    def share(self) -> Floats:
        """Pooled cached share; NaN without input."""
        return ratio(self.cached_tokens, self.input_tokens)

    @property
    def rate(self) -> Floats:
        """Requests an hour; NaN without hours."""
        return ratio(self.requests, self.hours)

    @property
    def size(self) -> Floats:
        """Input tokens a request; NaN without requests."""
        return ratio(self.input_tokens, self.requests)

    @property
    def total(self) -> DayPools:
        """Totals over all days, each (n,)."""
        return DayPools(*(values.sum(axis=1) for values in self))

    def __iter__(self) -> Iterator[Floats]:
        return iter((self.hours, self.requests, self.input_tokens, self.cached_tokens))

    def __add__(self, other: DayPools) -> DayPools:
        return DayPools(*(one + two for one, two in zip(self, other, strict=True)))

    def where(self, mask: Bools) -> DayPools:
        """The same with zeros outside the mask (n, D)."""
        return DayPools(*(np.where(mask, values, 0.0) for values in self))

    def choose(self, mask: Bools, other: DayPools) -> DayPools:
        """These totals where the mask holds, the other's elsewhere."""
        pairs = zip(self, other, strict=True)
        return DayPools(*(np.where(mask, mine, theirs) for mine, theirs in pairs))


def quietest_clock_hour(batch: SeriesBatch) -> Ints:
    """The UTC clock hour in which each series has the fewest requests, (n,); the first of equals.

    Three neighbouring hours are taken together, so that one idle hour does not decide.
    """
    clock = batch.hour % HOURS_PER_DAY
    counted = np.where(batch.settled, np.nan_to_num(batch.requests), 0.0)
    flat = np.bincount(
        batch.ids * HOURS_PER_DAY + clock, weights=counted, minlength=len(batch) * HOURS_PER_DAY
    )
    profile = flat.reshape(len(batch), HOURS_PER_DAY)
    smooth = profile + np.roll(profile, 1, axis=1) + np.roll(profile, -1, axis=1)
    quietest: Ints = np.argmin(smooth, axis=1).astype(np.int64)
    return quietest


def service_days(batch: SeriesBatch, used: NDArray[np.bool_]) -> DayHours:
    """Cut the marked hours of a batch into service days; all their numbers must be known."""
    cut = quietest_clock_hour(batch)
    series, hour = batch.ids[used], batch.hour[used]
    absolute = (hour - cut[series]) // HOURS_PER_DAY
    first = np.zeros(len(batch), dtype=np.int64)
    some = np.flatnonzero(np.diff(np.searchsorted(series, np.arange(len(batch) + 1))))
    first[some] = absolute[np.searchsorted(series, some)]
    day = absolute - first[series]
    return DayHours(
        count=len(batch),
        days=int(day.max(initial=0)) + 1,
        first_day=first,
        cut=cut,
        series=series,
        hour=hour,
        clock=hour % HOURS_PER_DAY,
        day=day,
        requests=batch.requests[used],
        input_tokens=batch.input_tokens[used],
        cached_tokens=batch.cached_tokens[used],
    )
