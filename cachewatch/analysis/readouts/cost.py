"""Net input cost: what reads, writes and fresh input cost together, hour by hour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cachewatch.analysis.cells import CellBatch, rows_of_hours
from cachewatch.analysis.hour_rates import HourRates
from cachewatch.analysis.segments import Bools, Floats
from cachewatch.analysis.series import SeriesBatch

Windows = Sequence[tuple[int, int]]


def cell_cost(cells: CellBatch, rates: HourRates) -> Floats:
    """USD of the input of every hour of every cell, (M,); NaN where a part or its price is unknown.

    read x read price + written x write price + the rest x input price (OpenAI's cost formula).
    Where writes are not billed they cost what fresh input costs, and need not be reported.
    """
    hours = cells.hours
    billed = ~np.isnan(rates.write_usd)
    written = np.where(billed, hours.cache_write_tokens, 0.0)
    fresh = hours.input_tokens - hours.cached_tokens - written
    write_price = np.where(billed, rates.write_usd, 0.0)
    spent = fresh * rates.input_usd + hours.cached_tokens * rates.cached_usd + written * write_price
    return np.where(hours.input_tokens == 0, 0.0, spent)


def hourly_cost(series: SeriesBatch, cells: CellBatch, rates: HourRates | None) -> Floats:
    """USD of the input of every hour of a batch of one, (N,); NaN where a cell's is unknown."""
    cost: Floats = np.full(len(series.hour), np.nan)
    if rates is None or not len(series.hour):
        return cost
    spent = cell_cost(cells, rates)
    place, there = rows_of_hours(series, np.zeros(len(spent), np.int64), cells.hours.hour)
    cost[np.unique(place[there])] = 0.0
    np.add.at(cost, place[there], spent[there])
    return cost


def why_unknown(cells: CellBatch, rates: HourRates | None, windows: Windows) -> str | None:
    """Why no hour with input of one of the windows has a known cost; None where some has.

    "unpriced": no list price. "writes-not-reported": writes cost extra, and are not reported.

    Args:
        cells, rates: as for hourly_cost.
        windows: half-open, whole UTC hours since the epoch; one without input says nothing.

    """
    if rates is None:
        return "unpriced"
    hours, known = cells.hours, ~np.isnan(cell_cost(cells, rates))
    unwritten = ~np.isnan(rates.write_usd) & np.isnan(hours.cache_write_tokens)
    for start, end in windows:
        inside = (hours.hour >= start) & (hours.hour < end) & (hours.input_tokens > 0)
        if not inside.any() or known[inside].any():
            continue
        if not rates.priced[inside].any():
            return "unpriced"
        if unwritten[inside].any():
            return "writes-not-reported"
    return None


def priced_part(tokens: Floats, cost: Floats, where: Bools) -> float | None:
    """Part of the marked hours' input whose cost is known, 0..1; None without input."""
    total = float(tokens[where].sum())
    known = where & ~np.isnan(cost)
    return float(tokens[known].sum()) / total if total > 0 else None
