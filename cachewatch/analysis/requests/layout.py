"""In what order two arms ran: by turns, mixed, one after the other, or there and back."""

from __future__ import annotations

import math

import numpy as np

from cachewatch.analysis.requests.thresholds import ALTERNATING, BLOCKED_RUNS, STRICT_CHANCE
from cachewatch.analysis.segments import Bools

_THERE_AND_BACK = 3


def layout_of(in_b: Bools) -> str:
    """ "alternating", "A/B/A", "one after the other", "in blocks" or "mixed", of two arms.

    `in_b`: (n,) in the order sent, true for the second arm.

    >>> layout_of(np.array([False, True, False, True])), layout_of(np.array([False, False, True]))
    ('alternating', 'one after the other')
    """
    changes = int((np.diff(in_b.astype(np.int8)) != 0).sum())
    a, b = int((~in_b).sum()), int(in_b.sum())
    if changes < _THERE_AND_BACK:
        return "A/B/A" if changes == _THERE_AND_BACK - 1 else "one after the other"
    if changes >= ALTERNATING.default * (2 * min(a, b) - 1):
        return "alternating"
    return "in blocks" if _far_fewer(changes + 1, a, b) else "mixed"


def _far_fewer(runs: int, a: int, b: int) -> bool:
    """Whether there are far fewer runs than arms drawn at random have.

    The normal approximation of the runs test, one-sided (Wald and Wolfowitz, "On a test whether
    two samples are from the same population", 1940). A part of the runs is asked for besides: of
    many requests the test calls even a slight order more than chance.
    """
    expected = 1 + 2 * a * b / (a + b)
    variance = (expected - 1) * (expected - 2) / (a + b - 1)
    if variance <= 0 or runs >= BLOCKED_RUNS.default * expected:
        return False
    p = math.erfc((expected - runs) / math.sqrt(2 * variance)) / 2
    return p < STRICT_CHANCE.default
