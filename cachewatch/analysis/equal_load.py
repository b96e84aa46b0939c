"""How much does the share differ between hours of nearly equal load?

If load alone moves the share, two hours with the same number of requests read the same, but for
the chance of single requests. More than that means that something else moves it: other traffic
under the same key, or the time of day. (Successive differences: von Neumann, 1941.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.segments import (
    Bools,
    Floats,
    Ints,
    Table,
    ascending_order,
    offsets_of,
    ratio,
    sums_between,
)

# Median of a squared normal deviate: the difference of two hours has twice an hour's variance.
MEDIAN_OF_SQUARE = 0.4549
NEAREST_SHARE, FARTHEST_SHARE = 0.02, 0.98  # the chance of a share near 0 or 1 is not taken as none
NEIGHBOURS = 2
ROUNDING = 1e-9  # far more than what a median and a root may be rounded by
BLOCK_SERIES = 256  # tables of so many stay in the processor's cache


class EqualLoad(NamedTuple):
    """Differences at equal load, float64 (n,); NaN where too few hours are given.

    Attributes:
        ratio: standard deviation of an hour over what chance alone brings; 1 = chance.
        beyond: standard deviation beyond chance, in points of share.

    """

    ratio: Floats
    beyond: Floats

    def smaller(self, other: EqualLoad) -> EqualLoad:
        """The smaller of both numbers."""
        return EqualLoad(*(np.fmin(one, two) for one, two in zip(self, other, strict=True)))


def equal_load(series: Ints, requests: Floats, share: Floats, count: int) -> EqualLoad:
    """Compare every hour with its neighbours in load.

    Args:
        series: 0..count-1 of each hour, ascending, (H,).
        requests: above zero, (H,).
        share: of each hour, 0..1, (H,); any value that is a mean over its requests will do.
        count: n.

    """
    offsets = offsets_of(series, count)
    order = ascending_order(requests, offsets)
    return _of_neighbours(requests[order], share[order], offsets)


class Hours(NamedTuple):
    """Hours of n series, each column (H,).

    Attributes:
        series: 0..n-1, ascending.
        requests, tokens, cached: requests and input tokens above zero.
        order: the hours in ascending order of requests in each series, equal ones in time order.
        series_count: n.

    """

    series: Ints
    requests: Floats
    tokens: Floats
    cached: Floats
    order: Ints
    series_count: int

    def places(self, keep: Bools) -> tuple[Ints, Ints]:
        """The marked hours in their order of load, and their offsets."""
        place = self.order if keep.all() else self.order[keep[self.order]]
        return place, offsets_of(self.series[place], self.series_count)


def equal_load_of_hours(hours: Hours, keep: Bools) -> EqualLoad:
    """The smaller of two readings of the marked hours: by share, and by cached tokens a request.

    A prompt length that jumps moves the one and not the other; what moves both is no length.
    """
    place, offsets = hours.places(keep)
    q, i, c = hours.requests[place], hours.tokens[place], hours.cached[place]
    mean_size = ratio(sums_between(i, offsets), sums_between(q, offsets))
    by_share = _of_neighbours(q, c / i, offsets)
    by_request = _of_neighbours(q, c / q / np.repeat(mean_size, np.diff(offsets)), offsets)
    return by_share.smaller(by_request)


def differ_at_equal_load(hours: Hours, keep: Bools, ratio: float, beyond: float) -> Bools:
    """Where the marked hours differ by both limits (see EqualLoad), (n,).

    All is measured only of series whose share moves by so much.
    """
    place, offsets = hours.places(keep)
    share = (hours.cached / hours.tokens)[place]
    may = _may_differ(share, offsets, beyond)
    differ = np.zeros(hours.series_count, dtype=bool)
    if may.any():
        found = equal_load_of_hours(hours, keep & may[hours.series])
        differ = (found.ratio >= ratio) & (found.beyond >= beyond)
    return differ


def _may_differ(share: Floats, offsets: Ints, beyond: float) -> Bools:
    """Where half of the squares of neighbours, less a margin for rounding, reach a limit, (n,)."""
    pairs, below = _pairs(offsets), np.zeros(len(offsets) - 1, dtype=np.int64)
    limit = beyond**2 * (1.0 - ROUNDING)
    for step in range(1, NEIGHBOURS + 1):
        small = (share[step:] - share[:-step]) ** 2 / 2.0 / MEDIAN_OF_SQUARE < limit
        counts = np.concatenate(([0], np.cumsum(small)))
        last = np.maximum(offsets[1:] - step, offsets[:-1]).clip(0, len(small))
        below += counts[last] - counts[np.minimum(offsets[:-1], last)]
    may: Bools = (pairs > 0) & (below <= pairs // 2)
    return may


def _pairs(offsets: Ints) -> Ints:
    """How many pairs of neighbours each series has, (n,)."""
    steps = range(1, NEIGHBOURS + 1)
    pairs: Ints = np.add.reduce([np.maximum(np.diff(offsets) - step, 0) for step in steps])
    return pairs


def _of_neighbours(load: Floats, value: Floats, offsets: Ints) -> EqualLoad:
    """The same for hours that ascend by load in each series; some series at a time."""
    found = []
    for first in range(0, max(len(offsets) - 1, 1), BLOCK_SERIES):
        ends = offsets[first : first + BLOCK_SERIES + 1]
        hours = slice(int(ends[0]), int(ends[-1]))
        found.append(_of_block(load[hours], value[hours], ends - ends[0]))
    return EqualLoad(*(np.concatenate(numbers) for numbers in zip(*found, strict=True)))


def _of_block(load: Floats, value: Floats, offsets: Ints) -> EqualLoad:
    """Of some series: every pair of neighbours as a cell of a table, a row for each series."""
    table, pairs = Table(offsets), _pairs(offsets)
    loads, values = table.of(load, np.nan), table.of(value, np.nan)
    squares, chances = [], []
    for step in range(1, NEIGHBOURS + 1):
        one, other = values[:, :-step], values[:, step:]
        middle = np.clip((one + other) / 2.0, NEAREST_SHARE, FARTHEST_SHARE)
        per_request = (1.0 / loads[:, :-step] + 1.0 / loads[:, step:]) / 2.0
        squares.append((other - one) ** 2 / 2.0 / MEDIAN_OF_SQUARE)
        chances.append(middle * (1.0 - middle) * per_request)
    square, chance = np.concatenate(squares, axis=1), np.concatenate(chances, axis=1)
    spread = np.sqrt(row_medians(square / chance, pairs))
    beyond = row_medians(square, pairs) - row_medians(chance, pairs)
    return EqualLoad(spread, np.sqrt(np.maximum(beyond, 0.0)))


def row_medians(table: Floats, known: Ints) -> Floats:
    """Median of the `known` (rows,) numbers of each row, which may hold NaN beside them."""
    ordered = np.sort(table, axis=1)  # NaN comes last
    medians = np.full(len(table), np.nan)
    some = np.flatnonzero(known)
    low, high = (known[some] - 1) // 2, known[some] // 2
    medians[some] = (ordered[some, low] + ordered[some, high]) / 2.0
    return medians


def grouped_median(values: Floats, group: Ints, count: int) -> Floats:
    """Median of each group, (count,); NaN for an empty one."""
    if np.any(group[1:] < group[:-1]):
        order = np.argsort(group, kind="stable")
        values, group = values[order], group[order]
    offsets = offsets_of(group, count)
    length, table = np.diff(offsets), Table(offsets)
    if table.fits:
        return row_medians(table.of(values, np.nan), length)
    ordered = values[ascending_order(values, offsets, stable=False)]
    out = np.full(count, np.nan)
    some = length > 0
    low = offsets[:-1][some] + (length[some] - 1) // 2
    high = offsets[:-1][some] + length[some] // 2
    out[some] = (ordered[low] + ordered[high]) / 2.0
    return out
