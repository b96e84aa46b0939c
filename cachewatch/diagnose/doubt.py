"""Hours of a series that hold a row which could not be placed and may be one of it: left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cachewatch.analysis.cells import CellBatch
from cachewatch.analysis.segments import Bools
from cachewatch.analysis.series import SeriesBatch
from cachewatch.diagnose.cells import SeriesId
from ingest.normalise import HourlyUsage
from ingest.openai_usage.unplaced import DoubtfulHours, Unplaced, is_unplaced

HoursOfSeries = Sequence[set[int]]


def doubtful_hours(usage: HourlyUsage, series: Sequence[SeriesId]) -> HoursOfSeries:
    """The doubtful hours of each series; the stored history has the same rule."""
    partly = set(usage.partly_read_hours)
    rows = [
        Unplaced(one.hour, one.field, one.dimensions)
        for one in usage.rejects
        if one.hour in partly and is_unplaced(one.field, one.place)
    ]
    unnamed = partly - {row.hour for row in rows}
    found = DoubtfulHours([*rows, *(Unplaced(hour, "results", "") for hour in unnamed)])
    return [found.of(*one) for one in series]


def without_doubt(batch: SeriesBatch, doubtful: HoursOfSeries) -> SeriesBatch:
    """The batch without doubtful hours; what was before the hour after one is not known."""
    known = batch.known_before & ~_inside(batch, doubtful, hours_ago=1)
    return replace(batch, known_before=known).only(~_inside(batch, doubtful))


def cells_without_doubt(cells: CellBatch, doubtful: HoursOfSeries) -> CellBatch:
    """The same for the cells of the series."""
    of_cell = [doubtful[series] for series in cells.series_of_cell.tolist()]
    kept = ~_inside(cells.hours, of_cell)
    return CellBatch(
        without_doubt(cells.hours, of_cell),
        cells.series_of_cell,
        cells.uncached_tokens[kept],
        cells.long_write_tokens[kept],
    )


def _inside(batch: SeriesBatch, doubtful: HoursOfSeries, *, hours_ago: int = 0) -> Bools:
    """Whether each hour of the batch, or so many before it, is doubtful."""
    inside = np.zeros(len(batch.hour), dtype=bool)
    for series, hours in enumerate(doubtful):
        if hours:
            span = slice(int(batch.offsets[series]), int(batch.offsets[series + 1]))
            inside[span] = np.isin(batch.hour[span] - hours_ago, sorted(hours))
    return inside
