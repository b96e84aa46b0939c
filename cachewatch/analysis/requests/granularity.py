"""The steps in which cached tokens come: a fingerprint of the kind of prompt cache, not a verdict."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cachewatch.analysis.requests.thresholds import STEPS_AGREE, STEPS_FEW
from cachewatch.analysis.segments import Floats

Granularity = Literal["384 mod 512", "128", "exact", "none"]


def granularity_of(cached_tokens: Floats) -> Granularity:
    """Of the non-zero reads: multiples of 128 (blocks), 384 mod 512, or exact (breakpoints).

    >>> granularity_of(np.array([10112.0, 12160.0])), granularity_of(np.array([10445.0]))
    ('128', 'exact')
    """
    reads = cached_tokens[cached_tokens > 0]
    if not len(reads):
        return "none"
    if (
        len(np.unique(reads)) >= STEPS_FEW.default
        and (reads % 512 == 384).mean() >= STEPS_AGREE.default
    ):
        return "384 mod 512"
    return "128" if (reads % 128 == 0).mean() >= STEPS_AGREE.default else "exact"
