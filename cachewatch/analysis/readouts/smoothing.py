"""What the hours before say about an hour: weights by load, or by clock hour.

A row of weights adds up to one; an hour's expected ratio is the weighted ratio of the hours before.
No hour is ever predicted from its own service day, so the same rows give what the curve leaves
unexplained on the days before.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from cachewatch.analysis.readout_thresholds import (
    BANDWIDTH,
    BEYOND_LOAD,
    NEAREST_HOURS,
    OTHER_CLASS,
    SLOPE_RIDGE,
)
from cachewatch.analysis.readouts.sides import Sides
from cachewatch.analysis.segments import Bools, Floats


@dataclass(frozen=True, eq=False)
class Kernel:
    """Closeness of every hour to every hour before.

    Attributes:
        near: float64 (U, B), 0 where the two share a service day; B = hours before.
        distance: float64 (U, B), ln load of the hour before minus that of the hour; None where the
            weights are a plain mean.
        known: bool (U,), the hour has a counterpart before.

    """

    near: Floats
    distance: Floats | None
    known: Bools


def by_load(sides: Sides, wanted: Bools | None = None) -> Kernel:
    """Closeness in load: Gaussian in ln requests, mostly within weekdays and within weekends.

    Hours beyond 1.25 times the busiest (or quietest) hour before, and hours of a class of days
    that was not seen before, are not known. `wanted` (U,): rows for these hours alone.
    """
    ours = sides if wanted is None else sides.where(wanted)
    base = sides.where(sides.before)
    distance = base.log_load - ours.log_load[:, None]
    other_days = base.day != ours.day[:, None]
    width = _width(np.where(other_days, np.abs(distance), np.inf))
    with np.errstate(divide="ignore", invalid="ignore"):
        near = np.exp(-0.5 * np.square(distance / width[:, None]))
    same_class = base.weekend == ours.weekend[:, None]
    near = np.where(other_days, near, 0.0) * np.where(same_class, 1.0, OTHER_CLASS.default)
    return Kernel(near, distance, _in_range(ours, base, near))


def by_clock(sides: Sides) -> Kernel:
    """Hours of the same clock hour and class of days."""
    before = sides.before
    same = sides.clock[before] == sides.clock[:, None]
    same &= sides.weekend[before] == sides.weekend[:, None]
    near = np.where(same & (sides.day[before] != sides.day[:, None]), 1.0, 0.0)
    return Kernel(near, None, near.sum(axis=1) > 0)


def all_alike(sides: Sides) -> Kernel:
    """Every hour before counts the same: for hours that are few, like the first after a gap."""
    near = np.where(sides.day[sides.before] != sides.day[:, None], 1.0, 0.0)
    return Kernel(near, None, near.sum(axis=1) > 0)


def rows_of(kernel: Kernel, weight: Floats) -> Floats:
    """Weights (U, B) for ratios with these denominators `weight` (B,); NaN rows where unknown.

    With distances a straight line in ln load is fitted at every hour (local linear regression,
    Cleveland 1979), its slope pulled to none where the load hardly varies.
    """
    near = kernel.near * weight
    total = near.sum(axis=1)
    known = kernel.known & (total > 0)
    total = np.where(known, total, np.nan)
    if kernel.distance is None:
        return np.asarray(near / total[:, None])
    weighted = near * kernel.distance
    first = weighted.sum(axis=1)
    ridge = SLOPE_RIDGE.default * BANDWIDTH.default**2
    second = np.einsum("ub,ub->u", weighted, kernel.distance) + ridge * total
    tilted = near * second[:, None] - weighted * first[:, None]
    return np.asarray(tilted / (total * second - first**2)[:, None])


def _width(distance: Floats) -> Floats:
    """The bandwidth, wider where so many hours before do not lie within it, (U,)."""
    hours = int(NEAREST_HOURS.default)
    if distance.shape[1] <= hours:
        return np.full(len(distance), BANDWIDTH.default)
    nth = np.partition(distance, hours - 1, axis=1)[:, hours - 1]
    return np.maximum(np.where(np.isfinite(nth), nth, 0.0), BANDWIDTH.default)


def _in_range(ours: Sides, base: Sides, near: Floats) -> Bools:
    if not len(base):
        return np.zeros(len(ours), dtype=bool)
    load, beyond = ours.log_load, log(BEYOND_LOAD.default)
    known = (load <= base.log_load.max() + beyond) & (load >= base.log_load.min() - beyond)
    seen = [bool((base.weekend == kind).any()) for kind in (False, True)]
    known &= np.where(ours.weekend, seen[1], seen[0])
    inside: Bools = known & (near.sum(axis=1) > 0)
    return inside
