"""Did the same cells carry the traffic, and did the share move inside them?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cachewatch.analysis.cells import CellBatch, rows_of_hours
from cachewatch.analysis.readout_thresholds import CELL_WEIGHT_STEP, EXPLAINED_PART, STEADY_CELLS
from cachewatch.analysis.readouts.effect import Effect
from cachewatch.analysis.readouts.material import Material
from cachewatch.analysis.readouts.result import Check
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.thresholds import SMALL_CELL


@dataclass(frozen=True, eq=False)
class CellSides:
    """Input and cached tokens of each cell on both sides, float64 (m,); small cells are one."""

    input_before: Floats
    input_after: Floats
    cached_before: Floats
    cached_after: Floats

    @property
    def weights(self) -> tuple[Floats, Floats]:
        """Part of the input before and after, each (m,)."""
        one, other = self.input_before, self.input_after
        return one / max(float(one.sum()), 1.0), other / max(float(other.sum()), 1.0)

    @property
    def steady(self) -> float:
        """Part of the input in cells whose weight changed less than threefold, of both sides.

        The smaller of the two: a cell that went away counts as much as one that came.
        """
        before, after = self.weights
        step = CELL_WEIGHT_STEP.default
        with np.errstate(divide="ignore", invalid="ignore"):
            change = after / before
        held = (change < step) & (change > 1.0 / step)
        return float(min(before[held].sum(), after[held].sum()))

    @property
    def inside(self) -> float:
        """Points of the change inside cells (Kitagawa 1955); a cell of one side only gives none."""
        before, after = self.weights
        step = ratio(self.cached_after, self.input_after)
        step = step - ratio(self.cached_before, self.input_before)
        return float(np.nansum((before + after) / 2.0 * step))

    @property
    def whole(self) -> float:
        """Points of the change of all cells together."""
        before, after = (
            float(cached.sum()) / max(float(tokens.sum()), 1.0)
            for cached, tokens in (
                (self.cached_before, self.input_before),
                (self.cached_after, self.input_after),
            )
        )
        return after - before


def cell_sides(series: SeriesBatch, cells: CellBatch, material: Material) -> CellSides:
    """The cells' totals over the hours of the primary measure."""
    sides, where = material.primary_sides, material.primary_hours
    marks = np.zeros(len(series.hour), dtype=np.int64)
    marks[sides.row[where & sides.before]] = 1
    marks[sides.row[where & sides.after]] = 2
    hours = cells.hours
    place, there = rows_of_hours(series, np.zeros(len(hours.hour), np.int64), hours.hour)
    known = there & ~np.isnan(hours.input_tokens) & ~np.isnan(hours.cached_tokens)
    mark = np.where(known, marks[place], 0)
    sums = [
        _by_cell(cells, values, mark == side)
        for values in (hours.input_tokens, hours.cached_tokens)
        for side in (1, 2)
    ]
    return CellSides(*_small_ones_together(sums))


def _by_cell(cells: CellBatch, values: Floats, where: Bools) -> Floats:
    ids: Ints = cells.hours.ids
    return np.bincount(ids[where], values[where], len(cells)).astype(np.float64)


def _small_ones_together(sums: list[Floats]) -> list[Floats]:
    """Cells with little of the input on both sides become one, the last."""
    weights = [one / max(float(one.sum()), 1.0) for one in sums[:2]]
    small = np.maximum(*weights) < SMALL_CELL.default
    return [np.append(one[~small], one[small].sum()) for one in sums]


def steady_cells(sides: CellSides) -> Check:
    """Most of the input lies in cells that weigh about as much as before."""
    part = sides.steady
    low = part < STEADY_CELLS.default
    return Check("steady_cells", None, part, STEADY_CELLS.default, not low, low)


def within_cells(sides: CellSides, effect: Effect) -> Check:
    """The change lies inside cells, and not in which cells carry the traffic."""
    inside, whole = sides.inside, sides.whole
    limit = EXPLAINED_PART.default
    if len(sides.input_before) <= 2:
        return Check("within_cells", whole, inside, limit, ok=None)
    held = inside * effect.raw > 0 and abs(inside) >= limit * abs(effect.raw)
    return Check("within_cells", whole, inside, limit, held, not held, effect.raw - inside)
