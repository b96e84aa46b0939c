"""In what order two arms ran: by turns, one after the other, or there and back."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.thresholds import ALTERNATING
from cachewatch.analysis.segments import Bools

_THERE_AND_BACK = 3


def layout_of(in_b: Bools) -> str:
    """ "alternating", "A/B/A", "one after the other" or "in blocks", of the requests of two arms.

    `in_b`: (n,) in the order sent, true for the second arm.

    >>> layout_of(np.array([False, True, False, True])), layout_of(np.array([False, False, True]))
    ('alternating', 'one after the other')
    """
    changes = int((np.diff(in_b.astype(np.int8)) != 0).sum())
    fewer = min(int(in_b.sum()), int((~in_b).sum()))
    if changes < _THERE_AND_BACK:
        return "A/B/A" if changes == _THERE_AND_BACK - 1 else "one after the other"
    by_turns = changes >= ALTERNATING.default * (2 * fewer - 1)
    return "alternating" if by_turns else "in blocks"
