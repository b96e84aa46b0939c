"""How much does the share differ between hours of nearly equal load?

If load alone moves the share, two hours with the same number of requests read the same, but for
the chance of single requests. More than that means that something else moves it: other traffic
under the same key, or the time of day. (Successive differences: von Neumann, 1941.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.segments import Bools, Floats, Ints, offsets_of, ratio, segment_sums

# Median of a squared normal deviate: the difference of two hours has twice an hour's variance.
MEDIAN_OF_SQUARE = 0.4549
NEAREST_SHARE, FARTHEST_SHARE = 0.02, 0.98  # the chance of a share near 0 or 1 is not taken as none
NEIGHBOURS = 2
WIDEST_TABLE = 8  # cells of a table over values in it


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
    order = np.lexsort((requests, series))
    return _of_neighbours(series[order], requests[order], share[order], count)


def _of_neighbours(ids: Ints, load: Floats, value: Floats, count: int) -> EqualLoad:
    """The same for hours that ascend by series and load."""
    squares: list[Floats] = []
    chances: list[Floats] = []
    owners: list[Ints] = []
    for step in range(1, NEIGHBOURS + 1):
        same = ids[step:] == ids[:-step]
        first, second = np.flatnonzero(same), np.flatnonzero(same) + step
        middle = np.clip((value[first] + value[second]) / 2.0, NEAREST_SHARE, FARTHEST_SHARE)
        per_request = (1.0 / load[first] + 1.0 / load[second]) / 2.0
        squares.append((value[second] - value[first]) ** 2 / 2.0 / MEDIAN_OF_SQUARE)
        chances.append(middle * (1.0 - middle) * per_request)
        owners.append(ids[first])
    square, chance, owner = np.concatenate(squares), np.concatenate(chances), np.concatenate(owners)
    variance, by_chance = (grouped_median(values, owner, count) for values in (square, chance))
    spread = np.sqrt(grouped_median(square / chance, owner, count))
    return EqualLoad(spread, np.sqrt(np.maximum(variance - by_chance, 0.0)))


def equal_load_of_hours(
    series: Ints, requests: Floats, tokens: Floats, cached: Floats, keep: Bools, count: int
) -> EqualLoad:
    """The smaller of two readings: by share, and by cached tokens a request.

    A prompt length that jumps moves the one and not the other; what moves both is no length.
    """
    order = np.flatnonzero(keep)
    order = order[np.lexsort((requests[order], series[order]))]
    ids, q, i, c = series[order], requests[order], tokens[order], cached[order]
    mean_size = ratio(segment_sums(i, ids, count), segment_sums(q, ids, count))
    by_share = _of_neighbours(ids, q, c / i, count)
    by_request = _of_neighbours(ids, q, c / q / mean_size[ids], count)
    return by_share.smaller(by_request)


def grouped_median(values: Floats, group: Ints, count: int) -> Floats:
    """Median of each group, (count,); NaN for an empty one."""
    order = np.argsort(group, kind="stable")
    groups = group[order]
    offsets = offsets_of(groups, count)
    length = np.diff(offsets)
    ordered = _sorted_in_groups(values[order], groups, offsets)
    out = np.full(count, np.nan)
    some = length > 0
    low = offsets[:-1][some] + (length[some] - 1) // 2
    high = offsets[:-1][some] + length[some] // 2
    out[some] = (ordered[low] + ordered[high]) / 2.0
    return out


def _sorted_in_groups(values: Floats, groups: Ints, offsets: Ints) -> Floats:
    """The values ascending inside each group; groups ascend.

    Groups of similar length are sorted as the rows of a table, which is several times faster.
    """
    count, width = len(offsets) - 1, int(np.diff(offsets).max(initial=0))
    if count * width > WIDEST_TABLE * len(values):
        return np.asarray(values[np.lexsort((values, groups))])
    table = np.full((count, width), np.inf)
    filled = np.arange(width) < np.diff(offsets)[:, None]
    table[filled] = values
    table.sort(axis=1)
    return np.asarray(table[filled])
