"""Reads behind the classifier and the page of a series."""

from __future__ import annotations

from datetime import date, datetime

import numpy as np
from django.db import connection

from cachewatch.analysis.hours import SeriesHour, TimeRange, hour_timeline
from cachewatch.verdicts.arrays import batch_of
from cachewatch.verdicts.detail import newest_verdict
from cachewatch.verdicts.records import WINDOW_HOURS
from cachewatch.verdicts.shards import Shard
from ingest.models import Series, Source
from ingest.queries import IS_UNPLACED, complete_to, load_series_hours

# A day counts where it and the six days before were read, each hour after it settled, whole or but
# for a row without a place, and where a series with traffic in its window has no row.
_DAYS_TO_FILL = f"""
WITH answers AS (
    SELECT hour, fetched_at FROM ingest_sourcehour
    WHERE source_id = %(source)s AND hour < %(end_hour)s
    UNION ALL
    SELECT reject.hour, reject.last_seen_at FROM ingest_reject reject
    WHERE reject.source_id = %(source)s AND reject.hour < %(end_hour)s AND {IS_UNPLACED}
), days AS (
    SELECT hour / 24 AS day FROM answers
    WHERE extract(epoch FROM fetched_at) > (hour + 1) * 3600::bigint + %(settle_minutes)s * 60
    GROUP BY hour / 24 HAVING count(DISTINCT hour) = 24
), weeks AS (
    SELECT day, (day + 1) * 24 AS window_end, day - lag(day, 6) OVER (ORDER BY day) AS span
    FROM days
)
SELECT day FROM weeks WHERE span = 6 AND EXISTS (
    SELECT FROM ingest_series series
    WHERE series.source_id = %(source)s AND series.id %% %(shards)s = %(shard)s
        AND series.first_hour < window_end AND series.last_hour >= window_end - %(window_hours)s
        AND NOT EXISTS (
            SELECT FROM cachewatch_verdict verdict
            WHERE verdict.series_id = series.id AND verdict.day = DATE '1970-01-01' + weeks.day
        )
) ORDER BY day DESC LIMIT %(most)s
"""  # noqa: S608 -- built from our own names
_EPOCH_DAY = date(1970, 1, 1).toordinal()


def days_to_fill(source: Source, shard: Shard, *, before: date, most: int) -> list[date]:
    """The UTC days before `before` whose windows were read whole and where a series lacks its row.

    Newest first, `most` at the most; found in one query, however long the history is.
    """
    wanted = {
        "source": source.pk,
        "end_hour": (before.toordinal() - _EPOCH_DAY) * 24,
        "settle_minutes": source.settle_minutes,
        "shard": shard.number,
        "shards": shard.of,
        "window_hours": WINDOW_HOURS,
        "most": most,
    }
    with connection.cursor() as cursor:
        cursor.execute(_DAYS_TO_FILL, wanted)
        return [date.fromordinal(_EPOCH_DAY + day) for (day,) in cursor.fetchall()]


def series_hours(
    series: Series, start_hour: int, end_hour: int, *, now: datetime
) -> list[SeriesHour]:
    """Every hour of [start_hour, end_hour), with its state and, inside the verdict's window, its third."""
    verdict = newest_verdict(series)
    end = complete_to([series.source_id], now=now).get(series.source_id, start_hour)
    window = TimeRange(end - WINDOW_HOURS, end)
    if verdict is not None:
        window = TimeRange(verdict.window_start_hour, verdict.window_end_hour)
    # One hour more, so that the first one shown is known to follow traffic or a gap.
    stored = load_series_hours([series.pk], start_hour - 1, end_hour)
    known, in_part = (
        set((np.flatnonzero(flags[0]) + stored.start_hour - 1).tolist())
        for flags in (stored.hour_is_known, stored.hour_is_in_part)
    )
    return hour_timeline(
        batch_of(stored),
        TimeRange(start_hour, end_hour),
        window,
        covered_hours=known,
        now_seconds=now.timestamp(),
        settle_minutes=series.source.settle_minutes,
        hours_in_part=in_part,
    )
