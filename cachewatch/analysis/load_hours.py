"""The hours of falling series, from their reference load up: what an examination reads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cachewatch.analysis.by_length import ByLength
from cachewatch.analysis.segments import Bools, Floats, Ints, Table, segment_ids


@dataclass(frozen=True, eq=False)
class LoadHours:
    """Hours of f series on days that count, H in all, one series after the other.

    Attributes:
        clock, day: int64 (H,), UTC hour of the day and service day. A day has each clock hour once.
        requests, input_tokens: float64 (H,), above zero.
        cached_tokens: float64 (H,); may be adjusted for a change of cells.
        ends: int64 (f + 1,), offsets of the series; None: all hours are of one.

    """

    clock: Ints
    day: Ints
    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats
    ends: Ints | None = None

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def offsets(self) -> Ints:
        """See segments.py, (f + 1,)."""
        return np.array([0, len(self.clock)]) if self.ends is None else self.ends

    @cached_property
    def counts(self) -> Ints:
        """Hours of each series, (f,)."""
        return np.diff(self.offsets)

    @cached_property
    def ids(self) -> Ints:
        """The series of every hour, (H,)."""
        return segment_ids(self.offsets)

    @cached_property
    def load(self) -> Floats:
        """Natural logarithm of the requests."""
        return np.log(self.requests)

    @cached_property
    def share(self) -> Floats:
        """Cached share hour by hour."""
        return self.cached_tokens / self.input_tokens

    @cached_property
    def alone(self) -> ByLength:
        """Sums of each series."""
        return ByLength(self.offsets)

    def at(self, mask: Bools) -> LoadHours:
        """The marked hours (H,) of the same series."""
        return self._only(mask, np.concatenate(([0], np.cumsum(mask)))[self.offsets])

    def of(self, series: Bools) -> LoadHours:
        """The hours of the marked series (f,) only."""
        if series.all():
            return self
        ends = np.concatenate(([0], np.cumsum(self.counts[series])))
        return self._only(np.repeat(series, self.counts), ends)

    def _only(self, mask: Bools, ends: Ints) -> LoadHours:
        return LoadHours(
            self.clock[mask],
            self.day[mask],
            self.requests[mask],
            self.input_tokens[mask],
            self.cached_tokens[mask],
            ends,
        )


def quantiles(values: Floats, offsets: Ints, parts: tuple[float, ...]) -> list[Floats]:
    """Quantiles of each segment, each (f,), interpolated as numpy does; no segment is empty."""
    ordered, last = np.sort(Table(offsets).of(values, np.inf), axis=1), np.diff(offsets) - 1
    rows = np.arange(len(ordered))
    found = []
    for part in parts:
        place = last * part
        low = place.astype(np.int64)
        one, other, rest = ordered[rows, low], ordered[rows, np.minimum(low + 1, last)], place - low
        step = other - one
        found.append(np.where(rest < 0.5, one + step * rest, other - step * (1.0 - rest)))
    return found
