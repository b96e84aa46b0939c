"""Where a verdict is about one cell, money is claimed over that cell alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.part_sums import Parts
from cachewatch.analysis.segments import Ints, offsets_of
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.share import HourNumbers


class OverCells(NamedTuple):
    """What avoidable() takes.

    Attributes:
        batch: the hours of n series; those of the named cell where one is named.
        parts: the cells that are left: the named one, or all of a series.
        kept: int64, the place of each of them among the cells that came in.

    """

    batch: SeriesBatch
    parts: Parts
    kept: Ints


def over_named_cells(batch: SeriesBatch, parts: Parts, cell: Ints) -> OverCells:
    """Put the hours of the named cells in the place of their series.

    Args:
        batch: the hours of n series.
        parts: their cells.
        cell: int64 (n,), place of the named cell among the parts; -1 where none is named.

    Raises:
        ValueError: a named cell is not of that series.

    """
    named = np.flatnonzero(cell >= 0)
    if np.any(parts.series[cell[named]] != named):
        raise ValueError("a named cell belongs to another series")
    of_series = cell[parts.series]
    kept = np.flatnonzero((of_series < 0) | (of_series == np.arange(len(of_series))))
    mixed = _Both(batch, parts.hours)
    whole = len(batch)
    chosen = np.where(cell >= 0, whole + cell, np.arange(whole))
    return OverCells(mixed.take(chosen), Parts(mixed.take(whole + kept), parts.series[kept]), kept)


class _Both:
    """Two batches end to end, from which series are taken in any order."""

    def __init__(self, one: SeriesBatch, other: SeriesBatch) -> None:
        self._batches = one, other
        self._offsets = np.concatenate((one.offsets, other.offsets[1:] + one.offsets[-1]))

    def take(self, chosen: Ints) -> SeriesBatch:
        starts, ends = self._offsets[chosen], self._offsets[chosen + 1]
        lengths = ends - starts
        ids = np.repeat(np.arange(len(chosen)), lengths)
        offsets = offsets_of(ids, len(chosen))
        rows = np.arange(len(ids)) - offsets[ids] + starts[ids]
        names = [
            name for name in SeriesBatch.__dataclass_fields__ if name not in ("offsets", "reported")
        ]
        flat = {name: self._joined(name)[rows] for name in names}
        pairs = zip(*(batch.reported for batch in self._batches), strict=True)
        reported = HourNumbers(*(np.concatenate(pair)[rows] for pair in pairs))
        return SeriesBatch(offsets=offsets, reported=reported, **flat)

    def _joined(self, name: str) -> np.ndarray:
        return np.concatenate([getattr(batch, name) for batch in self._batches])
