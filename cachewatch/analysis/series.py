"""SeriesBatch: the hours of many series as flat arrays. One series is a batch of one.

An hour without any row of a series is not in the batch; whether that means "no traffic" or
"unknown" shows in `known_before` of the hour that follows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cachewatch.analysis.segments import Bools, Floats, Ints, offsets_of, ranges, segment_ids
from cachewatch.analysis.share import HourNumbers

SECONDS_PER_HOUR = 3600


@dataclass(frozen=True, eq=False)
class SeriesBatch:
    """Hours of n series, N hours in all. Unknown is NaN, never zero.

    Attributes:
        offsets: int64 (n + 1,); series s holds the hours offsets[s] up to offsets[s + 1].
        hour: int64 (N,), whole UTC hours since the epoch, strictly ascending inside a series.
        requests, input_tokens, cached_tokens, cache_write_tokens: float64 (N,); NaN where one of
            the hour's rows does not report it. Input holds the cached and the written tokens. A
            row without input has no cached tokens to report and makes nothing unknown.
        reported: the sums of what was reported, a missing value counted as zero: the published
            rule's view of the same hours. Stored history holds no part of a sum that is not
            known: there such a sum counts as zero.
        settled: bool (N,), the hour ended more than the settle time ago.
        known_before: bool (N,), the hour before was read, and whether it had traffic is known.
        had_traffic: bool (N,), some requests or some input were reported.

    """

    offsets: Ints
    hour: Ints
    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats
    cache_write_tokens: Floats
    reported: HourNumbers
    settled: Bools
    known_before: Bools
    had_traffic: Bools

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def ids(self) -> Ints:
        """The series of every hour, shape (N,)."""
        return segment_ids(self.offsets)

    @property
    def numbers(self) -> HourNumbers:
        """Requests, input and cached tokens with NaN for unknown."""
        return HourNumbers(self.requests, self.input_tokens, self.cached_tokens)

    def one(self, index: int) -> SeriesBatch:
        """The batch of one that holds series `index` alone."""
        hours = slice(int(self.offsets[index]), int(self.offsets[index + 1]))
        return self._at(hours, np.array([0, hours.stop - hours.start], dtype=np.int64))

    def choose(self, indices: Ints) -> SeriesBatch:
        """The batch of these series, which must be in ascending order."""
        lengths = np.diff(self.offsets)[indices]
        hours = ranges(self.offsets[indices], lengths)
        return self._at(hours, np.concatenate(([0], np.cumsum(lengths))))

    def only(self, hours: Bools) -> SeriesBatch:
        """The same series without their other hours; what is known before each hour stays."""
        return self._at(hours, offsets_of(self.ids[hours], len(self)))

    def within(self, start_hour: int, end_hour: int) -> SeriesBatch:
        """The same series cut to hours start_hour <= hour < end_hour.

        What lies before a window is unknown to it: its first hour is neither linked nor cold.
        """
        inside = (self.hour >= start_hour) & (self.hour < end_hour)
        cut = self.only(inside)
        return replace(cut, known_before=cut.known_before & (cut.hour > start_hour))

    def _at(self, hours: slice | Bools | Ints, offsets: Ints) -> SeriesBatch:
        flat = {
            name: getattr(self, name)[hours]
            for name in self.__dataclass_fields__
            if name not in ("offsets", "reported")
        }
        reported = HourNumbers(*(values[hours] for values in self.reported))
        return SeriesBatch(offsets=offsets, reported=reported, **flat)


def settled_until_hour(now_seconds: float, settle_minutes: float) -> int:
    """The first hour that is not settled at `now`: hours below it ended more than that ago.

    >>> settled_until_hour(10 * 3600 + 1, 60), settled_until_hour(10 * 3600, 60)
    (9, 8)
    """
    return ceil((now_seconds - settle_minutes * 60) / SECONDS_PER_HOUR) - 1


def follows(batch: SeriesBatch, active: Bools) -> Bools:
    """Marks the hours whose previous hour is an active hour of the same series, shape (N,)."""
    out = np.zeros(len(batch.hour), dtype=bool)
    np.equal(batch.hour[1:], batch.hour[:-1] + 1, out=out[1:])
    out[1:] &= active[:-1]
    out[batch.offsets[:-1][batch.offsets[:-1] < len(out)]] = False
    return out


class UsageColumns(NamedTuple):
    """Usage rows (slices of a series' hour) as columns, each of R values; NaN = not reported.

    `series_index` is 0..n-1, `hour` whole UTC hours since the epoch. `reported` is what was reported
    of each row, where a row is itself a sum; None: what the columns hold, NaN counted as zero.
    """

    series_index: ArrayLike
    hour: ArrayLike
    requests: ArrayLike
    input_tokens: ArrayLike
    cached_tokens: ArrayLike
    cache_write_tokens: ArrayLike
    reported: HourNumbers | None = None


def batch_from_rows(
    columns: UsageColumns, *, series_count: int, covered_hours: ArrayLike, settled_until: int
) -> SeriesBatch:
    """Add up usage rows into the hours of their series; rows come in any order.

    Args:
        columns: the rows.
        series_count: n; a series may have no row.
        covered_hours: integers, the hours that were read whole, idle ones too. A row's own hour
            that is missing here counts as read for its series.
        settled_until: hours below it are settled (see settled_until_hour).

    """
    rows = _Rows(columns)
    ids, hours = rows.first(rows.series), rows.first(rows.hour)
    sums, unknown, reported = rows.sums(), rows.unknown(), rows.reported_sums()
    q, i, c, w = (
        np.where(missing, np.nan, total) for missing, total in zip(unknown, sums, strict=True)
    )
    had_traffic = (reported.requests > 0) | (reported.input_tokens > 0)
    traffic_unknown = ~had_traffic & (unknown[0] | unknown[1])
    return SeriesBatch(
        offsets=offsets_of(ids, series_count),
        hour=hours,
        requests=q,
        input_tokens=i,
        cached_tokens=c,
        cache_write_tokens=w,
        reported=reported,
        settled=hours < settled_until,
        known_before=_known_before(
            ids, hours, traffic_unknown, np.asarray(covered_hours, np.int64)
        ),
        had_traffic=had_traffic,
    )


class _Rows:
    """Rows sorted by series and hour, and the reductions from rows to hours."""

    def __init__(self, columns: UsageColumns) -> None:
        series_index, hour, *values = columns[:-1]
        series, hours = np.asarray(series_index, np.int64), np.asarray(hour, np.int64)
        order = np.lexsort((hours, series))
        self.series, self.hour = series[order], hours[order]
        self.values = [np.asarray(column, np.float64)[order] for column in values]
        self._reported = (
            self.values[:3]
            if columns.reported is None
            else [column[order] for column in columns.reported]
        )
        starts = np.ones(len(order), dtype=bool)
        starts[1:] = (np.diff(self.series) != 0) | (np.diff(self.hour) != 0)
        self._starts = np.flatnonzero(starts)

    def first(self, column: Ints) -> Ints:
        return column[self._starts]

    def sums(self) -> list[Floats]:
        return [self._reduce(np.add, np.nan_to_num(column)) for column in self.values]

    def reported_sums(self) -> HourNumbers:
        return HourNumbers(
            *(self._reduce(np.add, np.nan_to_num(column)) for column in self._reported)
        )

    def unknown(self) -> list[Bools]:
        """Where a row lacks requests or input; cached and writes only matter in rows with input."""
        requests, tokens, *parts = (np.isnan(column) for column in self.values)
        no_input = self.values[1] == 0
        lacking = [requests, tokens, *(part & ~no_input for part in parts)]
        return [self._reduce(np.logical_or, column) for column in lacking]

    def _reduce(self, function: np.ufunc, column: np.ndarray) -> np.ndarray:
        return function.reduceat(column, self._starts) if len(column) else column


def _known_before(ids: Ints, hours: Ints, traffic_unknown: Bools, covered: Ints) -> Bools:
    known = np.isin(hours - 1, covered)
    previous = np.zeros(len(hours), dtype=bool)
    previous[1:] = (np.diff(ids) == 0) & (np.diff(hours) == 1)
    known |= previous
    known[1:] &= ~(previous[1:] & traffic_unknown[:-1])
    return known
