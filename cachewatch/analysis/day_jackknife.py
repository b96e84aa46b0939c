"""How sure the gap between quiet and busy hours is, and the rank correlation: what each day decides.

A window is cut into days of 24 hours from its start. Both numbers are made again with each day left
out in turn (the delete-one jackknife; Tukey 1958, Efron and Tibshirani 1993, chapter 11), so that
hours of a day, which move together, count as one. Days differ more where weekends do, which makes the
interval wider, not narrower.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import t as student_t

from cachewatch.analysis.hour_states import USED, full_hour_states
from cachewatch.analysis.load_split import split_by_load
from cachewatch.analysis.rank_correlation import rank_correlation
from cachewatch.analysis.readout_thresholds import SHOWN_CONFIDENCE
from cachewatch.analysis.segments import Floats, Ints, ratio
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.service_days import HOURS_PER_DAY
from cachewatch.analysis.share import HourNumbers
from cachewatch.analysis.thresholds import MIN_CONTRAST_DAYS, MIN_RANKED_HOURS

Interval = tuple[float, float]
PERFECT = 1.0 - 1e-9  # of a correlation: 1 but for rounding


class DayIntervals(NamedTuple):
    """Two-sided intervals at SHOWN_CONFIDENCE.

    Attributes:
        gap: of the busy third's share minus the quiet third's, -1..1.
        rho: of the rank correlation of share and requests, -1..1; None where one is perfect, which
            has no error to measure.
        gap_now, rho_now: the numbers themselves, of the same hours.
        days: with a linked hour.

    """

    gap: Interval
    rho: Interval | None
    gap_now: float
    rho_now: float
    days: int


def day_intervals(batch: SeriesBatch, start_hour: int) -> DayIntervals | None:
    """The intervals of one series; None where they cannot be stated.

    That is so with fewer than MIN_CONTRAST_DAYS days that have a linked hour, where a day left out
    leaves fewer than MIN_RANKED_HOURS hours, and where a correlation is undefined.

    Args:
        batch: a batch of one, cut to its window.
        start_hour: the window's first hour, whole UTC hours since the epoch.

    """
    used = full_hour_states(batch) == USED
    day = (batch.hour[used] - start_hour) // HOURS_PER_DAY
    kinds = np.unique(day)
    if len(kinds) < MIN_CONTRAST_DAYS.default:
        return None
    numbers = batch.numbers.at(used)
    kept = [np.arange(len(day)), *(np.flatnonzero(day != one) for one in kinds)]
    offsets = np.cumsum([0, *map(len, kept)]).astype(np.int64)
    if np.diff(offsets).min() < MIN_RANKED_HOURS.default:
        return None
    return _intervals(numbers.at(np.concatenate(kept)), offsets)


def _intervals(numbers: HourNumbers, offsets: Ints) -> DayIntervals | None:
    """The first segment is the whole window, the others lack one day each."""
    split = split_by_load(numbers, offsets)
    quiet, busy = (ratio(one.cached_tokens, one.input_tokens) for one in (split.quiet, split.busy))
    gap, rho = busy - quiet, rank_correlation(numbers.requests, numbers.share, offsets)
    if not (np.isfinite(gap).all() and np.isfinite(rho).all()):
        return None
    low, high = _jackknife(gap)
    return DayIntervals(
        gap=(max(low, -1.0), min(high, 1.0)),
        rho=_of_correlation(rho),
        gap_now=float(gap[0]),
        rho_now=float(rho[0]),
        days=len(gap) - 1,
    )


def _of_correlation(rho: Floats) -> Interval | None:
    """By Fisher's transformation, since near -1 a correlation has less room on one side."""
    if (np.abs(rho) > PERFECT).any():
        return None
    low, high = _jackknife(np.arctanh(rho))
    return float(np.tanh(low)), float(np.tanh(high))


def _jackknife(values: Floats) -> Interval:
    """values[0] -+ t x error; values[1:] each lack one day."""
    without = values[1:]
    count = len(without)
    spread = float(((without - without.mean()) ** 2).sum())
    error = np.sqrt((count - 1) / count * spread)
    half = float(student_t.ppf(0.5 + SHOWN_CONFIDENCE.default / 2.0, count - 1)) * error
    return float(values[0] - half), float(values[0] + half)
