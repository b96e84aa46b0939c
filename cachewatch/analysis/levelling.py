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

from cachewatch.analysis.clock import LoadHours
from cachewatch.analysis.gap_test import student_quantile
from cachewatch.analysis.segments import Bools, Floats
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


def top_slope(
    hours: LoadHours, rates: tuple[float, float], shares: tuple[float, float]
) -> TopSlope | None:
    """The slope of one series; None where its busiest hours are too few or of one load.

    Args:
        hours: its hours, from the reference load up.
        rates: requests an hour of the reference and the busy hours.
        shares: of the same hours, 0..1.

    """
    top = hours.at(_busiest(hours))
    if len(top) < SHAPE_HOURS.default or min(rates) <= 0 or not shares[0] > shares[1] > 0:
        return None
    log_ratio = float(np.log(rates[1] / rates[0]))
    weight = top.input_tokens / top.input_tokens.sum()
    x = top.load - float(weight @ top.load)
    spread = float(weight @ (x * x))
    if log_ratio < CLOCK_MIN_RATIO.default or spread < CLOCK_MIN_SPREAD.default**2:
        return None
    slope, error = _slope(x, np.log(np.maximum(top.share, LEAST_SHARE)), weight)
    unit = float(np.log(shares[1] / shares[0])) / log_ratio
    width = float(student_quantile(len(top) - 2)) * error / abs(unit)
    return TopSlope(slope / unit, slope / unit + width, len(top))


def _busiest(hours: LoadHours) -> Bools:
    busiest = np.zeros(len(hours), dtype=bool)
    busiest[np.argsort(hours.requests, kind="stable")[-(len(hours) // TOP_PART) :]] = True
    return busiest


def _slope(x: Floats, y: Floats, weight: Floats) -> tuple[float, float]:
    """Weighted least squares on a centred x: slope and its standard error."""
    y = y - float(weight @ y)
    squares = float(weight @ (x * x))
    slope = float(weight @ (x * y)) / squares
    left = float(weight @ (y - slope * x) ** 2) / (len(x) - 2)
    return slope, float(np.sqrt(left / squares))
