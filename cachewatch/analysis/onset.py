"""Since when? Finds the last day on which the daily fall, or the daily level, changed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cachewatch.analysis.segments import Bools, Floats, Ints
from cachewatch.analysis.thresholds import (
    GAP_POINTS,
    ONSET_AFTER_DAYS,
    ONSET_BEFORE_DAYS,
    ONSET_POINTS,
    ONSET_STANDARD_ERRORS,
)

YOUNG_DAYS = 2  # with three, the days since are tested as any
LEAST_SPREAD = 0.01  # days that are equal by chance make no step clear


@dataclass(frozen=True, eq=False)
class Onset:
    """Where the daily values of n series changed.

    Attributes:
        day: int64 (n,), first day of the present run; 0 where nothing changed.
        change: float64 (n,), mean after minus mean before; NaN where nothing changed.

    """

    day: Ints
    change: Floats

    def since(self, days: int) -> Bools:
        """The days since the onset, (n, days)."""
        since: Bools = np.arange(days)[None, :] >= self.day[:, None]
        return since

    def or_else(self, other: Onset) -> Onset:
        """The other's onsets where there is none here."""
        none = self.day == 0
        return Onset(np.where(none, other.day, self.day), np.where(none, other.change, self.change))

    def where(self, mask: Bools) -> Onset:
        """The onsets where the mask (n,) holds, none elsewhere."""
        return Onset(np.where(mask, self.day, 0), np.where(mask, self.change, np.nan))


def find_young(falls: Floats, usual: Bools) -> Onset:
    """A fall that began on one of the last two days of daily falls (n, D), NaN for days without one.

    The days before do not fall; each day since falls, by ONSET_POINTS more than they do and by as
    many standard errors of a new day as an onset needs. `usual` (n, D): days of which one must be
    among those since.
    """
    known = ~np.isnan(falls)
    left = known[:, ::-1].cumsum(axis=1)[:, ::-1]
    day = np.zeros(len(falls), dtype=np.int64)
    change = np.full(len(falls), np.nan)
    for days in range(1, YOUNG_DAYS + 1):
        after, before = known & (left <= days), known & (left > days)
        step, clear = _step_of(falls, before, after)
        clear &= (after & usual).any(axis=1) & (after.sum(axis=1) == days)
        day = np.where(clear, after.argmax(axis=1), day)
        change = np.where(clear, step, change)
    return Onset(day, change)


def _step_of(falls: Floats, before: Bools, after: Bools) -> tuple[Floats, Bools]:
    """Mean fall after less mean fall before, and whether the days after are clear of those before."""
    count = before.sum(axis=1)
    filled = np.where(before, falls, 0.0)
    mean = filled.sum(axis=1) / np.maximum(count, 1)
    squares = (np.where(before, filled - mean[:, None], 0.0) ** 2).sum(axis=1)
    spread = np.maximum(np.sqrt(squares / np.maximum(count - 1, 1)), LEAST_SPREAD)
    lowest = np.where(after, falls, np.inf).min(axis=1)
    step = np.where(after, falls, 0.0).sum(axis=1) / np.maximum(after.sum(axis=1), 1) - mean
    of_new_day = spread * np.sqrt(1.0 + 1.0 / np.maximum(count, 1))
    clear = (count >= ONSET_BEFORE_DAYS.default + 1) & (mean < GAP_POINTS.default)
    clear &= lowest - mean >= np.maximum(
        ONSET_POINTS.default, ONSET_STANDARD_ERRORS.default * of_new_day
    )
    return step, clear & (lowest >= GAP_POINTS.default)


def find_onset(values: Floats, points: float = ONSET_POINTS.default) -> Onset:
    """The split of daily values (n, D), NaN for days without one, that fits best and is clear.

    Clear: the means differ by `points`, and by ONSET_STANDARD_ERRORS standard errors (a critical
    value for the best of all splits of a month at most).
    """
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    best = np.zeros(len(values))
    day = np.zeros(len(values), dtype=np.int64)
    change = np.full(len(values), np.nan)
    for start in range(1, values.shape[1]):
        step, score = _step_at(filled, known, start, points)
        better = (score > best) & known[:, start]  # of equal splits the one at a day that counts
        best = np.where(better, score, best)
        day = np.where(better, start, day)
        change = np.where(better, step, change)
    return Onset(day, change)


def _step_at(filled: Floats, known: Bools, start: int, points: float) -> tuple[Floats, Floats]:
    """Change at a split, and its size in standard errors; 0 where it is not clear."""
    before, after = known.copy(), known.copy()
    before[:, start:] = False
    after[:, :start] = False
    counts = [group.sum(axis=1) for group in (before, after)]
    means = [
        (filled * group).sum(axis=1) / np.maximum(count, 1)
        for group, count in zip((before, after), counts, strict=True)
    ]
    misfit = sum(
        (((filled - mean[:, None]) * group) ** 2).sum(axis=1)
        for group, mean in zip((before, after), means, strict=True)
    )
    degrees = np.maximum(counts[0] + counts[1] - 2, 1)
    per_mean = sum(1.0 / np.maximum(count, 1) for count in counts)
    error = np.sqrt(np.maximum(misfit / degrees, LEAST_SPREAD**2) * per_mean)
    step = means[1] - means[0]
    enough = (counts[0] >= ONSET_BEFORE_DAYS.default) & (counts[1] >= ONSET_AFTER_DAYS.default)
    score = np.abs(step) / error
    clear = enough & (np.abs(step) >= points) & (score >= ONSET_STANDARD_ERRORS.default)
    return step, np.where(clear, score, 0.0)
