"""How busy a series is at its peak, for the lint of a key that is planned for it."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from cachewatch.analysis.key_plan import PeakLoad
from cachewatch.verdicts.detail import newest_verdict
from ingest.models import Series, SeriesMinutes
from ingest.queries import complete_to, load_series_hours, minute_columns, minutes_by_series

MINUTES_PER_HOUR = 60
WINDOW_HOURS = 168
# A day of minutes is kept that long (SeriesMinutes).
MINUTES_KEPT_HOURS = 35 * 24
PERCENTILE = 99.0


def peak_load(series: Series, *, now: datetime) -> PeakLoad:
    """The peak of a series: its busy day by the minute where one was read, else its busiest hour.

    Hours are those of the week before the source's newest settled one; unknown where none reports
    its requests.
    """
    verdict = newest_verdict(series)
    quiet = None if verdict is None else verdict.quiet_rate
    this_hour = int(now.timestamp()) // 3600
    span = this_hour - MINUTES_KEPT_HOURS, this_hour
    stored = minutes_by_series([series.pk], *span).get(series.pk)
    if stored is not None and stored.hours_read:
        return PeakLoad(_busy_minute(stored), by_minute=True, quiet_requests_per_hour=quiet)
    end = complete_to([series.source_id], now=now).get(series.source_id)
    return PeakLoad(_busiest_hour(series, end), quiet_requests_per_hour=quiet)


def _busy_minute(stored: SeriesMinutes) -> float:
    """The 99th percentile of the requests of a minute; a minute without a row had none."""
    rows = minute_columns(stored)
    _, place = np.unique(rows.minute, return_inverse=True)
    requests = np.zeros(max(len(stored.hours_read) * MINUTES_PER_HOUR, len(place)))
    sums = np.bincount(place, np.nan_to_num(rows.requests))
    requests[: len(sums)] = sums
    return float(np.percentile(requests, PERCENTILE))


def _busiest_hour(series: Series, end_hour: int | None) -> float | None:
    """Requests a minute of the busiest settled hour, on average."""
    if end_hour is None:
        return None
    hours = load_series_hours([series.pk], end_hour - WINDOW_HOURS, end_hour)
    known = hours.requests[hours.is_settled & ~np.isnan(hours.requests)]
    return float(known.max()) / MINUTES_PER_HOUR if len(known) else None
