"""What is true about a series: how much of its input's discount is lost to scatter, and when.

Scatter is what it costs that requests leave the home machine of their route: the share of a second
run of the same requests in the same fleet (lifetimes, eviction, races, keys and all), in which
nobody leaves home, minus the share of the run itself. A race, an expired entry, a changed prefix,
a key that is used once miss at home too and so are no scatter. A third run on one ideal machine
tells what could be had at all.

The hours counted are those of the present state of affairs: from its onset to the window's end.
They are sorted by the series' requests; busy is the busiest third, quiet the quietest.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from ingest.simulator.requests import Ints
from tests.accuracy.serving import CACHED, HOME, IDEAL, INPUT, REQUESTS

GUILTY_POINTS = 0.08
INNOCENT_POINTS = 0.03
CELL_FLOOR = 0.20  # of the series' input: below it a key is too small to be judged alone
YOUNG_HOURS = 72  # a state of affairs younger than this is judged by nobody

Standing = Literal["guilty", "innocent", "between", "everywhere", "young"]


class Loss(NamedTuple):
    """Shares of input: lost to scatter in the busy and the quiet third, and what one ideal machine adds.

    `weight` is the part of the series' input; `share` the pooled cached share of all hours.
    """

    busy: float
    quiet: float
    ideal_busy: float
    share: float
    weight: float


class Truth(NamedTuple):
    """`whole` is the series' loss, `cells` that of each cell; `hours` since the present state began."""

    whole: Loss
    cells: tuple[Loss, ...]
    hours: int

    @property
    def judged(self) -> tuple[Loss, ...]:
        """The series' loss and those of the cells that are large enough to be judged alone."""
        return (self.whole, *(cell for cell in self.cells if cell.weight >= CELL_FLOOR))

    @property
    def loss(self) -> float:
        """The largest busy loss among those judged."""
        return max(loss.busy for loss in self.judged)

    @property
    def standing(self) -> Standing:
        """Guilty, innocent, or neither and why.

        Guilty: 8 points or more are lost to scatter in the busy hours, of the series or of a cell
        with a fifth of its input, and that grows with load: by 8 points, or twofold, from the
        quiet hours. "everywhere": lost, but nearly as much at every load. Innocent: less than 3
        points. "between": what lies between the two. "young": the present state began too lately.
        """
        if self.hours < YOUNG_HOURS:
            return "young"
        if self.loss < INNOCENT_POINTS:
            return "innocent"
        lost = [loss for loss in self.judged if loss.busy >= GUILTY_POINTS]
        if not lost:
            return "between"
        return "guilty" if any(_grows(loss) for loss in lost) else "everywhere"


def _grows(loss: Loss) -> bool:
    return loss.busy - loss.quiet >= GUILTY_POINTS or loss.busy >= 2 * loss.quiet


def truth_of(hour: Ints, cell: Ints, usage: Ints, cells: int, hours: int) -> Truth:
    """The truth about rows (hour, cell, usage per FIELDS) of the present state of affairs."""
    total = float(usage[:, INPUT].sum())
    whole = _loss(hour, usage, total)
    parts = [_loss(hour[cell == c], usage[cell == c], total) for c in range(cells)]
    return Truth(whole, tuple(parts) if cells > 1 else (), hours)


def _loss(hour: Ints, usage: Ints, total: float) -> Loss:
    if not len(hour):
        return Loss(0.0, 0.0, 0.0, 0.0, 0.0)
    _, inverse = np.unique(hour, return_inverse=True)
    by_hour = np.stack([np.bincount(inverse, column) for column in usage.T], axis=1)
    by_hour = by_hour[np.argsort(by_hour[:, REQUESTS], kind="stable")]
    third = max(1, len(by_hour) // 3)
    busy, quiet, everything = (
        part.sum(axis=0) for part in (by_hour[-third:], by_hour[:third], by_hour)
    )
    return Loss(
        (busy[HOME] - busy[CACHED]) / busy[INPUT],
        (quiet[HOME] - quiet[CACHED]) / quiet[INPUT],
        (busy[IDEAL] - busy[CACHED]) / busy[INPUT],
        everything[CACHED] / everything[INPUT],
        everything[INPUT] / total,
    )
