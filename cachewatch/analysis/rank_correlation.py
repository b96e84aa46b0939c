"""Spearman's rank correlation of many series at once.

Ranks, because request counts are heavy tailed: one incident hour at ten times the usual volume
would decide a straight correlation on its own.
"""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.segments import Floats, Ints, offsets_of, segment_ids, segment_sums
from cachewatch.analysis.thresholds import MIN_RANKED_HOURS


def average_ranks(values: Floats, offsets: Ints) -> Floats:
    """Ranks 1..m inside each segment, shape (N,); equal values share their mean rank.

    >>> average_ranks(np.array([30.0, 10.0, 30.0]), np.array([0, 3])).tolist()
    [2.5, 1.0, 2.5]
    """
    ids = segment_ids(offsets)
    order = np.lexsort((values, ids))
    ordered, ordered_ids = values[order], ids[order]
    starts = np.ones(len(values), dtype=bool)
    starts[1:] = (ordered[1:] != ordered[:-1]) | (ordered_ids[1:] != ordered_ids[:-1])
    first = np.flatnonzero(starts)
    last = np.append(first[1:], len(values)) - 1
    tie = np.cumsum(starts) - 1
    ranks = np.empty(len(values))
    ranks[order] = ((first + last) / 2.0)[tie] + 1.0 - offsets[ordered_ids]
    return ranks


def rank_correlation(load: Floats, share: Floats, offsets: Ints) -> Floats:
    """Spearman's rho of load and share per segment, shape (n,), -1..1.

    NaN where the load never varies or fewer than MIN_RANKED_HOURS values are given: nothing can
    be said. 0.0 where the load varies and the share never does: "no relationship" is an answer.

    >>> hours = np.arange(8.0)
    >>> rank_correlation(hours, -hours, np.array([0, 8])).tolist()
    [-1.0]
    """
    count, lengths = len(offsets) - 1, np.diff(offsets)
    ids = segment_ids(offsets)
    middle = ((lengths + 1) / 2.0)[ids]
    x = average_ranks(load, offsets) - middle
    y = average_ranks(share, offsets) - middle
    sxy, sxx, syy = (segment_sums(values, ids, count) for values in (x * y, x * x, y * y))
    rho = np.zeros(count)
    varies = (sxx > 0) & (syy > 0)
    rho[varies] = sxy[varies] / (_roots(sxx[varies]) * _roots(syy[varies]))
    rho[(sxx <= 0) | (lengths < MIN_RANKED_HOURS.default)] = np.nan
    return np.clip(rho, -1.0, 1.0)


def _roots(values: Floats) -> Floats:
    """Square roots as the published rule takes them: numpy's differ in the last bit at times, and
    that bit decides where rho lies on its threshold.
    """
    return np.array([value**0.5 for value in values.tolist()])


def correlate(load: list[float], share: list[float]) -> float | None:
    """Rank correlation of one series; None where it is undefined."""
    ids = np.zeros(len(load), dtype=np.int64)
    rho = rank_correlation(np.array(load, float), np.array(share, float), offsets_of(ids, 1))
    return None if np.isnan(rho[0]) else float(rho[0])
