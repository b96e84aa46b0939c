"""Whether two groups of requests may be of the same prompts, as their sizes tell."""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import kstwobign

from cachewatch.analysis.requests.thresholds import APART, SIMILAR_SPREAD, STRICT_CHANCE
from cachewatch.analysis.segments import Floats


def comparable(some: Floats, others: Floats) -> bool:
    """Prompts of one template, or of sizes that could be those of one; both (n,), n > 0."""
    both = np.concatenate([some, others])
    alike = bool(both.std() <= SIMILAR_SPREAD.default * both.mean())
    return alike or not differ_in_size(some, others)


def differ_in_size(some: Floats, others: Floats) -> bool:
    """Whether sizes of two groups of requests are plainly not those of one; both (n,), n > 0.

    The two-sided Kolmogorov-Smirnov test in its large-sample form, and a distance besides: of many
    requests the test calls even a slight difference more than chance.
    """
    both = np.sort(np.concatenate([some, others]))
    below = [
        np.searchsorted(np.sort(sizes), both, "right") / len(sizes) for sizes in (some, others)
    ]
    distance = float(np.abs(below[0] - below[1]).max())
    root = math.sqrt(len(some) * len(others) / len(both))
    return distance >= APART.default and kstwobign.sf(distance * root) < STRICT_CHANCE.default
