"""The part of a daily gap that lies inside the cells, and the part prompt length cannot explain."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cells import CellBatch
from cachewatch.analysis.contrast import NO_THIRD, QUIET, Contrast
from cachewatch.analysis.segments import (
    WIDEST_TABLE,
    Floats,
    Ints,
    ranges,
    ratio,
    segment_sums,
)
from cachewatch.analysis.service_days import DayHours
from cachewatch.analysis.thresholds import SMALL_CELL

THIRDS = 3  # columns of a cell's totals: quiet, middle, busy
QUIET_COLUMN, MIDDLE_COLUMN, BUSY_COLUMN = range(THIRDS)


@dataclass(frozen=True, eq=False)
class CellThirds:
    """Totals of cells by service day and third, float64 (R, 3); a row is one cell on one day.

    `group` is series * D + day of the row, `cell` the cell (small cells of a series are one).
    """

    cell: Ints
    group: Ints
    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats


class Marginal(NamedTuple):
    """Cached tokens that one more input token brings in hours of equal load, (n,): bounds, 0..1."""

    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class WithinCells:
    """Parts of the gap by series and day, float64 (n, D); NaN on days that do not count.

    Attributes:
        gap: the whole gap, reference share minus busy share.
        within: what remains with every cell held at its mean weight. A cell that is absent on one
            side gives nothing.
        size: mean logarithm of busy over reference input tokens a request.
        seen_on_both: weight of the cells that carry traffic on both sides, 0..1.

    """

    gap: Floats
    within: Floats
    size: Floats
    seen_on_both: Floats


class CellHoursInDays(NamedTuple):
    """The cell hours with known numbers that lie in used hours of their series, K of them.

    `row` int64 (K,) is their row in the cell batch, `place` int64 (K,) the used hour of each.
    """

    row: Ints
    place: Ints

    def of_series(self, cells: CellBatch, series: Ints) -> CellHoursInDays:
        """Those of the cells of these series only."""
        ends = cells.hours.offsets[np.searchsorted(cells.series_of_cell, [series, series + 1])]
        first, end = np.searchsorted(self.row, ends).astype(np.int64)
        chosen = ranges(first, end - first)
        return CellHoursInDays(self.row[chosen], self.place[chosen])


def cell_hours_in_days(cells: CellBatch, days: DayHours) -> CellHoursInDays:
    """Find them."""
    hours = cells.hours
    known = (hours.input_tokens > 0) & ~np.isnan(hours.cached_tokens) & (hours.requests > 0)
    row = np.flatnonzero(known)
    if not len(days.hour) or not len(row):
        return CellHoursInDays(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    place = _places(days, cells.series_ids[row], hours.hour[row])
    found = np.flatnonzero(place >= 0)
    return CellHoursInDays(row[found], place[found])


def _places(days: DayHours, series: Ints, hour: Ints) -> Ints:
    """Where these hours of series stand among the used ones; -1 for one that does not, (K,)."""
    first = int(min(days.hour.min(), hour.min()))
    span = int(max(days.hour.max(), hour.max())) + 1 - first
    have, want = (days.series * span + days.hour) - first, (series * span + hour) - first
    if days.count * span <= WIDEST_TABLE * len(have):
        table = np.full(days.count * span, -1, dtype=np.int64)
        table[have] = np.arange(len(have))
        places: Ints = table[want]
        return places
    place = np.minimum(np.searchsorted(have, want), len(have) - 1)
    return np.where(have[place] == want, place, -1)


def cell_thirds(
    cells: CellBatch, days: DayHours, third: np.ndarray, inside: CellHoursInDays
) -> CellThirds:
    """Totals of each cell in the thirds (see DayThirds.third) of its series' service days."""
    row, place = inside
    third_of = third[place]
    if not third_of.all():
        used = np.flatnonzero(third_of != NO_THIRD)
        row, place, third_of = row[used], place[used], third_of[used]
    cell = _small_as_one(cells)[cells.hours.ids[row]]
    keys, where = _different(cell * days.days + days.day[place])
    slot = where * THIRDS + (third_of - QUIET)
    hours = cells.hours
    totals = [
        segment_sums(values[row], slot, len(keys) * THIRDS).reshape(-1, THIRDS)
        for values in (hours.requests, hours.input_tokens, hours.cached_tokens)
    ]
    cell_of, day = keys // days.days, keys % days.days
    return CellThirds(cell_of, cells.series_of_cell[cell_of] * days.days + day, *totals)


def _different(keys: Ints) -> tuple[Ints, Ints]:
    """The different keys in ascending order, and the place of each key among them."""
    step = np.diff(keys)
    if not len(keys) or step.min(initial=0) < 0:
        return np.unique(keys, return_inverse=True)
    where = np.concatenate(([0], np.cumsum(step > 0)))
    return keys[np.concatenate(([0], np.flatnonzero(step) + 1))], where


def _small_as_one(cells: CellBatch) -> Ints:
    """The cell itself, or for cells with little input the first such cell of the series."""
    tokens = np.bincount(
        cells.hours.ids, weights=np.nan_to_num(cells.hours.input_tokens), minlength=len(cells)
    )
    series = cells.series_of_cell
    total = np.bincount(series, weights=tokens, minlength=int(series.max(initial=0)) + 1)
    small = tokens < SMALL_CELL.default * total[series]
    own = np.arange(len(cells), dtype=np.int64)
    first_small = np.full(len(total), len(cells), dtype=np.int64)
    np.minimum.at(first_small, series[small], own[small])
    return np.where(small, first_small[series], own)


def marginal_cached(
    cells: CellBatch, days: DayHours, third: np.ndarray, inside: CellHoursInDays
) -> Marginal:
    """How much of a longer prompt is cached, from hours of the same cell and the same third.

    Documents that vary bring nothing, a longer conversation brings nearly all. Slope of cached on
    input tokens a request, both less the mean of their cell and third, two standard errors wide; 0..1 where the lengths do not vary.
    """
    row, place = inside
    hours = cells.hours
    requests = hours.requests[row]
    size, cached = hours.input_tokens[row] / requests, hours.cached_tokens[row] / requests
    group = hours.ids[row] * (THIRDS + 1) + third[place]
    of_group = np.maximum(np.bincount(group, weights=requests), 1e-12)
    x, y = (
        values - (np.bincount(group, weights=requests * values) / of_group)[group]
        for values in (size, cached)
    )
    series, weighted = cells.series_ids[row], requests * x

    def total(values: Floats) -> Floats:
        return segment_sums(values, series, days.count)

    squares, hours_used = total(weighted * x), np.bincount(series, minlength=days.count)
    slope = ratio(total(weighted * y), squares)
    residual = requests * (y - np.nan_to_num(slope)[series] * x) ** 2
    error = np.sqrt(ratio(total(residual), np.maximum(hours_used - 2.0, 1.0) * squares))
    low, high = (np.clip(slope + side * 2.0 * error, 0.0, 1.0) for side in (-1, 1))
    return Marginal(np.nan_to_num(low, nan=0.0), np.nan_to_num(high, nan=1.0))


def within_cells(thirds: CellThirds, contrast: Contrast) -> WithinCells:
    """Split the gap of every day that counts."""
    sides = _Sides(thirds, contrast)
    reference, busy = (np.where(sides.both, size, 1.0) for size in sides.size)
    parts = (
        sides.share[0] - sides.share[1],
        np.log(busy / reference),
        np.ones(len(thirds.group)),
    )
    return WithinCells(contrast.gap, *(sides.total(part) for part in parts))


def beyond_length(thirds: CellThirds, contrast: Contrast, marginal: Marginal) -> Floats:
    """What remains of the gap within cells once prompt length has explained what it can, (n, D)."""
    sides = _Sides(thirds, contrast)
    series = thirds.group // contrast.kept.shape[1]
    expected = sides.expected_busy_share(Marginal(*(bound[series] for bound in marginal)))
    return sides.total(expected - sides.share[1])


class _Sides:
    """A cell's reference (0) and busy (1) totals, each (R,)."""

    def __init__(self, thirds: CellThirds, contrast: Contrast) -> None:
        self.group, self.kept = thirds.group, contrast.kept
        middle = contrast.reference_is_middle.ravel()[thirds.group]
        columns = (thirds.requests, thirds.input_tokens, thirds.cached_tokens)
        reference = [
            np.where(middle, values[:, MIDDLE_COLUMN], values[:, QUIET_COLUMN])
            for values in columns
        ]
        busy = [values[:, BUSY_COLUMN] for values in columns]
        requests, self.tokens, cached = zip(reference, busy, strict=True)
        self.share = [ratio(c, i) for c, i in zip(cached, self.tokens, strict=True)]
        self.size = [ratio(i, q) for i, q in zip(self.tokens, requests, strict=True)]
        self.cached = [ratio(c, q) for c, q in zip(cached, requests, strict=True)]
        self.both = (self.tokens[0] > 0) & (self.tokens[1] > 0)

    def total(self, values: Floats) -> Floats:
        """Values (R,) of the cells by their mean weight on both sides, by series and day (n, D)."""
        weighted = self._mean_weight * np.where(self.both, values, 0.0)
        flat = np.bincount(self.group, weights=weighted, minlength=self.kept.size)
        return np.where(self.kept, flat.reshape(self.kept.shape), np.nan)

    @cached_property
    def _mean_weight(self) -> Floats:
        return (self._weight(0) + self._weight(1)) / 2.0

    def _weight(self, side: int) -> Floats:
        """The cell's part of the day's input on one side."""
        tokens = self.tokens[side]
        total = np.bincount(self.group, weights=tokens, minlength=self.kept.size)
        return tokens / np.maximum(total[self.group], 1.0)

    def expected_busy_share(self, marginal: Marginal) -> Floats:
        """The busy share that a change of prompt length alone would bring.

        Longer prompts add at least the lower bound of cached tokens, shorter ones lose at most the
        upper bound. Source: "cached tokens per request as second witness".
        """
        more = self.size[1] - self.size[0]
        brought = np.where(more > 0, marginal.low, marginal.high) * more
        return ratio(np.maximum(self.cached[0] + brought, 0.0), self.size[1])
