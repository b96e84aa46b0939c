"""Which hours were read, and which series that concerns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import blake2b

from django.db import connection

from ingest.models import IngestRun, SourceHour
from ingest.store import digests
from ingest.store.rows import SliceChange

_BUMP = """
UPDATE ingest_series series SET
    data_version = series.data_version + (%(all)s OR span.counts)::int,
    first_hour = LEAST(series.first_hour, span.first_hour),
    last_hour = GREATEST(series.last_hour, span.last_hour)
FROM (
    SELECT wanted.id, span.first_hour, span.last_hour, COALESCE(span.counts, false) AS counts
    FROM ingest_series wanted
    LEFT JOIN (
        SELECT slice.series_id, min(change.first_hour) AS first_hour,
            max(change.last_hour) AS last_hour, bool_or(change.counts) AS counts
        FROM unnest(%(slices)s::integer[], %(first)s::integer[], %(last)s::integer[],
            %(counts)s::boolean[]) AS change (slice_id, first_hour, last_hour, counts)
        JOIN ingest_slice slice ON slice.id = change.slice_id
        GROUP BY slice.series_id
    ) span ON span.series_id = wanted.id
    WHERE wanted.source_id = %(source)s AND (%(all)s OR span.series_id IS NOT NULL)
) span
WHERE series.id = span.id
"""
# A removed row may have been the first or the last one: look again.
_SPAN = """
UPDATE ingest_series series SET first_hour = span.first_hour, last_hour = span.last_hour
FROM (
    SELECT touched.series_id, min(bucket.hour) AS first_hour, max(bucket.hour) AS last_hour
    FROM (
        SELECT DISTINCT series_id FROM ingest_slice WHERE id = ANY(%s)
    ) touched
    JOIN ingest_slice slice ON slice.series_id = touched.series_id
    LEFT JOIN ingest_usagebucket bucket ON bucket.slice_id = slice.id
    GROUP BY touched.series_id
) span
WHERE series.id = span.series_id
"""
# What replaces the removed rows of a partly read hour lacks the one that could not be placed.
_FORGET = """
DELETE FROM ingest_sourcehour read WHERE read.source_id = %s
    AND read.hour IN (SELECT hour FROM usage_change WHERE is_removed AND hour = ANY(%s))
"""


def mark_read(
    source_id: int,
    covered: Mapping[int, blake2b],
    *,
    run: IngestRun | None,
    label: str,
    now: datetime,
) -> bool:
    """Note that these hours were read whole. True where at least one was not known before.

    `covered` holds what is in each of them (digests.contents).
    """
    known = SourceHour.objects.filter(source_id=source_id, hour__in=list(covered)).count()
    SourceHour.objects.bulk_create(
        [
            SourceHour(
                source_id=source_id,
                hour=hour,
                fetched_at=now,
                run=run,
                grouping=label,
                rows_digest=digests.digest(content, now),
            )
            for hour, content in covered.items()
        ],
        update_conflicts=True,
        unique_fields=["source_id", "hour"],
        update_fields=["fetched_at", "run", "grouping", "rows_digest"],
        batch_size=5_000,
    )
    return known < len(covered)


def forget_cut_anew(source_id: int, partly: list[int]) -> bool:
    """Forget that an hour was read whole where partly read rows replace it. True where one was.

    To be called with the change in usage_change.
    """
    with connection.cursor() as cursor:
        cursor.execute(_FORGET, [source_id, partly])
        return bool(cursor.rowcount)


def bump_series(
    source_id: int, changes: Sequence[SliceChange], *, settled_until: int, all_of_source: bool
) -> None:
    """Raise data_version of every series with a changed row, and keep its first and last hour.

    Rows from the hour `settled_until` on are in no verdict yet: that these grow raises nothing.
    (Where the settle time was made longer meanwhile they may be; the next hour's verdict has them.)
    `all_of_source` raises the others too: an idle hour that becomes known, or unknown, changes
    what is linked.
    """
    if not changes and not all_of_source:
        return
    values: dict[str, int | list[int] | list[int | None] | list[bool]] = {
        "source": source_id,
        "all": all_of_source,
        "slices": [change.slice_id for change in changes],
        "first": [change.first_hour for change in changes],
        "last": [change.last_hour for change in changes],
        "counts": [
            change.removed > 0 or change.first_hour is None or change.first_hour < settled_until
            for change in changes
        ],
    }
    lost = [change.slice_id for change in changes if change.removed]
    with connection.cursor() as cursor:
        cursor.execute(_BUMP, values)
        if lost:
            cursor.execute(_SPAN, [lost])
