"""Reads behind the classifier and the page of a series."""

from __future__ import annotations

from datetime import date, datetime

from django.db import connection

from cachewatch.analysis.hours import SeriesHour, TimeRange, hour_timeline
from cachewatch.verdicts.arrays import batch_of
from cachewatch.verdicts.detail import newest_verdict
from ingest.models import Series, Source, SourceHour
from ingest.queries import complete_to, load_series_hours

# A day counts where it and the six days before were read whole, each hour after it settled.
_DAYS_READ_WHOLE = """
WITH days AS (
    SELECT hour / 24 AS day FROM ingest_sourcehour
    WHERE source_id = %s AND hour < %s
        AND extract(epoch FROM fetched_at) > (hour + 1) * 3600::bigint + %s * 60
    GROUP BY hour / 24 HAVING count(*) = 24
)
SELECT day FROM (
    SELECT day, day - lag(day, 6) OVER (ORDER BY day) AS span FROM days
) weeks WHERE span = 6 ORDER BY day
"""
_EPOCH_DAY = date(1970, 1, 1).toordinal()


def days_read_whole(source: Source, *, before: date) -> list[date]:
    """The UTC days before `before` whose 168-hour windows were read whole, oldest first."""
    limit = (before.toordinal() - _EPOCH_DAY) * 24
    with connection.cursor() as cursor:
        cursor.execute(_DAYS_READ_WHOLE, [source.pk, limit, source.settle_minutes])
        return [date.fromordinal(_EPOCH_DAY + day) for (day,) in cursor.fetchall()]


def series_hours(
    series: Series, start_hour: int, end_hour: int, *, now: datetime
) -> list[SeriesHour]:
    """Every hour of [start_hour, end_hour), with its state and, inside the verdict's window, its third."""
    verdict = newest_verdict(series)
    end = complete_to([series.source_id], now=now).get(series.source_id, start_hour)
    window = TimeRange(end - 168, end)
    if verdict is not None:
        window = TimeRange(verdict.window_start_hour, verdict.window_end_hour)
    # One hour more, so that the first one shown is known to follow traffic or a gap.
    stored = batch_of(load_series_hours([series.pk], start_hour - 1, end_hour))
    covered = SourceHour.objects.filter(
        source=series.source_id, hour__gte=start_hour, hour__lt=end_hour
    )
    return hour_timeline(
        stored,
        TimeRange(start_hour, end_hour),
        window,
        covered_hours=set(covered.values_list("hour", flat=True)),
        now_seconds=now.timestamp(),
        settle_minutes=series.source.settle_minutes,
    )
