"""Two measures that are no ratio: the gap between quiet and busy hours, and the rank correlation."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.rank_correlation import correlate, rank_correlation
from cachewatch.analysis.readout_thresholds import SHOWN_CONFIDENCE
from cachewatch.analysis.readouts.comparing import Compared, Days, Interval, interval_of
from cachewatch.analysis.readouts.sides import Sides
from cachewatch.analysis.segments import Bools, Floats, offsets_of

RESAMPLINGS = 200


class Change(NamedTuple):
    """Before, after, change and its 90 % interval; None where it cannot be stated."""

    before: float | None
    after: float | None
    change: float | None
    interval: Interval | None


def gap_change(quiet: Compared, busy: Compared) -> Change:
    """The gap, quiet minus busy, in points; its change is that at equal load."""
    sides = [(one.before.ratio, one.after.ratio) for one in (quiet, busy)]
    (quiet_before, quiet_after), (busy_before, busy_after) = sides
    before = _minus(quiet_before, busy_before)
    after = _minus(quiet_after, busy_after)
    if not (quiet.known and busy.known):
        return Change(before, after, None, None)
    change = quiet.change - busy.change
    error = _error_of_difference(quiet, busy)
    degrees = min(quiet.degrees, busy.degrees)
    interval = interval_of(change, error, degrees, SHOWN_CONFIDENCE.default)
    return Change(before, after, change, interval)


def rho_change(sides: Sides, seed: int) -> Change:
    """The rank correlation of share and load on each side; the interval resamples service days."""
    share = sides.cached_tokens / sides.input_tokens
    values = [
        correlate(sides.requests[mask].tolist(), share[mask].tolist())
        for mask in (sides.before, sides.after)
    ]
    change = _minus(values[1], values[0])
    if change is None:
        return Change(values[0], values[1], None, None)
    rng = np.random.default_rng(seed)
    draws = [_resampled(sides, share, mask, rng) for mask in (sides.before, sides.after)]
    differences = draws[1] - draws[0]
    known = differences[~np.isnan(differences)]
    if not len(known):
        return Change(values[0], values[1], change, None)
    tail = (1.0 - SHOWN_CONFIDENCE.default) / 2.0
    low, high = np.quantile(known, [tail, 1.0 - tail])
    return Change(values[0], values[1], change, (float(low), float(high)))


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _error_of_difference(quiet: Compared, busy: Compared) -> float:
    """The errors of both ends together; days on which both moved alike count for less."""
    shared = _correlation_of_days(quiet.days_before, busy.days_before)
    both = quiet.error**2 + busy.error**2 - 2.0 * shared * quiet.error * busy.error
    return float(np.sqrt(max(both, 0.0)))


def _correlation_of_days(one: Days, other: Days) -> float:
    _, mine, theirs = np.intersect1d(one.day, other.day, return_indices=True)
    if len(mine) < 3:
        return 0.0
    first, second = one.value[mine], other.value[theirs]
    if not (first.std() > 0 and second.std() > 0):
        return 0.0
    return float(np.clip(np.corrcoef(first, second)[0, 1], 0.0, 0.9))


def _resampled(sides: Sides, share: Floats, mask: Bools, rng: np.random.Generator) -> Floats:
    """Rank correlations of days drawn with replacement, (RESAMPLINGS,)."""
    load, value, day = sides.requests[mask], share[mask], sides.day[mask]
    groups = [np.flatnonzero(day == one) for one in np.unique(day)]
    drawn = rng.integers(0, len(groups), (RESAMPLINGS, len(groups)))
    rows = [np.concatenate([groups[place] for place in draw]) for draw in drawn.tolist()]
    ids = np.repeat(np.arange(RESAMPLINGS), [len(one) for one in rows])
    flat = np.concatenate(rows)
    return rank_correlation(load[flat], value[flat], offsets_of(ids, RESAMPLINGS))
