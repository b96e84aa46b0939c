"""Two weeks of hours with known totals, for tests of readouts: a question out of plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cachewatch.analysis.before_after import read_out
from cachewatch.analysis.cells import CellBatch, cells_from_rows
from cachewatch.analysis.hour_rates import HourRates
from cachewatch.analysis.readouts.kinds import Kind
from cachewatch.analysis.readouts.question import Marker, OtherMarker, Question
from cachewatch.analysis.readouts.result import Readout
from cachewatch.analysis.series import SeriesBatch, UsageColumns, batch_from_rows
from tests.cachewatch.analysis.series_of import BASE_HOUR, DAY

WEEK = 168
MARKER = BASE_HOUR + WEEK
CURVE = np.array(DAY) / sum(DAY)  # the stated daily curve: part of a day's traffic in each hour
ONE_POINT = 0.01


@dataclass(frozen=True)
class Totals:
    """A week's totals: requests, input, cached and (None = not billed) written tokens."""

    requests: float
    input: float
    cached: float
    written: float | None = None

    @property
    def share(self) -> float:
        """Cached over input."""
        return self.cached / self.input


Rows = list[tuple[int, float, float, float, float]]  # hour, requests, input, cached, written


def spread(
    totals: Totals,
    first_hour: int,
    *,
    days: int = 7,
    noise: float = ONE_POINT,
    seed: int = 1,
    share: Callable[[float], float] | None = None,
) -> Rows:
    """The totals over days of the stated curve, the share constant but for seeded noise."""
    rng = np.random.default_rng([seed, first_hour])
    rows: Rows = []
    for place in range(24 * days):
        part = CURVE[place % 24] / 7.0
        requests, tokens = round(totals.requests * part), round(totals.input * part)
        level = totals.share if share is None else share(requests)
        cached = round(tokens * float(np.clip(level + rng.normal(0.0, noise), 0.0, 1.0)))
        written = np.nan if totals.written is None else round(totals.written * part)
        rows.append((first_hour + place, requests, tokens, cached, written))
    return rows


def two_weeks(before: Totals, after: Totals, *, seed: int = 1, noise: float = ONE_POINT) -> Rows:
    """Seven days a side."""
    early = spread(before, BASE_HOUR, seed=seed, noise=noise)
    return early + spread(after, MARKER, seed=seed, noise=noise)


def batch(series: Sequence[Rows], end: int) -> SeriesBatch:
    """The batch of these series; all hours are read and settled."""
    rows = [(index, *row) for index, hours in enumerate(series) for row in hours]
    return batch_from_rows(
        UsageColumns(*(list(column) for column in zip(*rows, strict=True))),
        series_count=len(series),
        covered_hours=np.arange(BASE_HOUR - 4 * WEEK, end),
        settled_until=end,
    )


def cells(of_cell: Sequence[Rows], end: int, missing: float | None = None) -> CellBatch:
    """Cells of one series; `missing` tokens of each hour are in none of its parts, None: no parts."""
    rows = [(index, *row) for index, hours in enumerate(of_cell) for row in hours]
    return cells_from_rows(
        UsageColumns(*(list(column) for column in zip(*rows, strict=True))),
        [0] * len(of_cell),
        covered_hours=np.arange(BASE_HOUR - 4 * WEEK, end),
        settled_until=end,
        uncached_tokens=None if missing is None else _uncached(rows, missing),
    )


def _uncached(rows: Sequence[tuple[float, ...]], missing: float) -> np.ndarray:
    _, _, _, tokens, cached, written = np.array(rows, dtype=float).T
    return tokens - cached - np.nan_to_num(written) - missing


def summed(of_cell: Sequence[Rows]) -> Rows:
    """The hours of several cells added up."""
    found: dict[int, np.ndarray] = {}
    for hours in of_cell:
        for hour, *values in hours:
            found[hour] = found.get(hour, np.zeros(4)) + np.array(values)
    return [(hour, *map(float, values)) for hour, values in sorted(found.items())]


def question(
    *series: Rows,
    kind: Kind = "key",
    of_cell: Sequence[Rows] | None = None,
    usd: tuple[float, float, float] | None = None,
    others: Sequence[OtherMarker] = (),
    model: str = "gpt-5.4",
    marker: int = MARKER,
    now: int | None = None,
    of_uncached: float | None = None,
    more: Mapping[str, object] | None = None,
) -> Question:
    """The question about the first series; `usd` = prices a million tokens: fresh, read, write."""
    end = now if now is not None else max(row[0] for row in series[0]) + 1
    known = [[row for row in hours if row[0] < end] for hours in series]
    parts = None
    if of_cell is not None or usd is not None or of_uncached is not None:
        given = [known[0]] if of_cell is None else of_cell
        parts = cells([[row for row in hours if row[0] < end] for hours in given], end, of_uncached)
    rates = None
    if usd is not None and parts is not None:
        rates = HourRates(*(np.full(len(parts.hours.hour), price / 1e6) for price in usd))
    return Question(
        batch=batch(known, end),
        target=0,
        marker=Marker(kind, marker, marker),
        now_hour=end,
        models=[model] * len(series),
        cells=parts,
        rates=rates,
        others=others,
        **dict(more or {}),
    )


def read(*series: Rows, **options) -> Readout:
    """The readout of the first series."""
    return read_out(question(*series, **options))
