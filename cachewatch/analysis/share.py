"""Pooled cached share: cached tokens over input tokens of a set of hours, never a mean of ratios.

An hour with nine requests does not weigh as much as one with nine thousand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.segments import Bools, Floats, Ints, ratio, sums_between
from cachewatch.analysis.thresholds import RISE_OF_BUSY


class Pools(NamedTuple):
    """Totals of one set of hours per series, each of shape (n,)."""

    hours: Ints
    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats

    @property
    def share(self) -> Floats:
        """Pooled cached share, 0..1; NaN where there is no input."""
        return ratio(self.cached_tokens, self.input_tokens)

    @property
    def requests_per_hour(self) -> Floats:
        """Mean requests an hour; NaN for no hours."""
        return ratio(self.requests, self.hours.astype(float))


class HourNumbers(NamedTuple):
    """Requests, input and cached tokens of hours, flat, each of shape (N,)."""

    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats

    def at(self, mask: Bools | Ints) -> HourNumbers:
        """The marked hours only."""
        return HourNumbers(*(values[mask] for values in self))

    @property
    def share(self) -> Floats:
        """Cached share hour by hour; NaN without input."""
        return ratio(self.cached_tokens, self.input_tokens)


def pool(numbers: HourNumbers, mask: Bools, ids: Ints, count: int) -> Pools:
    """Totals of the marked hours per series; `ids` ascend."""
    marked = np.flatnonzero(mask)
    if len(marked) < len(mask):
        numbers, ids = numbers.at(marked), ids[marked]
    return pool_between(numbers, np.searchsorted(ids, np.arange(count + 1)).astype(np.int64))


def pool_between(numbers: HourNumbers, offsets: Ints) -> Pools:
    """Totals of all hours per series."""
    return Pools(np.diff(offsets), *(sums_between(values, offsets) for values in numbers))


def is_higher(share: float, than: float) -> bool:
    """Whether a share lies above another by RISE_OF_BUSY of itself; both 0..1."""
    return share > 0 and share - than >= RISE_OF_BUSY.default * share
