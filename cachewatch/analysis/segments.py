"""Sums, counts and selections inside the segments of a flat array.

A batch of n segments is a flat array of N values plus `offsets`, int64 (n + 1,), offsets[0] = 0,
offsets[n] = N; segment s holds the values at offsets[s] up to, not including, offsets[s + 1].
Segments may be empty.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def segment_ids(offsets: Ints) -> Ints:
    """The segment of every value, shape (N,)."""
    return np.repeat(np.arange(len(offsets) - 1, dtype=np.int64), np.diff(offsets))


def offsets_of(ids: Ints, count: int) -> Ints:
    """The offsets of `count` segments whose values carry these ascending segment ids."""
    return np.concatenate(([0], np.cumsum(np.bincount(ids, minlength=count)))).astype(np.int64)


def segment_sums(values: Floats, ids: Ints, count: int) -> Floats:
    """The sum per segment, shape (count,); exact for whole numbers below 2**53. 0.0 if empty."""
    return np.bincount(ids, weights=values, minlength=count).astype(np.float64, copy=False)


def segment_counts(mask: Bools, ids: Ints, count: int) -> Ints:
    """How many values of each segment are marked, shape (count,)."""
    return np.bincount(ids[mask], minlength=count).astype(np.int64)


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """numerator / denominator, NaN where the denominator is not above zero."""
    out = np.full(np.shape(numerator), np.nan)
    np.divide(numerator, denominator, out=out, where=np.asarray(denominator) > 0)
    return out
