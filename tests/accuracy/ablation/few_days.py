"""Tried: where days are few, their variance is shrunk towards that of series of similar volume.

One correlation of successive days, pooled over all series that are judged together, widens it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import t as student_t

from cachewatch.analysis import gap_test
from cachewatch.analysis.segments import Bools, Floats, Ints
from cachewatch.analysis.thresholds import GAP_CONFIDENCE
from tests.accuracy.ablation.switched import Changes, Place
from tests.accuracy.judges import Window, classified

PRIOR_DEGREES = 4.0
SIMILAR = 8  # series of the nearest volume
MOST_LAG = 0.8


class Days(NamedTuple):
    """Daily falls of one series: variance, busy requests an hour, and sums for the correlation."""

    variance: float
    rate: float
    products: float
    squares: float


def few_days(windows: Sequence[Window]) -> Changes:
    """The interval of a daily gap, for the windows that are judged together."""
    found = _days(windows)
    prior = np.array([_prior(found, place) for place in range(len(found))])
    return {Place(gap_test, "_half_width"): _half_width(prior, _lag(found))}


def _days(windows: Sequence[Window]) -> list[Days]:
    decisions = classified(windows).decisions
    assert decisions is not None
    rows = zip(decisions.measures.parts.within, decisions.measures.busy_rate, strict=True)
    return [_days_of(gaps[~np.isnan(gaps)], float(np.nan_to_num(rate))) for gaps, rate in rows]


def _days_of(gaps: Floats, rate: float) -> Days:
    left = gaps - gaps.mean() if len(gaps) else gaps
    variance = float(left @ left) / (len(gaps) - 1) if len(gaps) > 1 else float("nan")
    return Days(variance, max(rate, 1.0), float(left[1:] @ left[:-1]), float(left @ left))


def _prior(found: Sequence[Days], place: int) -> float:
    """Median variance of the series of the nearest volume, without the series itself."""
    others = [one for at, one in enumerate(found) if at != place and not np.isnan(one.variance)]
    others.sort(key=lambda one: abs(np.log(one.rate / found[place].rate)))
    return float(np.median([one.variance for one in others[:SIMILAR]])) if others else float("nan")


def _lag(found: Sequence[Days]) -> float:
    squares = sum(one.squares for one in found)
    lag = sum(one.products for one in found) / squares if squares else 0.0
    return float(np.clip(lag, 0.0, MOST_LAG))


def _half_width(
    prior_of_series: Floats, lag: float
) -> Callable[[Floats, Bools, Floats, Ints], Floats]:
    some = prior_of_series[~np.isnan(prior_of_series)]
    of_any = float(np.median(some)) if len(some) else float("nan")

    def half_width(filled: Floats, known: Bools, mean: Floats, days: Ints) -> Floats:
        of_cells = len(days) != len(prior_of_series)
        prior = np.full(len(days), of_any) if of_cells else prior_of_series
        weight = np.where(np.isnan(prior), 0.0, PRIOR_DEGREES)
        degrees = np.maximum(days - 1, 1)
        squares = (np.where(known, filled - mean[:, None], 0.0) ** 2).sum(axis=1)
        variance = (weight * np.nan_to_num(prior) + squares) / (weight + degrees)
        error = np.sqrt(variance * (1.0 + lag) / (1.0 - lag) / np.maximum(days, 1))
        quantile = student_t.ppf(GAP_CONFIDENCE.default, weight + degrees)
        return np.where(days >= 2, quantile * error, np.inf)

    return half_width
