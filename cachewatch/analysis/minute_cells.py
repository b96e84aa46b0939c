"""Which cell of a series' hours a cell of its minutes is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.segments import Ints


def places_of_cells(
    of_minutes: Sequence[CellLabel], of_hours: Sequence[CellLabel], cells: slice
) -> Ints:
    """Which cell of a series' hours each cell of its minutes is.

    Args:
        of_minutes: who the cells of the minutes are, k of them.
        of_hours: who the cells of all series' hours are.
        cells: those of the series.

    Returns:
        int64 (k,), places in `of_hours`; a number beyond them, of its own, for one that is not there.

    """
    place = {of_hours[at]: at for at in range(cells.start, cells.stop)}
    beyond = len(of_hours)
    found = [place.get(label, beyond + number) for number, label in enumerate(of_minutes)]
    return np.array(found, np.int64)
