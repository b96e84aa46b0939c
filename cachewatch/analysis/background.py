"""A constant part of the traffic that is cached, and a rest that is not: does that explain all hours?

Then the cached tokens of an hour are a constant plus a fixed part of its requests, and the share is
b + a / q over the whole range of load: one template that runs at a constant rate beside another
that grows with the day. Requests that overflow a limit leave the quiet hours flat instead.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.by_length import ByLength
from cachewatch.analysis.load_hours import LoadHours, quantiles
from cachewatch.analysis.segments import Floats
from cachewatch.analysis.thresholds import (
    BACKGROUND_LOAD,
    BACKGROUND_MISFIT,
    BACKGROUND_QUIETEST,
    BACKGROUND_SWING,
    SHAPE_HOURS,
)

BINS = 8


class Background(NamedTuple):
    """The best constant background of a series.

    Attributes:
        rest_share: share of all traffic that is not the background, b.
        requests: requests an hour of a background that is read from the prompt cache whole.
        of_quietest: the same as a part of the quietest hour's requests.
        misfit: root mean square of what it leaves of the share, in points, over eight loads.
        swing: load of the busy hours over that of the reference.

    """

    rest_share: float
    requests: float
    of_quietest: float
    misfit: float
    swing: float

    def explains(self, fall: float) -> bool:
        """It fits all loads, and such a background fits into the quietest hour.

        Over less than a doubling of the load any curve fits, and nothing is said.
        """
        possible = 0 < self.of_quietest <= BACKGROUND_LOAD.default and self.rest_share >= 0
        possible = possible and self.swing >= BACKGROUND_SWING.default
        return possible and self.misfit <= BACKGROUND_MISFIT.default * fall


def constant_backgrounds(hours: LoadHours, swing: Floats) -> list[Background | None]:
    """Fit the share to b + a / requests, weighted by requests, for every series; `swing` (f,).

    None for a series of fewer than SHAPE_HOURS hours.
    """
    enough = hours.counts >= SHAPE_HOURS.default
    found = iter(_fitted(hours.of(enough), swing[enough]) if enough.any() else ())
    return [next(found) if one else None for one in enough.tolist()]


def _fitted(hours: LoadHours, swing: Floats) -> list[Background]:
    weight = np.sqrt(hours.requests)
    terms = np.stack([np.ones_like(weight), 1.0 / hours.requests], axis=1)
    weighted, shares = terms * weight[:, None], hours.share * weight
    fitted, explained = np.empty((len(hours), 2)), np.empty(len(weight))
    for one, (first, end) in enumerate(pairwise(hours.offsets.tolist())):
        fitted[one] = np.linalg.lstsq(weighted[first:end], shares[first:end])[0]
        explained[first:end] = terms[first:end] @ fitted[one]
    rest, constant = fitted.T
    whole = constant / np.maximum(1.0 - rest, 0.01)
    (quietest,) = quantiles(hours.requests, hours.offsets, (BACKGROUND_QUIETEST.default,))
    misfit = _misfit(hours, (hours.share - explained) * hours.input_tokens)
    columns = rest, whole, whole / quietest, misfit, swing
    return [Background(*one) for one in zip(*(c.tolist() for c in columns), strict=True)]


def _misfit(hours: LoadHours, left: Floats) -> Floats:
    """Root mean square of what is left of the share, over BINS loads of as many hours each."""
    order = hours.alone.ascending(hours.requests)
    sizes = hours.counts[:, None] // BINS + (np.arange(BINS) < hours.counts[:, None] % BINS)
    bins = ByLength(np.concatenate(([0], np.cumsum(sizes))))
    means = bins.sums(left[order]) / bins.sums(hours.input_tokens[order])
    misfit: Floats = np.sqrt(np.mean(np.square(means.reshape(sizes.shape)), axis=1))
    return misfit
