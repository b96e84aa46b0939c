"""From stored hours to the arrays that analysis takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cachewatch.analysis.segments import Bools
from cachewatch.analysis.series import SeriesBatch, follows
from cachewatch.analysis.share import HourNumbers
from ingest.queries import SeriesHours, load_series_hours


def load_batch(series_ids: Sequence[int], start_hour: int, end_hour: int) -> SeriesBatch:
    """The hours of the window [start_hour, end_hour) of these series, in the order of the ids."""
    stored = batch_of(load_series_hours(series_ids, start_hour, end_hour))
    return stored.within(start_hour, end_hour)


def batch_of(hours: SeriesHours) -> SeriesBatch:
    """Stored hours as a batch: an hour that was never read whole is not in it."""
    requests, tokens = np.nan_to_num(hours.requests), np.nan_to_num(hours.input_tokens)
    had_traffic = (requests > 0) | (tokens > 0)
    batch = SeriesBatch(
        offsets=hours.offsets,
        hour=hours.hour,
        requests=hours.requests,
        input_tokens=hours.input_tokens,
        cached_tokens=hours.cached_tokens,
        cache_write_tokens=hours.cache_write_tokens,
        reported=HourNumbers(requests, tokens, np.nan_to_num(hours.cached_tokens)),
        settled=hours.is_settled,
        known_before=hours.known_before,
        had_traffic=had_traffic,
    )
    return _after_unknown_traffic(batch)


def _after_unknown_traffic(batch: SeriesBatch) -> SeriesBatch:
    """An hour is not known before where the hour before reports neither requests nor input."""
    unreported = np.isnan(batch.requests) | np.isnan(batch.input_tokens)
    silent: Bools = ~batch.had_traffic & unreported
    batch.known_before[follows(batch, silent)] = False
    return batch
