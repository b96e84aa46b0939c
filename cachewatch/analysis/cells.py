"""The cells of series: one API key, batch setting and service tier each, as flat hour arrays.

Batch, tier and key split a prompt cache, so a share may fall in a series while it stays where it
was in each of its cells. Analysis reads their numbers; who a cell is stands in a label beside them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from cachewatch.analysis.segments import Bools, Floats, Ints
from cachewatch.analysis.series import SeriesBatch, UsageColumns, batch_from_rows


@dataclass(frozen=True)
class CellLabel:
    """Who a cell is; None = null, or not asked for."""

    api_key_id: str | None
    batch: bool | None
    service_tier: str | None


@dataclass(frozen=True, eq=False)
class CellBatch:
    """Hours of m cells of n series.

    Attributes:
        hours: one "series" per cell.
        series_of_cell: int64 (m,), 0..n-1, ascending.
        uncached_tokens: float64 (M,), input that is neither cached nor written; NaN = not reported.
        long_write_tokens: float64 (M,), the part of the writes that is kept for 12 hours; likewise.

    """

    hours: SeriesBatch
    series_of_cell: Ints
    uncached_tokens: Floats
    long_write_tokens: Floats

    def __post_init__(self) -> None:
        if len(self.series_of_cell) != len(self.hours):
            raise ValueError(f"{len(self.series_of_cell)} series named for {len(self.hours)} cells")
        if np.any(np.diff(self.series_of_cell) < 0):
            raise ValueError("cells must come in the order of their series")

    def __len__(self) -> int:
        return len(self.hours)

    @cached_property
    def series_ids(self) -> Ints:
        """The series of every hour of every cell."""
        return self.series_of_cell[self.hours.ids]

    def within(self, start_hour: int, end_hour: int) -> CellBatch:
        """The same cells cut to hours start_hour <= hour < end_hour."""
        inside = (self.hours.hour >= start_hour) & (self.hours.hour < end_hour)
        return CellBatch(
            self.hours.within(start_hour, end_hour),
            self.series_of_cell,
            self.uncached_tokens[inside],
            self.long_write_tokens[inside],
        )

    def of_series(self, index: int) -> slice:
        """The cells of one series."""
        low, high = np.searchsorted(self.series_of_cell, [index, index + 1])
        return slice(int(low), int(high))


def cells_from_rows(
    columns: UsageColumns,
    series_of_cell: ArrayLike,
    *,
    covered_hours: ArrayLike,
    settled_until: int,
    uncached_tokens: ArrayLike | None = None,
    long_write_tokens: ArrayLike | None = None,
) -> CellBatch:
    """Add up usage rows into the hours of their cells.

    Args:
        columns: the rows; `series_index` holds the cell of each row, 0..m-1.
        series_of_cell: the series of each cell, ascending.
        covered_hours: hours that were read whole (see batch_from_rows).
        settled_until: hours below it are settled.
        uncached_tokens, long_write_tokens: of each row, NaN = not reported; None: of none.

    """
    owners = np.asarray(series_of_cell, np.int64)
    hours = batch_from_rows(
        columns,
        series_count=len(owners),
        covered_hours=covered_hours,
        settled_until=settled_until,
    )
    extra = (_of_hours(hours, columns, values) for values in (uncached_tokens, long_write_tokens))
    return CellBatch(hours, owners, *extra)


def _of_hours(hours: SeriesBatch, columns: UsageColumns, values: ArrayLike | None) -> Floats:
    """The sums of a further column by hour of a cell; NaN where a row does not report it."""
    if values is None:
        return np.full(len(hours.hour), np.nan)
    sums: Floats = np.zeros(len(hours.hour))
    place, _ = rows_of_hours(
        hours, np.asarray(columns.series_index, np.int64), np.asarray(columns.hour, np.int64)
    )
    np.add.at(sums, place, np.asarray(values, np.float64))
    return sums


def whole_series_as_cells(batch: SeriesBatch) -> CellBatch:
    """Each series as its own only cell: what is known where nothing finer was read."""
    unknown = np.full(len(batch.hour), np.nan)
    return CellBatch(batch, np.arange(len(batch), dtype=np.int64), unknown, unknown)


def rows_of_hours(batch: SeriesBatch, series: Ints, hour: Ints) -> tuple[Ints, Bools]:
    """Where each (series, hour) stands in a batch, and whether it is there at all.

    Both of the shape of `series`; a place without its mark means nothing.
    """
    if not len(batch.hour):
        return np.zeros(len(series), dtype=np.int64), np.zeros(len(series), dtype=bool)
    span = int(max(batch.hour.max(), hour.max(initial=0))) + 1
    have, want = batch.ids * span + batch.hour, series * span + hour
    place = np.minimum(np.searchsorted(have, want), len(have) - 1)
    return place, have[place] == want
