"""The best day a series has had: what its level could be, where nothing in the window tells."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.hour_states import AFTER_GAP, UNKNOWN_BEFORE, USED, full_hour_states
from cachewatch.analysis.segments import Floats, ratio, segment_sums
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.thresholds import BEST_DAY_HOURS, BEST_DAY_INPUT

HOURS_PER_DAY = 24


def best_day_share(batch: SeriesBatch) -> Floats:
    """Pooled cached share of each series' best UTC day, (n,); NaN where no day can be told.

    Give it the last 28 days. A day needs six settled hours with input and half the input of the
    median day, so that a quiet Sunday is no best day.
    """
    known = np.isin(full_hour_states(batch), (USED, AFTER_GAP, UNKNOWN_BEFORE))
    ids, day = batch.ids[known], batch.hour[known] // HOURS_PER_DAY
    days = np.unique(day)
    place = ids * len(days) + np.searchsorted(days, day)
    shape = (len(batch), len(days))
    values = (np.ones(len(ids)), batch.input_tokens[known], batch.cached_tokens[known])
    hours, tokens, cached = (
        segment_sums(column, place, shape[0] * shape[1]).reshape(shape) for column in values
    )
    enough = hours >= BEST_DAY_HOURS.default
    usual = _median(np.where(enough, tokens, np.nan))
    enough &= tokens >= BEST_DAY_INPUT.default * usual[:, None]
    shares = np.where(enough, ratio(cached, tokens), -np.inf)
    best = shares.max(axis=1, initial=-np.inf)
    return np.where(np.isfinite(best), best, np.nan)


def _median(values: Floats) -> Floats:
    rows = [row[~np.isnan(row)] for row in values]
    return np.array([np.median(row) if len(row) else np.nan for row in rows])
