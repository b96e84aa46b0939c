"""Spearman's rank correlation of many series at once.

Ranks, because request counts are heavy tailed: one incident hour at ten times the usual volume
would decide a straight correlation on its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.segments import (
    Bools,
    Floats,
    Ints,
    ascending_order,
    offsets_of,
    ranges,
    sums_between,
)
from cachewatch.analysis.thresholds import MIN_RANKED_HOURS


class Ranks(NamedTuple):
    """Ranks 1..m inside each segment.

    Attributes:
        of: float64 (N,); equal values share their mean rank.
        squares: float64 (n,), sum of the squares of rank minus mean rank, exact.

    """

    of: Floats
    squares: Floats


def average_ranks(values: Floats, offsets: Ints) -> Floats:
    """Ranks 1..m inside each segment, shape (N,); equal values share their mean rank.

    >>> average_ranks(np.array([30.0, 10.0, 30.0]), np.array([0, 3])).tolist()
    [2.5, 1.0, 2.5]
    """
    return _ranks_in(ascending_order(values, offsets, stable=False), values, offsets).of


def _ranks_in(order: Ints, values: Floats, offsets: Ints) -> Ranks:
    """The same where the ascending order is known."""
    lengths = np.diff(offsets)
    ordered = values[order]
    ascending = np.arange(1.0, len(values) + 1.0) - np.repeat(offsets[:-1], lengths)
    equal = np.zeros(len(values) + 1, dtype=bool)  # to the value before; and an end
    np.equal(ordered[1:], ordered[:-1], out=equal[1:-1])
    equal[offsets] = False
    squares = _squares(lengths)
    if equal.any():
        first, length = _share_ranks(ascending, equal)
        segment = np.searchsorted(offsets, first, side="right") - 1
        squares -= np.bincount(segment, weights=_squares(length), minlength=len(lengths))
    ranks = np.empty(len(values))
    ranks[order] = ascending
    return Ranks(ranks, squares)


def _squares(count: Ints) -> Floats:
    """Sum of the squares of 1..count less their mean; what so many equal values take away too."""
    return (count.astype(np.float64) ** 3 - count) / 12.0


def _share_ranks(ascending: Floats, equal: Bools) -> tuple[Ints, Ints]:
    """Give each run of equal values its mean rank, in place; where runs begin, and their lengths."""
    first = np.flatnonzero(~equal[:-1] & equal[1:])
    end = np.flatnonzero(equal[:-1] & ~equal[1:]) + 1
    length = end - first
    mean = (ascending[first] + ascending[end - 1]) / 2.0
    ascending[ranges(first, length)] = np.repeat(mean, length)
    return first, length


def rank_correlation(
    load: Floats, share: Floats, offsets: Ints, *, load_order: Ints | None = None
) -> Floats:
    """Spearman's rho of load and share per segment, shape (n,), -1..1.

    `load_order`: the ascending order of the loads in their segments, where it is known already.

    NaN where the load never varies or fewer than MIN_RANKED_HOURS values are given: nothing can
    be said. 0.0 where the load varies and the share never does: "no relationship" is an answer.

    >>> hours = np.arange(8.0)
    >>> rank_correlation(hours, -hours, np.array([0, 8])).tolist()
    [-1.0]
    """
    count, lengths = len(offsets) - 1, np.diff(offsets)
    order = ascending_order(load, offsets, stable=False) if load_order is None else load_order
    x, sxx = _ranks_in(order, load, offsets)
    y, syy = _ranks_in(ascending_order(share, offsets, stable=False), share, offsets)
    # Ranks are halves of whole numbers, so that all sums are exact below 100,000 hours.
    sxy = sums_between(x * y, offsets) - lengths * ((lengths + 1) / 2.0) ** 2
    rho = np.zeros(count)
    varies = (sxx > 0) & (syy > 0)
    rho[varies] = sxy[varies] / (_roots(sxx[varies]) * _roots(syy[varies]))
    rho[(sxx <= 0) | (lengths < MIN_RANKED_HOURS.default)] = np.nan
    return np.clip(rho, -1.0, 1.0)


def _roots(values: Floats) -> Floats:
    """Square roots as the published rule takes them: numpy's differ in the last bit at times, and
    that bit decides where rho lies on its threshold.
    """
    return np.array([value**0.5 for value in values.tolist()])


def correlate(load: list[float], share: list[float]) -> float | None:
    """Rank correlation of one series; None where it is undefined."""
    ids = np.zeros(len(load), dtype=np.int64)
    rho = rank_correlation(np.array(load, float), np.array(share, float), offsets_of(ids, 1))
    return None if np.isnan(rho[0]) else float(rho[0])
