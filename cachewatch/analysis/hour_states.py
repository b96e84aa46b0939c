"""Why each hour is used or left out, by the published rule and by the hygiene of `full`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.segments import Bools
from cachewatch.analysis.series import SeriesBatch, follows

HOUR_STATES = (
    "used",
    "after_gap",
    "unknown_before",
    "settling",
    "no_traffic",
    "no_input",
    "no_requests",
    "not_reported",
)
USED, AFTER_GAP, UNKNOWN_BEFORE, SETTLING, NO_TRAFFIC, NO_INPUT, NO_REQUESTS, NOT_REPORTED = range(
    8
)


def published_hour_states(batch: SeriesBatch, counts: Bools) -> NDArray[np.int8]:
    """USED or AFTER_GAP for the hours with traffic that count, as the published rule has it.

    An hour that was not read is idle here, and so is the hour before the window.
    """
    active = batch.had_traffic & counts
    states = np.where(follows(batch, active), np.int8(USED), np.int8(AFTER_GAP))
    idle = np.where(counts, np.int8(NO_TRAFFIC), np.int8(SETTLING))
    return np.where(active, states, idle)


def full_hour_states(batch: SeriesBatch) -> NDArray[np.int8]:
    """Why each hour is used or left out under `full`; the first reason that holds is the one."""
    reasons = [
        (~batch.settled, SETTLING),
        ((batch.requests == 0) & (batch.input_tokens == 0), NO_TRAFFIC),
        (~(batch.requests > 0), NO_REQUESTS),
        (~(batch.input_tokens > 0), NO_INPUT),
        (np.isnan(batch.cached_tokens), NOT_REPORTED),
        (~batch.known_before, UNKNOWN_BEFORE),
        (~follows(batch, batch.had_traffic), AFTER_GAP),
    ]
    states = np.full(len(batch.hour), USED, dtype=np.int8)
    for mask, code in reversed(reasons):
        states[mask] = code
    return states
