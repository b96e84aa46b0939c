"""From stored hours to the arrays that analysis takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cells import CellBatch, CellLabel, rows_of_hours
from cachewatch.analysis.segments import Bools, Ints
from cachewatch.analysis.series import SeriesBatch, follows
from cachewatch.analysis.share import HourNumbers
from ingest.queries import CellHours, SeriesHours, load_cell_hours, load_series_hours


class LoadedHours(NamedTuple):
    """The hours of some series, and how many of each were left out as known only in part."""

    batch: SeriesBatch
    partly_read_hours: Ints  # (n,)


def load_batch(series_ids: Sequence[int], start_hour: int, end_hour: int) -> SeriesBatch:
    """The hours of the window [start_hour, end_hour) of these series, in the order of the ids."""
    return _hours_of(load_series_hours(series_ids, start_hour, end_hour)).batch


class LoadedCells(NamedTuple):
    """The cells of some series, and who each of them is."""

    batch: CellBatch
    labels: list[CellLabel]


def load_cells(
    batch: SeriesBatch, series_ids: Sequence[int], start_hour: int, end_hour: int
) -> LoadedCells:
    """The cells of a batch that load_batch() gave for the same ids and window."""
    return _cells_of(batch, load_cell_hours(series_ids, start_hour, end_hour))


def load_hours_and_cells(
    series_ids: Sequence[int], start_hour: int, end_hour: int
) -> tuple[LoadedHours, LoadedCells]:
    """The hours of the window of these series and their cells, from one read."""
    stored = load_cell_hours(series_ids, start_hour, end_hour)
    hours = _hours_of(load_series_hours(series_ids, start_hour, end_hour, stored))
    return hours, _cells_of(hours.batch, stored)


def _hours_of(stored: SeriesHours) -> LoadedHours:
    batch = batch_of(stored).within(stored.start_hour, stored.end_hour)
    return LoadedHours(batch, stored.partly_read_hours)


def _cells_of(batch: SeriesBatch, stored: CellHours) -> LoadedCells:
    owner = np.repeat(stored.series_place, np.diff(stored.offsets))
    place, kept = rows_of_hours(batch, owner, stored.hour)
    settled, known_before = np.zeros_like(kept), np.zeros_like(kept)
    settled[kept], known_before[kept] = (
        batch.settled[place[kept]],
        batch.known_before[place[kept]],
    )
    cells = CellBatch(
        _batch(stored, settled, known_before).only(kept),
        stored.series_place,
        stored.uncached_tokens[kept],
        stored.long_write_tokens[kept],
    )
    return LoadedCells(cells, [CellLabel(*name) for name in stored.names])


def batch_of(hours: SeriesHours) -> SeriesBatch:
    """Stored hours as a batch; those known only in part are left out."""
    batch = _batch(hours, hours.is_settled, hours.known_before)
    return _after_unknown_traffic(batch).only(~hours.is_partly_read)


def _batch(hours: SeriesHours | CellHours, settled: Bools, known_before: Bools) -> SeriesBatch:
    requests, tokens = np.nan_to_num(hours.requests), np.nan_to_num(hours.input_tokens)
    return SeriesBatch(
        offsets=hours.offsets,
        hour=hours.hour,
        requests=hours.requests,
        input_tokens=hours.input_tokens,
        cached_tokens=hours.cached_tokens,
        cache_write_tokens=hours.cache_write_tokens,
        reported=HourNumbers(requests, tokens, np.nan_to_num(hours.cached_tokens)),
        settled=settled,
        known_before=known_before,
        had_traffic=(requests > 0) | (tokens > 0),
    )


def _after_unknown_traffic(batch: SeriesBatch) -> SeriesBatch:
    """An hour is not known before where the hour before reports neither requests nor input."""
    unreported = np.isnan(batch.requests) | np.isnan(batch.input_tokens)
    silent: Bools = ~batch.had_traffic & unreported
    batch.known_before[follows(batch, silent)] = False
    return batch
