"""Is a daily gap real? One test for every contrast between quiet and busy hours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.stats import t as student_t

from cachewatch.analysis.contrast import nanmedian
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio
from cachewatch.analysis.thresholds import (
    DAY_GAP,
    GAP_CONFIDENCE,
    GAP_DAYS_AGREE,
    GAP_POINTS,
    MIN_CONTRAST_DAYS,
    RISE_DAY,
    RISE_OF_BUSY,
    RISE_POINTS,
)


@dataclass(frozen=True, eq=False)
class GapLimits:
    """What a gap must reach.

    Attributes:
        points: of the median day; one number or one per series (n,).
        of_level: the same as a part of a level.
        a_day: points that a single day must reach to agree.

    """

    points: Floats | float = GAP_POINTS.default
    of_level: float = 0.0
    a_day: float = DAY_GAP.default


FALL = GapLimits()
RISE = GapLimits(RISE_POINTS.default, RISE_OF_BUSY.default, RISE_DAY.default)


@dataclass(frozen=True, eq=False)
class GapTest:
    """The test over n series.

    Attributes:
        days: int64 (n,), days with a gap.
        median, mean, low: float64 (n,); `low` is the one-sided 95% lower bound of the mean.
        agree: float64 (n,), part of the days with a gap of a day's own minimum.
        yes: bool (n,), the median reaches the limit, the days agree, and the mean is above zero.
        maybe: bool (n,), not `yes`, but the median, or a mean above zero, reaches the limit.

    """

    days: Ints
    median: Floats
    mean: Floats
    low: Floats
    agree: Floats
    yes: Bools
    maybe: Bools


def gap_test(gap: Floats, level: Floats, limits: GapLimits = FALL) -> GapTest:
    """Test daily gaps (n, D), NaN where a day does not count; `level` (n,) is the share they fall from."""
    known = ~np.isnan(gap)
    days = known.sum(axis=1)
    filled = np.where(known, gap, 0.0)
    mean = ratio(filled.sum(axis=1), days.astype(float))
    low = mean - _half_width(filled, known, mean, days)
    median = nanmedian(gap)
    agree = ratio(((filled >= limits.a_day) & known).sum(axis=1).astype(float), days.astype(float))
    needed = np.fmax(limits.points, limits.of_level * level)
    enough = days >= MIN_CONTRAST_DAYS.default
    big, clear = enough & (median >= needed), enough & (low > 0)
    yes = big & clear & (agree >= GAP_DAYS_AGREE.default)
    maybe = ~yes & (big | (clear & (mean >= needed)))
    return GapTest(days, median, mean, low, agree, yes, maybe)


@cache
def student_quantile(degrees: int) -> np.float64:
    """One-sided GAP_CONFIDENCE quantile of Student's t; looked up once for each number of days."""
    return np.float64(student_t.ppf(GAP_CONFIDENCE.default, degrees))


def student_quantiles(degrees: Ints) -> Floats:
    """The same for many numbers of degrees, each at least 1."""
    different, place = np.unique(degrees, return_inverse=True)
    return np.array([student_quantile(one) for one in different.tolist()], np.float64)[place]


def _half_width(filled: Floats, known: Bools, mean: Floats, days: Ints) -> Floats:
    """t(n - 1) times the standard error of the mean; infinite below two days."""
    degrees = np.maximum(days - 1, 1)
    squares = (np.where(known, filled - mean[:, None], 0.0) ** 2).sum(axis=1)
    error = np.sqrt(squares / degrees / np.maximum(days, 1))
    return np.where(days >= 2, student_quantiles(degrees) * error, np.inf)
