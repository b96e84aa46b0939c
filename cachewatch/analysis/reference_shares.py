"""The share that the hours of a claim are held against, and the most that could be had."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.claims import Loads
from cachewatch.analysis.part_sums import PartSums
from cachewatch.analysis.segments import Bools, Floats, ratio
from cachewatch.analysis.thresholds import LOWEST_LOAD, UNREAD_STEP

STEEPEST = 50.0  # exponent: far above any that leads to a share


def reference_shares(sums: PartSums, own_best: Bools, best_share: Floats) -> Floats:
    """The share of each part's reference hours, (m,); NaN where it has none.

    `own_best` (n,) marks the series that are held against `best_share` (n,) instead.
    """
    pooled = sums.pooled(sums.marks.reference)
    own = ratio(pooled.cached_tokens, pooled.input_tokens)
    return np.where(own_best[sums.series], best_share[sums.series], own)


def most_allowed(sums: PartSums, loads: Loads, reference: Floats) -> Floats:
    """The highest share that a fall with load allows, by part, (m,); at least the reference.

    Where the share falls with load, quiet hours lose as well, only less. So a power law (share
    against requests an hour) through the reference and the busy hours is followed to one request
    an hour; never above the ideal for the size, at which all input but one step of it is read.
    """
    busy = sums.pooled(sums.marks.low)
    busy_share = ratio(busy.cached_tokens, busy.input_tokens)
    with np.errstate(divide="ignore", invalid="ignore"):
        fall = np.log(reference / busy_share)
        width = np.log(loads.low / loads.reference)[sums.series]
        depth = np.log(loads.reference / LOWEST_LOAD.default)[sums.series]
        followed = reference * np.exp(np.clip(fall / width * depth, 0.0, STEEPEST))
    followed = np.where((fall > 0) & (width > 0) & (depth > 0), followed, reference)
    return np.maximum(np.minimum(followed, _ideal_for_size(sums)), reference)


def _ideal_for_size(sums: PartSums) -> Floats:
    """All but one step of a mean prompt, (m,); 0 for prompts shorter than that."""
    pooled = sums.pooled(sums.marks.high)
    size = ratio(pooled.input_tokens, pooled.requests)
    ideal = 1.0 - UNREAD_STEP.default / np.where(size > 0, size, np.inf)
    return np.maximum(ideal, 0.0)
