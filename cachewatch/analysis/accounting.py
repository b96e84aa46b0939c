"""Does the usage add up, and what is written that nobody reads?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import Generation
from cachewatch.analysis.cells import CellBatch
from cachewatch.analysis.segments import Bools, Floats, Ints, segment_counts, segment_sums

ROUNDING_TOKENS = 1.0  # restated totals may differ by one


class Accounts(NamedTuple):
    """Totals of one series over the hours in which the parts are reported.

    Attributes:
        more_cached_than_input: hours of cells with more cached than input tokens.
        parts_differ: hours of cells where input is not cached + written + uncached.
        parts_reported: hours of cells that report all three parts.
        written, read: tokens written to the prompt cache, and cached tokens, in the same hours.
        written_12h: part of `written` that is kept for 12 hours; None where not reported.
        input_tokens: of the same hours.

    """

    more_cached_than_input: int
    parts_differ: int
    parts_reported: int
    written: float
    read: float
    written_12h: float | None
    input_tokens: float

    @property
    def suspect(self) -> bool:
        """The numbers cannot all be right."""
        return self.more_cached_than_input > 0 or self.parts_differ > 0

    @property
    def read_back(self) -> float | None:
        """Tokens read for each one written; None where nothing is written."""
        return self.read / self.written if self.written > 0 else None

    @property
    def write_share(self) -> float | None:
        """Written over input tokens; None without input in hours that report writes."""
        return self.written / self.input_tokens if self.input_tokens > 0 else None


def accounts_of(cells: CellBatch, series_count: int) -> list[Accounts]:
    """The accounts of every series."""
    hours, series = cells.hours, cells.series_ids
    known = ~np.isnan(hours.cached_tokens)
    writes = known & ~np.isnan(hours.cache_write_tokens)
    reported = writes & ~np.isnan(cells.uncached_tokens) & ~np.isnan(hours.input_tokens)
    differ = reported & _parts_differ(cells) if reported.any() else reported
    long = ~np.isnan(cells.long_write_tokens)
    masks = (hours.cached_tokens > hours.input_tokens, differ, reported)
    counts = [segment_counts(mask, series, series_count).tolist() for mask in masks]
    written, read, tokens = (
        _sum(values, writes, series, series_count).tolist()
        for values in (hours.cache_write_tokens, hours.cached_tokens, hours.input_tokens)
    )
    of_long = _sum(cells.long_write_tokens, long, series, series_count).tolist()
    some_long = segment_counts(long, series, series_count) > 0
    known_long = [sum_ if some else None for sum_, some in zip(of_long, some_long, strict=True)]
    return list(map(Accounts, *counts, written, read, known_long, tokens))


def break_even(accounts: Accounts, generation: Generation) -> float:
    """Tokens that must be read for each one written before writing pays.

    (w - 1) / (1 - r) with w the write price and r the read price, both over the input price: 0.28
    for 30 minutes, 1.67 for 12 hours at a read price of a tenth, mixed by tokens written.
    """
    long = accounts.written_12h or 0.0
    part = min(1.0, long / accounts.written) if accounts.written > 0 else 0.0
    price = generation.write_price_30m * (1 - part) + generation.write_price_12h * part
    return (price - 1.0) / (1.0 - generation.read_price)


def writes_not_read(accounts: Accounts, generation: Generation) -> bool:
    """Whether the tokens written cost more than reading them back saves."""
    read_back = accounts.read_back
    if not generation.bills_writes or read_back is None:
        return False
    return read_back < break_even(accounts, generation)


def _parts_differ(cells: CellBatch) -> Bools:
    """Where input is not cached + written + uncached, (M,)."""
    hours = cells.hours
    parts = hours.cached_tokens + hours.cache_write_tokens + cells.uncached_tokens
    differ: Bools = np.abs(parts - hours.input_tokens) > ROUNDING_TOKENS
    return differ


def _sum(values: Floats, mask: Bools, series: Ints, count: int) -> Floats:
    marked = np.flatnonzero(mask)
    return segment_sums(values[marked], series[marked], count)
