"""Fan-outs: workers that start together all miss, and more of them do as load grows.

A fan-out of n requests in which only those that start after the first answer can hit reads a
share like n to a power below zero: the same part is lost with each doubling of load, from the
quietest hours on. Its level is low everywhere, or its hours are far more alike than those of
requests that hit by chance. Requests that overflow a machine's limit lose nothing below the limit
and more and more above it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.load_hours import LoadHours, quantiles
from cachewatch.analysis.segments import Floats
from cachewatch.analysis.thresholds import (
    FAN_OUT_ALIKE,
    FAN_OUT_BEND,
    FAN_OUT_ERRORS,
    FAN_OUT_LEVEL,
    FAN_OUT_SHALLOW,
    FAN_OUT_STEEP,
    SHAPE_HOURS,
)

EDGES = (0.05, 0.95)  # quantiles of ln(requests) between which the curve is read
INNER = 0.8  # the slopes at 80% of the way to either edge are compared


class DoublingSlope(NamedTuple):
    """Slope of ln(share) on ln(requests), and how much steeper it is when busy than when quiet.

    `bend_error` is the standard error of the bend.
    """

    slope: float
    bend: float
    bend_error: float

    def looks_like_fan_out(self, reference_share: float, noise: float) -> bool:
        """A line on doubled logarithms that may be straight, from a low level or with little noise.

        `noise`: differences between hours of equal load over what chance brings; NaN = not known.
        """
        by_chance = FAN_OUT_ERRORS.default * self.bend_error
        straight = abs(self.bend) < max(FAN_OUT_BEND.default, by_chance)
        steepness = FAN_OUT_STEEP.default < self.slope < FAN_OUT_SHALLOW.default
        low, alike = reference_share < FAN_OUT_LEVEL.default, noise < FAN_OUT_ALIKE.default
        return straight and steepness and (low or alike)


def doubling_slopes(hours: LoadHours) -> list[DoublingSlope | None]:
    """Fit a parabola to ln(share) over ln(requests), weighted by cached tokens, for every series.

    None for a series of fewer than SHAPE_HOURS hours.
    """
    enough = hours.counts >= SHAPE_HOURS.default
    found = iter(_fitted(hours.of(enough)) if enough.any() else ())
    return [next(found) if one else None for one in enough.tolist()]


def _fitted(hours: LoadHours) -> list[DoublingSlope]:
    low, high = quantiles(hours.load, hours.offsets, EDGES)
    half = np.maximum((high - low) / 2.0, 1e-6)
    x = (hours.load - np.repeat((low + high) / 2.0, hours.counts)) / np.repeat(half, hours.counts)
    cached = np.maximum(hours.cached_tokens, 1.0)
    weight = np.sqrt(cached)
    terms = np.stack([np.ones_like(x), x, x * x], axis=1) * weight[:, None]
    shares = np.log(cached / hours.input_tokens) * weight
    fits = [
        _fit(terms[first:end], shares[first:end]) for first, end in pairwise(hours.offsets.tolist())
    ]
    fitted, left, squares = (np.array(column) for column in zip(*fits, strict=True))
    spread = left / np.maximum(hours.counts - terms.shape[1], 1)
    error = np.sqrt(spread * np.linalg.pinv(squares)[:, 2, 2])
    to_bend = 4.0 * INNER / half
    columns = fitted[:, 1] / half, to_bend * fitted[:, 2], to_bend * error
    return [DoublingSlope(*one) for one in zip(*(c.tolist() for c in columns), strict=True)]


def _fit(terms: Floats, values: Floats) -> tuple[Floats, float, Floats]:
    """Least squares of one series: coefficients, squares left, and the products of the terms."""
    fitted = np.asarray(np.linalg.lstsq(terms, values)[0], np.float64)
    left = values - terms @ fitted
    return fitted, float(left @ left), terms.T @ terms
