"""The quietest and the busiest third of a series' hours, by request count."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.segments import Floats, Ints, ascending_order, ranges
from cachewatch.analysis.share import HourNumbers, Pools, pool_between
from cachewatch.analysis.thresholds import MIN_SPLIT_HOURS, MIN_THIRD_HOURS, THIRD_FRACTION

NO_THIRD, QUIET, BUSY = 0, 1, 2  # codes of `third`
THIRD_NAMES: tuple[str | None, ...] = (None, "quiet", "busy")


class LoadSplit(NamedTuple):
    """The two thirds of every series.

    Attributes:
        third: int8 (N,), NO_THIRD, QUIET or BUSY for every hour given.
        quiet, busy: totals of the thirds, each of shape (n,); no hours where the split is undefined.
        quiet_low, quiet_high, busy_low, busy_high: requests of a third's quietest and busiest hour,
            shape (n,); NaN where the split is undefined.

    """

    third: NDArray[np.int8]
    quiet: Pools
    busy: Pools
    quiet_low: Floats
    quiet_high: Floats
    busy_low: Floats
    busy_high: Floats


def split_by_load(numbers: HourNumbers, offsets: Ints, load_order: Ints | None = None) -> LoadSplit:
    """Sort each series' hours by requests (ties keep their order in time) and cut off both ends.

    Hours without requests belong to no third. A third has int(hours x 0.33) hours, at least two;
    fewer than six hours with requests are not split. `load_order`: ascending_order() of all
    requests, where it is known already.
    """
    active = np.flatnonzero(numbers.requests > 0)
    requests, starts = numbers.requests[active], np.searchsorted(active, offsets).astype(np.int64)
    if load_order is None or len(active) < offsets[-1]:
        load_order = ascending_order(requests, starts)
    hours = np.diff(starts)
    size = np.maximum(MIN_THIRD_HOURS.default, np.trunc(hours * THIRD_FRACTION.default))
    size = np.where(hours >= MIN_SPLIT_HOURS.default, size, 0).astype(np.int64)
    third = np.zeros(offsets[-1], dtype=np.int8)
    offsets_of_thirds = np.concatenate(([0], np.cumsum(size))).astype(np.int64)
    quiet_and_busy: list[Pools] = []
    for code, first in ((QUIET, starts[:-1]), (BUSY, starts[1:] - size)):
        hours_of_third = active[load_order[ranges(first, size)]]
        third[hours_of_third] = code
        quiet_and_busy.append(pool_between(numbers.at(hours_of_third), offsets_of_thirds))
    ends = (starts[:-1], starts[:-1] + size - 1, starts[1:] - size, starts[1:] - 1)
    lows_and_highs = (_pick(requests, load_order, end, size) for end in ends)
    return LoadSplit(third, quiet_and_busy[0], quiet_and_busy[1], *lows_and_highs)


def _pick(requests: Floats, order: Ints, positions: Ints, size: Ints) -> Floats:
    picked = np.full(len(positions), np.nan)
    picked[size > 0] = requests[order[positions[size > 0]]]
    return picked
