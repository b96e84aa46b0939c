"""Revisions: settled hours of a series whose totals the provider restated."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from ingest.models import COUNTS, SERIES_TOTALS, BucketRevision, IngestRun

Totals = dict[tuple[int, int], dict[str, int | None]]


class WatchedHour(NamedTuple):
    """A settled hour of a series that an answer touches, by how many bucket rows."""

    series_id: int
    hour: int
    rows: int


# Settled when last read: a value read before that was not yet to be relied on.
_WATCH = """
SELECT slice.series_id, change.hour, count(*)
FROM usage_change change
JOIN ingest_slice slice ON slice.id = change.slice_id
JOIN ingest_sourcehour read ON read.source_id = %s AND read.hour = change.hour
WHERE extract(epoch FROM read.fetched_at) > (change.hour + 1) * 3600::bigint + %s * 60
GROUP BY slice.series_id, change.hour ORDER BY slice.series_id, change.hour
"""
_TOTALS = f"""
SELECT slice.series_id, bucket.hour, {", ".join(SERIES_TOTALS[name] for name in COUNTS)}
FROM unnest(%s::bigint[], %s::integer[]) AS wanted (series_id, hour)
JOIN ingest_slice slice ON slice.series_id = wanted.series_id
JOIN ingest_usagebucket bucket ON bucket.slice_id = slice.id AND bucket.hour = wanted.hour
WHERE bucket.hour BETWEEN %s AND %s
GROUP BY slice.series_id, bucket.hour
"""  # noqa: S608 -- built from the names in COUNTS


def hours_to_watch(source_id: int, settle_minutes: int) -> list[WatchedHour]:
    """The series hours in usage_change that were read before, when already settled."""
    with connection.cursor() as cursor:
        cursor.execute(_WATCH, [source_id, settle_minutes])
        return [WatchedHour(*row) for row in cursor.fetchall()]


def totals(watched: list[WatchedHour]) -> Totals:
    """The stored totals of these series hours; an hour without a row is absent."""
    if not watched:
        return {}
    hours = [item.hour for item in watched]
    with connection.cursor() as cursor:
        cursor.execute(
            _TOTALS, [[item.series_id for item in watched], hours, min(hours), max(hours)]
        )
        return {row[:2]: _as_counts(row[2:]) for row in cursor.fetchall()}


def record(
    watched: list[WatchedHour],
    before: Totals,
    after: Totals,
    *,
    run: IngestRun | None,
    now: datetime,
) -> None:
    """Keep one revision for each watched hour whose totals are no longer what they were."""
    restated = [item for item in watched if before.get(item[:2]) != after.get(item[:2])]
    earlier = _earlier(restated)
    BucketRevision.objects.bulk_create(
        [
            BucketRevision(
                series_id=item.series_id,
                hour=item.hour,
                nth=earlier[item[:2]] + 1,
                rows=item.rows,
                run=run,
                seen_at=now,
                before=before.get(item[:2]),
                after=after.get(item[:2]),
            )
            for item in restated
        ],
        batch_size=1_000,
    )


def _earlier(restated: list[WatchedHour]) -> Counter[tuple[int, int]]:
    found = BucketRevision.objects.filter(
        series_id__in={item.series_id for item in restated},
        hour__in={item.hour for item in restated},
    ).values_list("series_id", "hour")
    return Counter(found)


def _as_counts(values: tuple[Any, ...]) -> dict[str, int | None]:
    return {
        name: None if value is None else int(value)
        for name, value in zip(COUNTS, values, strict=True)
    }
