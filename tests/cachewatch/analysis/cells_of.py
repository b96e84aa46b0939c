"""Series made of cells, for tests: rows of several API keys in, classification and evidence out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from cachewatch.analysis.cells import CellBatch, CellLabel, cells_from_rows
from cachewatch.analysis.classify import Classification, classify
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.series import SeriesBatch, UsageColumns, batch_from_rows
from tests.cachewatch.analysis.series_of import BASE_HOUR, DAY, Row

Cells = Mapping[str | None, Sequence[Row]]
LATE = 10**7


def batches_of(*series: Cells) -> tuple[SeriesBatch, CellBatch, list[CellLabel]]:
    """The batch of these series, their cells, and who the cells are; all hours are read."""
    rows, owners, labels = [], [], []
    for index, cells in enumerate(series):
        for key, hours in cells.items():
            rows += [(index, len(labels), *row) for row in hours]
            owners.append(index)
            labels.append(CellLabel(key, False, "default"))
    hours = [row[2] for row in rows]
    reading = {
        "covered_hours": range(min(hours), max(hours) + 1),
        "settled_until": LATE,
    }
    whole, of_cell, *columns = (
        [np.nan if value is None else value for value in column]
        for column in zip(*rows, strict=True)
    )
    unknown = [np.nan] * len(rows)
    batch = batch_from_rows(
        UsageColumns(whole, *columns, unknown), series_count=len(series), **reading
    )
    cells = cells_from_rows(UsageColumns(of_cell, *columns, unknown), owners, **reading)
    return batch, cells, labels


def judged(*series: Cells, models: Sequence[str | None] | None = None, **options) -> Classification:
    """The classification of series made of cells."""
    batch, cells, _ = batches_of(*series)
    named = models or ["gpt-5.4"] * len(series)
    return classify(batch, cells=cells, models=named, **options)


def verdict_of(cells: Cells, model: str | None = "gpt-5.4", **options) -> Evidence:
    """The evidence of one series made of cells."""
    batch, found, labels = batches_of(cells)
    result = classify(batch, cells=found, models=[model], **options)
    return evidence_of(result, 0, labels)


def days_of(
    cached_per_request: Callable[[float, int], float],
    *,
    days: int = 7,
    tokens: Callable[[float], float] = lambda _load: 4000.0,
    load: Sequence[float] = DAY,
    day_factor: Callable[[int], float] = lambda day: 1.0 + 0.06 * ((day * 3) % 5 - 2),
    first_hour: int = BASE_HOUR,
) -> list[Row]:
    """Hours of whole days; `cached_per_request` takes the hour's requests and its place, from 0."""
    rows = []
    for place in range(24 * days):
        requests = round(load[place % 24] * day_factor(place // 24))
        size = tokens(requests)
        cached = requests * cached_per_request(requests, place)
        rows.append((first_hour + place, requests, round(requests * size), round(cached)))
    return rows


def share_of_load(share: Callable[[float], float], **options) -> list[Row]:
    """Days whose cached share of 4,000 tokens is a function of load alone."""
    return days_of(lambda load, _place: 4000.0 * share(load), **options)
