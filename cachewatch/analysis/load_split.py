"""The quietest and the busiest third of a series' hours, by request count."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.segments import Floats, Ints, offsets_of, segment_ids
from cachewatch.analysis.share import HourNumbers, Pools, pool
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


def split_by_load(numbers: HourNumbers, offsets: Ints) -> LoadSplit:
    """Sort each series' hours by requests (ties keep their order in time) and cut off both ends.

    Hours without requests belong to no third. A third has int(hours x 0.33) hours, at least two;
    fewer than six hours with requests are not split.
    """
    count, ids = len(offsets) - 1, segment_ids(offsets)
    active = np.flatnonzero(numbers.requests > 0)
    order = active[np.lexsort((numbers.requests[active], ids[active]))]
    starts = offsets_of(ids[order], count)
    hours = np.diff(starts)
    size = np.maximum(MIN_THIRD_HOURS.default, np.trunc(hours * THIRD_FRACTION.default))
    size = np.where(hours >= MIN_SPLIT_HOURS.default, size, 0).astype(np.int64)
    position = np.arange(len(order)) - starts[ids[order]]
    from_top = hours[ids[order]] - 1 - position
    third = np.zeros(len(ids), dtype=np.int8)
    third[order[position < size[ids[order]]]] = QUIET
    third[order[from_top < size[ids[order]]]] = BUSY
    ordered = numbers.requests[order]
    ends = (starts[:-1], starts[:-1] + size - 1, starts[1:] - size, starts[1:] - 1)
    lows_and_highs = (_pick(ordered, end, size) for end in ends)
    quiet, busy = (pool(numbers, third == code, ids, count) for code in (QUIET, BUSY))
    return LoadSplit(third, quiet, busy, *lows_and_highs)


def _pick(ordered: Floats, positions: Ints, size: Ints) -> Floats:
    picked = np.full(len(positions), np.nan)
    picked[size > 0] = ordered[positions[size > 0]]
    return picked
