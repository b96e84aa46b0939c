"""What prompt length leaves of a fall, worked out of those series of which it is asked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.cells import CellBatch
from cachewatch.analysis.contrast import Contrast
from cachewatch.analysis.gap_test import GapLimits, GapTest, gap_test
from cachewatch.analysis.segments import Floats, Ints
from cachewatch.analysis.service_days import DayHours
from cachewatch.analysis.within_cells import (
    CellHoursInDays,
    CellThirds,
    beyond_length,
    marginal_cached,
)


@dataclass(frozen=True, eq=False)
class LengthTest:
    """The numbers of n series that a test of some of them needs.

    Attributes:
        cells, days, third: of the series (see DayThirds for `third`).
        inside, by_cell: the cells' hours in those days, and their totals.
        contrast: the days that count.
        points: float64 (n,), what a fall must reach.

    """

    cells: CellBatch
    days: DayHours
    third: NDArray[np.int8]
    inside: CellHoursInDays
    by_cell: CellThirds
    contrast: Contrast
    points: Floats

    def of(self, series: Ints) -> GapTest:
        """The gap test of what is left beyond prompt length, of these series in ascending order."""
        some = len(series) < self.days.count
        inside = self.inside.of_series(self.cells, series) if some else self.inside
        marginal = marginal_cached(self.cells, self.days, self.third, inside)
        left = beyond_length(self.by_cell, self.contrast, marginal)
        limits = GapLimits(self.points[series])
        return gap_test(left[series], self.contrast.reference_share[series], limits)
