"""Drawn usage: series with a daily load curve, a stated part of which falls with load."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bench.plain_rule import Hour
from cachewatch.analysis.cells import CellBatch, cells_from_rows
from cachewatch.analysis.series import SeriesBatch, UsageColumns, batch_from_rows

FIRST_HOUR = 495_000  # any: whole UTC hours since the epoch
TOKENS_A_REQUEST = 3000.0
FALLING = 0.1  # part of the series, 0..1
MODEL = "gpt-5.4"


class Drawn(NamedTuple):
    """The same numbers in every form that is measured; `cells` is one cell a series."""

    columns: UsageColumns
    batch: SeriesBatch
    cells: CellBatch


def draw(series: int, hours: int, falling: float = FALLING) -> Drawn:
    """`series` x `hours`, all settled, without a gap; the same numbers for the same arguments."""
    columns = usage_columns(series, hours, falling)
    span = range(FIRST_HOUR, FIRST_HOUR + hours)
    end = FIRST_HOUR + hours
    batch = batch_from_rows(columns, series_count=series, covered_hours=span, settled_until=end)
    cells = cells_from_rows(columns, list(range(series)), covered_hours=span, settled_until=end)
    return Drawn(columns, batch, cells)


def usage_columns(series: int, hours: int, falling: float = FALLING) -> UsageColumns:
    """Rows with a daily load curve; shares in 0..1, requests drawn Poisson."""
    draws = np.random.default_rng(1)
    clock = np.arange(hours) % 24
    day = (1 + np.cos(2 * np.pi * (clock - 14) / 24)) / 2
    base = np.exp(draws.uniform(np.log(50), np.log(500), series))[:, None]
    rate = base * 12 ** day[None] * np.exp(0.1 * draws.normal(size=(series, hours)))
    falls = (draws.random(series) < falling)[:, None]
    relative = rate / rate.max(axis=1, keepdims=True)
    share = np.where(falls, 0.8 - 0.4 * day[None] * relative**0.3, 0.8)
    share = np.clip(share + 0.01 * draws.normal(size=share.shape), 0, 1)
    requests = draws.poisson(rate).astype(float)
    tokens = requests * TOKENS_A_REQUEST
    return UsageColumns(
        np.repeat(np.arange(series), hours),
        np.tile(np.arange(FIRST_HOUR, FIRST_HOUR + hours), series),
        requests.ravel(),
        tokens.ravel(),
        np.round(tokens * share).ravel(),
        np.full(requests.size, np.nan),
    )


def plain_hours(batch: SeriesBatch) -> list[list[Hour]]:
    """The hours of every series as plain Python numbers."""
    reported = batch.reported
    columns = (batch.hour, reported.requests, reported.input_tokens, reported.cached_tokens)
    numbers = (column.astype(np.int64).tolist() for column in columns)
    hours = [Hour(*one) for one in zip(*numbers, strict=True)]
    ends = batch.offsets.tolist()
    return [hours[ends[one] : ends[one + 1]] for one in range(len(batch))]
