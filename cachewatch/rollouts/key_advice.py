"""The load of a stored series, for the plan of its keys and for the lint of a planned one."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.key_advice.usage import (
    PlannedSeries,
    UsageHours,
    UsageMinutes,
    planned_of_usage,
)
from ingest.models import Series, SeriesMinutes
from ingest.queries import (
    complete_to,
    load_cell_hours,
    load_series_hours,
    minute_columns,
    minutes_by_series,
)

WINDOW_HOURS = 168
# A day of minutes is kept that long (SeriesMinutes).
MINUTES_KEPT_HOURS = 35 * 24


class StoredLoad(NamedTuple):
    """A series as the advice on keys takes it, and where its numbers are from.

    Attributes:
        series: its traffic; batch jobs, which have a prompt cache of their own, are left out.
        hours: [start, end) of the hours it is from; None where none was read and settled.
        minutes: the day that was read by the minute; None where none was.

    """

    series: PlannedSeries
    hours: tuple[int, int] | None
    minutes: SeriesMinutes | None


def stored_load(series: Series, *, now: datetime) -> StoredLoad:
    """The week before the source's newest settled hour, and the newest day read by the minute."""
    end = complete_to([series.source_id], now=now).get(series.source_id)
    window = None if end is None else (end - WINDOW_HOURS, end)
    this_hour = int(now.timestamp()) // 3600
    span = this_hour - MINUTES_KEPT_HOURS, this_hour
    stored = minutes_by_series([series.pk], *span).get(series.pk)
    planned = planned_of_usage(
        series.project_id,
        series.model,
        _hours(series, window or (0, 0)),
        None if stored is None else _minutes(stored),
    )
    return StoredLoad(planned, window, stored if planned.basis == "minutes" else None)


def _hours(series: Series, window: tuple[int, int]) -> UsageHours:
    """The settled hours of the cells that are no batch jobs."""
    whole = load_series_hours([series.pk], *window)
    cells = load_cell_hours([series.pk], *window)
    interactive = [not name.batch for name in cells.names]
    kept = np.repeat(np.array(interactive, dtype=bool), np.diff(cells.offsets))
    kept &= np.isin(cells.hour, whole.hour[whole.is_settled])
    return UsageHours(cells.hour[kept], cells.requests[kept], cells.input_tokens[kept])


def _minutes(stored: SeriesMinutes) -> UsageMinutes:
    """The rows of hours that were read whole, without batch jobs."""
    rows = minute_columns(stored)
    interactive = np.array([not batch for _key, _tier, batch in stored.cells], dtype=bool)
    kept = np.isin(rows.minute // 60, stored.hours_read) & ~np.isnan(rows.requests)
    kept &= interactive[rows.cell]
    return UsageMinutes(rows.minute[kept], rows.requests[kept])
