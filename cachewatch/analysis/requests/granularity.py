"""The steps in which cached tokens come: a fingerprint of the kind of prompt cache, not a verdict."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cachewatch.analysis.segments import Floats

Granularity = Literal["384 mod 512", "128", "exact", "none"]
_AGREE = 0.9
_FEW = 3  # reads, from which "384 mod 512" is no chance


def granularity_of(cached_tokens: Floats) -> Granularity:
    """Of the non-zero reads: multiples of 128 (blocks), 384 mod 512, or exact (breakpoints).

    >>> granularity_of(np.array([10112.0, 12160.0])), granularity_of(np.array([10445.0]))
    ('128', 'exact')
    """
    reads = cached_tokens[cached_tokens > 0]
    if not len(reads):
        return "none"
    if len(np.unique(reads)) >= _FEW and (reads % 512 == 384).mean() >= _AGREE:
        return "384 mod 512"
    return "128" if (reads % 128 == 0).mean() >= _AGREE else "exact"
