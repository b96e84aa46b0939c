"""Quiet against busy inside each service day: which hours, and what share they read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.segments import (
    Bools,
    Floats,
    Ints,
    ascending_order,
    offsets_of,
    sums_between,
)
from cachewatch.analysis.service_days import DayHours, DayPools
from cachewatch.analysis.thresholds import (
    BUSY_RATE_RATIO,
    LOW_DAY_RATE,
    MIN_CONTRAST_DAYS,
    MIN_DAY_HOURS,
    MIN_THIRD_HOURS,
)

NO_THIRD, QUIET, MIDDLE, BUSY = range(4)
_CODES = np.arange(4, dtype=np.int8)


@dataclass(frozen=True, eq=False)
class DayThirds:
    """Thirds by load of every service day.

    Attributes:
        third: int8 (U,), NO_THIRD (the day has too few hours), QUIET, MIDDLE or BUSY.
        quiet, middle, busy: their totals by day (n, D).
        weekend: bool (n, D), see DayHours.is_weekend().

    """

    third: NDArray[np.int8]
    quiet: DayPools
    middle: DayPools
    busy: DayPools
    weekend: Bools

    @property
    def whole(self) -> DayPools:
        """Totals of all three."""
        return self.quiet + self.middle + self.busy


@dataclass(frozen=True, eq=False)
class Contrast:
    """The contrast of n series over D service days.

    Attributes:
        reference, busy: totals by day (n, D): the reference third is the quiet one, or the middle
            one where the other days read more there.
        reference_is_middle: bool (n, D).
        kept: bool (n, D), the days that count.
        varies: bool (n,), some day's busy third is clearly busier than its quiet third.

    """

    reference: DayPools
    busy: DayPools
    reference_is_middle: Bools
    kept: Bools
    varies: Bools

    @property
    def gap(self) -> Floats:
        """Reference share minus busy share by day (n, D); NaN on days that do not count."""
        return np.where(self.kept, self.reference.share - self.busy.share, np.nan)

    @property
    def reference_share(self) -> Floats:
        """Pooled over the kept days, (n,); NaN where there is none."""
        return self.reference.where(self.kept).total.share

    @property
    def busy_share(self) -> Floats:
        """Pooled over the kept days, (n,)."""
        return self.busy.where(self.kept).total.share


def day_thirds(days: DayHours) -> DayThirds:
    """Cut every service day with enough hours into thirds by requests; ties by time."""
    offsets = offsets_of(days.group, days.count * days.days)
    order, lengths = ascending_order(days.requests, offsets), np.diff(offsets)
    size = np.maximum(int(MIN_THIRD_HOURS.default), lengths // 3)
    enough = lengths >= MIN_DAY_HOURS.default
    size, rest = np.where(enough, size, 0), np.where(enough, lengths - 2 * size, 0)
    hours = np.stack([lengths - 2 * size - rest, size, rest, size], axis=1).ravel()
    third = np.empty(len(order), dtype=np.int8)
    third[order] = np.repeat(np.tile(_CODES, len(lengths)), hours)
    quiet, middle, busy = _pools_of_thirds(days, order, hours)
    return DayThirds(third, quiet, middle, busy, days.is_weekend())


def _pools_of_thirds(days: DayHours, order: Ints, hours: Ints) -> Iterator[DayPools]:
    """Totals of the thirds; `hours` (n * D * 4,): how many of each kind follow in the order."""
    shape = (days.count, days.days, len(_CODES))
    offsets = np.concatenate(([0], np.cumsum(hours)))
    columns = (days.requests, days.input_tokens, days.cached_tokens)
    sums = [sums_between(values[order], offsets).reshape(shape) for values in columns]
    counts = hours.astype(np.float64).reshape(shape)
    for code in (QUIET, MIDDLE, BUSY):
        yield DayPools(*(np.ascontiguousarray(one[..., code]) for one in (counts, *sums)))


def contrast(thirds: DayThirds, considered: Bools | None = None) -> Contrast:
    """Choose the days that count, among those `considered` (n, D), and their reference."""
    quiet, middle, busy = thirds.quiet, thirds.middle, thirds.busy
    clear: Bools = (quiet.hours > 0) & (busy.rate >= BUSY_RATE_RATIO.default * quiet.rate)
    if considered is not None:
        clear &= considered
    kept = clear & ~_low_days(busy.rate, clear, thirds.weekend)
    use_middle = _middle_reads_more(quiet, middle, kept)
    return Contrast(
        reference=middle.choose(use_middle, quiet),
        busy=busy,
        reference_is_middle=use_middle,
        kept=kept,
        varies=np.asarray(clear.any(axis=1), dtype=bool),
    )


def _low_days(busy_rate: Floats, clear: Bools, weekend: Bools) -> Bools:
    """Days whose busy third is far quieter than that of a usual day, if enough remain.

    Usual is the median day, or the median weekday where that is busier: of four days two may be a
    weekend.
    """
    rate = np.where(clear, busy_rate, np.nan)
    usual = np.fmax(nanmedian(rate), nanmedian(np.where(weekend, np.nan, rate)))
    low: Bools = clear & (rate < LOW_DAY_RATE.default * usual[:, None])
    enough = (clear & ~low).sum(axis=1) >= MIN_CONTRAST_DAYS.default
    dropped: Bools = low & enough[:, None]
    return dropped


def _middle_reads_more(quiet: DayPools, middle: DayPools, kept: Bools) -> Bools:
    """Whether the middle third of the *other* kept days reads more than their quiet third (n, D)."""
    shares = []
    for pools in (quiet, middle):
        chosen = pools.where(kept)
        total = chosen.total
        tokens = total.input_tokens[:, None] - chosen.input_tokens
        cached = total.cached_tokens[:, None] - chosen.cached_tokens
        alone = np.broadcast_to(total.share[:, None], tokens.shape)
        shares.append(np.divide(cached, tokens, out=alone.copy(), where=tokens > 0))
    more: Bools = shares[1] > shares[0]
    return more


def nanmedian(values: Floats) -> Floats:
    """Median of each row over its known values, (n,); NaN for a row without any."""
    known = np.sort(values, axis=1)  # NaN sorts last
    count = (~np.isnan(values)).sum(axis=1)
    rows = np.arange(len(values))
    low, high = np.maximum(count - 1, 0) // 2, np.maximum(count, 1) // 2
    middle: Floats = (known[rows, low] + known[rows, np.minimum(high, values.shape[1] - 1)]) / 2.0
    return middle
