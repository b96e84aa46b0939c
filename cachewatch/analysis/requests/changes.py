"""Misses that a change explains: of account, of key, of what else makes entries separate."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.statistics import Transition
from cachewatch.analysis.requests.thresholds import FULL_READ, HIGH_READ, MISS_AFTER, MISS_RATIO
from cachewatch.analysis.segments import Bools, Ints
from cachewatch.analysis.thresholds import MINIMUM_TOKENS


def lacks_history(reads: Reads, *codes: Ints) -> Bools:
    """Linked requests whose value had left less than was readable, and that read all it had left.

    `codes`: (n,) each; entries of different values are separate.
    """
    left = reads.left_by_same(*codes)
    of_others = reads.groups.highest_before(reads.batch.input_tokens) > left
    less = reads.linked & of_others & (left < FULL_READ.default * reads.readable)
    read_it = reads.cached >= HIGH_READ.default * np.minimum(left, reads.batch.input_tokens)
    return less & (read_it | (left < MINIMUM_TOKENS.default))


def follows_change(table: Transition) -> bool:
    """Misses follow the change and are rare without it."""
    often = table.rate_changed >= MISS_AFTER.default
    return often and table.rate_same <= MISS_RATIO.default * table.rate_changed
