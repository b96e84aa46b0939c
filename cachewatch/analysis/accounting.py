"""Does the usage add up, and what is written that nobody reads?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import Generation
from cachewatch.analysis.cells import CellBatch
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio, segment_counts, segment_sums
from cachewatch.analysis.thresholds import ODD_PART

DOES_NOT_ADD_UP = "accounting"  # the reason of a verdict, and the control that says so
ROUNDING_TOKENS = 1.0  # restated totals may differ by one
ODD_TOKENS = 0.01  # of an hour's input: less is told, and no reason to doubt the share


class Suspicions(NamedTuple):
    """Settled hours of cells of one series whose numbers cannot all be right.

    Attributes:
        hours: all of them.
        more_cached_than_input: hours with more cached than input tokens.
        parts_differ: hours that report all parts, where input is not cached + written + uncached.
        parts_exceed: hours where the parts that are reported exceed the input, and one is not.
        cached_twice_in_input, written_twice_in_input: of `parts_differ`, where the input is too
            large by exactly the cached (written) tokens.
        cached_twice_in_parts, written_twice_in_parts: likewise, where it is too small by them: they
            are in another part as well, or the input leaves them out.

    """

    hours: int
    more_cached_than_input: int
    parts_differ: int
    parts_exceed: int
    cached_twice_in_input: int
    cached_twice_in_parts: int
    written_twice_in_input: int
    written_twice_in_parts: int


class Accounts(NamedTuple):
    """Totals of one series over the hours in which the parts are reported.

    Attributes:
        suspicions: what does not add up.
        parts_reported: settled hours of cells whose parts can be added up.
        odd_part: part of the input of all settled hours that is in hours with more cached than
            input, or whose parts are off by a hundredth of it or more, 0..1; None without input.
        written, read: tokens written to the prompt cache, and cached tokens, in the same hours.
        written_12h: part of `written` that is kept for 12 hours; None where not reported.
        input_tokens: of the same hours.

    """

    suspicions: Suspicions
    parts_reported: int
    odd_part: float | None
    written: float
    read: float
    written_12h: float | None
    input_tokens: float

    @property
    def suspect(self) -> bool:
        """The numbers cannot all be right."""
        return self.suspicions.hours > 0

    @property
    def no_verdict(self) -> bool:
        """So much does not add up that nothing else can be read from the numbers."""
        return self.suspect and (self.odd_part is None or self.odd_part >= ODD_PART.default)

    @property
    def read_back(self) -> float | None:
        """Tokens read for each one written; None where nothing is written."""
        return self.read / self.written if self.written > 0 else None

    @property
    def write_share(self) -> float | None:
        """Written over input tokens; None without input in hours that report writes."""
        return self.written / self.input_tokens if self.input_tokens > 0 else None


def accounts_of(
    cells: CellBatch, series_count: int, generations: Sequence[Generation] | None = None
) -> list[Accounts]:
    """The accounts of every series.

    `generations`: of each series; None: not known. Where a generation bills no writes, those that
    are not reported count as none (see cache_generation.py).
    """
    hours, series = cells.hours, cells.series_ids
    writes = ~np.isnan(hours.cached_tokens) & ~np.isnan(hours.cache_write_tokens)
    differences = _differences(cells, _written(cells, generations))
    masks = [mask & hours.settled for mask in _masks(cells, differences)]
    counts = [segment_counts(mask, series, series_count).tolist() for mask in masks]
    odd_input, all_input = (
        _sum(hours.input_tokens, mask & (hours.input_tokens > 0), series, series_count)
        for mask in (_clearly_odd(masks, differences.over, hours.input_tokens), hours.settled)
    )
    odd = ratio(odd_input, all_input)
    odd_part = [None if np.isnan(one) else one for one in odd.tolist()]
    written, read, tokens = (
        _sum(values, writes, series, series_count).tolist()
        for values in (hours.cache_write_tokens, hours.cached_tokens, hours.input_tokens)
    )
    long = ~np.isnan(cells.long_write_tokens)
    of_long = _sum(cells.long_write_tokens, long, series, series_count).tolist()
    some_long = segment_counts(long, series, series_count) > 0
    known_long = [sum_ if some else None for sum_, some in zip(of_long, some_long, strict=True)]
    suspicions = map(Suspicions, *counts[:-1])
    columns = (counts[-1], odd_part, written, read, known_long, tokens)
    return list(map(Accounts, suspicions, *columns))


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


class _Differences(NamedTuple):
    """Parts of the input against the input by hour of a cell, each (M,), in tokens.

    Attributes:
        written: see accounts_of(); NaN = not known.
        over: the parts that are known minus the input; NaN without input.
        complete: all three parts are known.

    """

    written: Floats
    over: Floats
    complete: Bools


def _written(cells: CellBatch, generations: Sequence[Generation] | None) -> Floats:
    """Tokens written by hour of a cell, (M,); NaN = not known."""
    reported = cells.hours.cache_write_tokens
    if generations is None:
        return reported
    free = np.array([not one.bills_writes for one in generations], dtype=bool)
    return np.where(np.isnan(reported) & free[cells.series_ids], 0.0, reported)


def _differences(cells: CellBatch, written: Floats) -> _Differences:
    hours = cells.hours
    parts = (hours.cached_tokens, written, cells.uncached_tokens)
    complete = ~np.isnan(parts[0] + parts[1] + parts[2] + hours.input_tokens)
    known = sum((np.where(np.isnan(part), 0.0, part) for part in parts), -hours.input_tokens)
    return _Differences(written, known, complete)


def _masks(cells: CellBatch, found: _Differences) -> list[Bools]:
    """The hours that each field of Suspicions counts, and those that can be added up, (M,)."""
    cached = cells.hours.cached_tokens
    more = cached > cells.hours.input_tokens
    differ = found.complete & (np.abs(found.over) > ROUNDING_TOKENS)
    exceed = ~found.complete & ~more & (found.over > ROUNDING_TOKENS)
    twice = [
        differ & (np.abs(found.over - sign * tokens) <= ROUNDING_TOKENS)
        for tokens in (cached, found.written)
        for sign in (-1.0, 1.0)
    ]
    return [more | differ | exceed, more, differ, exceed, *twice, found.complete]


def _clearly_odd(masks: Sequence[Bools], over: Floats, input_tokens: Floats) -> Bools:
    """The hours of _masks() whose numbers say nothing of their share, (M,)."""
    more, differ, exceed = masks[1:4]
    odd: Bools = more | ((differ | exceed) & (np.abs(over) >= ODD_TOKENS * input_tokens))
    return odd


def _sum(values: Floats, mask: Bools, series: Ints, count: int) -> Floats:
    marked = np.flatnonzero(mask)
    return segment_sums(values[marked], series[marked], count)
