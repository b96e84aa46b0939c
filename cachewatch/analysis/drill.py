"""The large cells of series with several, each measured as a series of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cachewatch.analysis.cells import CellBatch, whole_series_as_cells
from cachewatch.analysis.hour_states import USED, full_hour_states
from cachewatch.analysis.measures import Measures, measure
from cachewatch.analysis.segments import Bools, Floats, Ints, segment_counts
from cachewatch.analysis.thresholds import CELL_INPUT, MIN_HOURS


@dataclass(frozen=True, eq=False)
class CellMeasures:
    """Cells that carry enough input of a series with several cells.

    Attributes:
        measures: rows 0..r-1, one a cell.
        cell: int64 (r,), the cell of each row.
        series: int64 (r,), ascending, the series of each row.
        series_count: n.
        enough: bool (r,), the cell has enough linked hours of its own.

    """

    measures: Measures
    cell: Ints
    series: Ints
    series_count: int
    enough: Bools

    def _falls(self, floor: Floats) -> Bools:
        measures = self.measures
        falls: Bools = (
            self.enough & measures.within.yes & (measures.reference_share >= floor[self.series])
        )
        return falls

    def any_falling(self, floor: Floats) -> Bools:
        """Series with a large cell that falls, (n,); `floor` (n,) is the least reference share."""
        falls: Bools = np.bincount(self.series[self._falls(floor)], minlength=self.series_count) > 0
        return falls

    def falling_rows(self, floor: Floats) -> dict[int, list[int]]:
        """By series with such a cell: the rows of its cells that fall, the largest fall first."""
        found: dict[int, list[int]] = {}
        for row in np.flatnonzero(self._falls(floor)).tolist():
            found.setdefault(int(self.series[row]), []).append(row)
        fall = self.measures.within.median
        return {one: sorted(rows, key=lambda row: -float(fall[row])) for one, rows in found.items()}


def measure_large_cells(cells: CellBatch, input_tokens: Floats) -> CellMeasures:
    """Measure the cells with enough of their series' input.

    Args:
        cells: all cells.
        input_tokens: of each series, (n,).

    """
    count = len(input_tokens)
    series = cells.series_of_cell
    tokens = np.bincount(cells.hours.ids, np.nan_to_num(cells.hours.input_tokens), len(cells))
    several = np.bincount(series, minlength=count)[series] > 1
    large = tokens >= CELL_INPUT.default * np.maximum(np.nan_to_num(input_tokens), 1.0)[series]
    chosen = np.flatnonzero(several & large)
    hours = cells.hours.choose(chosen)
    used = full_hour_states(hours) == USED
    linked = segment_counts(used, hours.ids, len(chosen))
    owner = series[chosen]
    measures = measure(hours, used, whole_series_as_cells(hours))
    return CellMeasures(measures, chosen, owner, count, linked >= MIN_HOURS.default)
