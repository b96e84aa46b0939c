"""Does the fall go on into the busiest hours, or does it level off before them?

Requests beyond a limit miss, and there are more of them the busier the hour: the share falls on,
by a part of itself that grows with each doubling of load. What has taken hold of all traffic before
the busiest hours, as tenants who are all active or entries that are all evicted, ends earlier.

A pool of a fixed size ends the fall too, and then the share rises again as the pool gets warm. But
a limit lets the same number through every minute, so hours of equal load are more alike than hits
by chance: where they are not, and the share does not turn round, no limit is at work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.gap_test import student_quantiles
from cachewatch.analysis.load_hours import LoadHours
from cachewatch.analysis.segments import Bools, Floats, ascending_order, ranges, ratio
from cachewatch.analysis.thresholds import (
    CLOCK_MIN_RATIO,
    CLOCK_MIN_SPREAD,
    LEVELS_NOISE,
    LEVELS_OFF,
    LEVELS_TURN,
    SHAPE_HOURS,
)

TOP_PART = 3  # the busiest third
LEAST_SHARE = 0.001  # an hour that reads nothing has a logarithm too


class TopSlope(NamedTuple):
    """Slope of ln(share) on ln(requests) in the busiest third of the hours.

    Attributes:
        part: of the slope from reference to busy hours; 1 = the fall goes on as it began.
        high: its one-sided 95% upper bound.
        hours: of the busiest third.

    """

    part: float
    high: float
    hours: int

    def levels_off(self, noise: float) -> bool:
        """The busiest hours surely fall less than half as steeply as all, and do not turn round.

        `noise`: differences between hours of equal load over what chance brings; below 1 a limit
        may be at work all the same.
        """
        level = self.high < LEVELS_OFF.default and self.part > LEVELS_TURN.default
        return level and noise >= LEVELS_NOISE.default


def top_slopes(
    hours: LoadHours, rates: tuple[Floats, Floats], shares: tuple[Floats, Floats]
) -> list[TopSlope | None]:
    """The slope of every series; None where its busiest hours are too few or of one load.

    Args:
        hours: of f series, from the reference load up.
        rates: requests an hour of the reference and the busy hours, each (f,).
        shares: of the same hours, 0..1.

    """
    enough = hours.counts // TOP_PART >= SHAPE_HOURS.default
    enough &= (np.minimum(*rates) > 0) & (shares[0] > shares[1]) & (shares[1] > 0)
    log_ratio, of_share = np.zeros(len(hours)), np.zeros(len(hours))
    np.log(np.divide(rates[1], rates[0], where=enough, out=log_ratio), where=enough, out=log_ratio)
    np.log(np.divide(shares[1], shares[0], where=enough, out=of_share), where=enough, out=of_share)
    enough &= log_ratio >= CLOCK_MIN_RATIO.default
    if not enough.any():
        return [None] * len(hours)
    chosen = hours.of(enough)
    found = iter(_of_tops(chosen.at(_busiest(chosen)), of_share[enough] / log_ratio[enough]))
    return [next(found) if one else None for one in enough.tolist()]


def _busiest(hours: LoadHours) -> Bools:
    """The busiest third of each series; of equal hours the later ones."""
    order, size = ascending_order(hours.requests, hours.offsets), hours.counts // TOP_PART
    busiest = np.zeros(len(order), dtype=bool)
    busiest[order[ranges(hours.offsets[1:] - size, size)]] = True
    return busiest


def _of_tops(top: LoadHours, unit: Floats) -> list[TopSlope | None]:
    """Of the busiest hours; `unit` (f,) is the slope from reference to busy hours."""
    alone, counts = top.alone, top.counts
    weight = top.input_tokens / np.repeat(alone.sums(top.input_tokens), counts)
    x = top.load - np.repeat(alone.dots(weight, top.load), counts)
    squares = alone.dots(weight, x * x)
    y = np.log(np.maximum(top.share, LEAST_SHARE))
    y = y - np.repeat(alone.dots(weight, y), counts)
    varies = squares >= CLOCK_MIN_SPREAD.default**2
    slope = ratio(alone.dots(weight, x * y), squares)
    left = alone.dots(weight, (y - np.repeat(slope, counts) * x) ** 2) / (counts - 2)
    error = np.sqrt(ratio(left, squares))
    part, width = slope / unit, student_quantiles(counts - 2) * error / np.abs(unit)
    columns = (varies, part, part + width, counts)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [TopSlope(part, high, count) if some else None for some, part, high, count in rows]
