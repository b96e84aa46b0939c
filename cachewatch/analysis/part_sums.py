"""Sums over the cells of series: each cell is held against its own reference."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cells import rows_of_hours
from cachewatch.analysis.claims import Marks
from cachewatch.analysis.segments import Bools, Floats, Ints, segment_sums
from cachewatch.analysis.series import SeriesBatch


class Parts(NamedTuple):
    """The cells of n series.

    `hours` holds one cell as each "series"; `series` int64 (m,), whose cell it is, ascending.
    """

    hours: SeriesBatch
    series: Ints


class Pooled(NamedTuple):
    """Totals of one set of hours by part, each (m,)."""

    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats


class PartSums:
    """Sums over marked hours by part, and over parts by series.

    Attributes:
        hours, series: of the parts.
        part, owner: int64 (N,), the part of every hour and its series.
        marks: the marks of the series' hours, at the parts' hours whose tokens are known.

    """

    def __init__(self, batch: SeriesBatch, parts: Parts, marks: Marks) -> None:
        self.hours, self.series, self._count = parts.hours, parts.series, len(batch)
        self.part = self.hours.ids
        self.owner = self.series[self.part]
        known = ~np.isnan(self.hours.input_tokens) & ~np.isnan(self.hours.cached_tokens)
        place, there = rows_of_hours(batch, self.owner, self.hours.hour)
        self.marks = Marks(*(_at(mask, place, there & known) for mask in marks))

    def of(self, values: Floats, mask: Bools) -> Floats:
        """Sum of the marked hours by part, (m,)."""
        return segment_sums(values[mask], self.part[mask], len(self.hours))

    def pooled(self, mask: Bools) -> Pooled:
        """Totals of the marked hours by part; a request count that is not reported adds nothing."""
        requests = np.nan_to_num(self.hours.requests)
        columns = (requests, self.hours.input_tokens, self.hours.cached_tokens)
        return Pooled(*(self.of(column, mask) for column in columns))

    def by_series(self, values: Floats) -> Floats:
        """Sum over the parts of each series, (n,); a part without a value adds nothing."""
        return segment_sums(np.nan_to_num(values), self.series, self._count)


def _at(mask: Bools, place: Ints, there: Bools) -> Bools:
    return there & mask[place] if len(mask) else there
