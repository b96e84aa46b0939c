"""The cells of the series of some usage: API key, batch setting and service tier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.cells import CellBatch, CellLabel, cells_from_rows
from cachewatch.analysis.series import UsageColumns
from cachewatch.analysis.share import HourNumbers
from ingest.normalise import HourlyUsage, UsageRow, reported_sums

SeriesId = tuple[str | None, str | None]  # project, model


class Cells(NamedTuple):
    """The cells, and who each of them is."""

    batch: CellBatch
    labels: list[CellLabel]


def cells_of(usage: HourlyUsage, series_index: Mapping[SeriesId, int], settled_until: int) -> Cells:
    """The cells of the usage; `series_index` gives the place of each series."""
    keys = [(series_index[row.project_id, row.model], _label(row)) for row in usage.rows]
    order = sorted(set(keys), key=lambda key: (key[0], *map(str, vars(key[1]).values())))
    place = {key: number for number, key in enumerate(order)}
    columns = columns_of(usage.rows, [place[key] for key in keys])
    batch = cells_from_rows(
        columns,
        [series for series, _ in order],
        covered_hours=[*usage.covered_hours, *usage.partly_read_hours],
        settled_until=settled_until,
        uncached_tokens=numbers([row.uncached_tokens for row in usage.rows]),
        long_write_tokens=numbers([row.cache_write_12h_tokens for row in usage.rows]),
    )
    return Cells(batch, [label for _, label in order])


def _label(row: UsageRow) -> CellLabel:
    return CellLabel(row.api_key_id, row.batch, row.service_tier)


def columns_of(rows: Sequence[UsageRow], places: Sequence[int]) -> UsageColumns:
    """The rows as columns; `places` says which series (or cell) each row belongs to."""
    return UsageColumns(
        places,
        [row.hour for row in rows],
        numbers([row.requests for row in rows]),
        numbers([row.input_tokens for row in rows]),
        numbers([row.cached_tokens for row in rows]),
        numbers([row.cache_write_tokens for row in rows]),
        _reported(rows),
    )


def _reported(rows: Sequence[UsageRow]) -> HourNumbers | None:
    """What was reported of each row; None where no row is a sum that lost a part of it."""
    if all(row.reported is None for row in rows):
        return None
    parts = np.array([reported_sums(row) for row in rows], dtype=np.float64)
    return HourNumbers(*parts.T)


def numbers(values: list[int | None]) -> NDArray[np.float64]:
    """None becomes NaN."""
    return np.array(values, dtype=np.float64)
