"""A constant part of the traffic that is cached, and a rest that is not: does that explain all hours?

Then the cached tokens of an hour are a constant plus a fixed part of its requests, and the share is
b + a / q over the whole range of load: one template that runs at a constant rate beside another
that grows with the day. Requests that overflow a limit leave the quiet hours flat instead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.clock import LoadHours
from cachewatch.analysis.thresholds import (
    BACKGROUND_LOAD,
    BACKGROUND_MISFIT,
    BACKGROUND_QUIETEST,
    BACKGROUND_SWING,
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


def constant_background(hours: LoadHours, swing: float) -> Background:
    """Fit the share to b + a / requests, weighted by requests."""
    requests, share, weight = hours.requests, hours.share, np.sqrt(hours.requests)
    terms = np.stack([np.ones_like(requests), 1.0 / requests], axis=1)
    rest, constant = np.linalg.lstsq(terms * weight[:, None], share * weight)[0]
    left = (share - terms @ np.array([rest, constant])) * hours.input_tokens
    bins = np.array_split(np.argsort(requests), min(BINS, len(requests)))
    means = [left[one].sum() / hours.input_tokens[one].sum() for one in bins]
    whole = float(constant / max(1.0 - rest, 0.01))
    return Background(
        rest_share=float(rest),
        requests=whole,
        of_quietest=whole / float(np.quantile(requests, BACKGROUND_QUIETEST.default)),
        misfit=float(np.sqrt(np.mean(np.square(means)))),
        swing=swing,
    )
