"""Revisions: settled hours of a series whose totals the provider restated."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from ingest.models import COUNTS, SERIES_TOTALS, IngestRun

_TABLE = """
CREATE TEMP TABLE IF NOT EXISTS usage_before
    (series_id bigint, hour integer, rows integer, totals jsonb) ON COMMIT DELETE ROWS;
TRUNCATE usage_before;
"""
# Settled when last read: a value read before that was not yet to be relied on.
_WATCH = """
INSERT INTO usage_before
SELECT slice.series_id, change.hour, count(*), NULL
FROM usage_change change
JOIN ingest_slice slice ON slice.id = change.slice_id
JOIN ingest_sourcehour read ON read.source_id = %s AND read.hour = change.hour
WHERE extract(epoch FROM read.fetched_at) > (change.hour + 1) * 3600::bigint + %s * 60
GROUP BY slice.series_id, change.hour
"""
_TOTALS = f"""
SELECT watched.series_id, watched.hour,
    jsonb_build_object({", ".join(f"'{name}', {SERIES_TOTALS[name]}" for name in COUNTS)}) AS totals
FROM usage_before watched
JOIN ingest_slice slice ON slice.series_id = watched.series_id
JOIN ingest_usagebucket bucket ON bucket.slice_id = slice.id AND bucket.hour = watched.hour
WHERE bucket.hour BETWEEN %(first)s AND %(last)s
GROUP BY watched.series_id, watched.hour
"""  # noqa: S608 -- built from the names in COUNTS
_BEFORE = f"""
UPDATE usage_before watched SET totals = stored.totals
FROM ({_TOTALS}) stored
WHERE stored.series_id = watched.series_id AND stored.hour = watched.hour
"""  # noqa: S608 -- built from the query above
_RECORD = f"""
INSERT INTO ingest_bucketrevision
    (series_id, hour, nth, rows, run_id, seen_at, before, after)
SELECT watched.series_id, watched.hour,
    (SELECT count(*) + 1 FROM ingest_bucketrevision earlier
     WHERE earlier.series_id = watched.series_id AND earlier.hour = watched.hour),
    watched.rows, %(run)s, %(now)s, watched.totals, stored.totals
FROM usage_before watched
LEFT JOIN ({_TOTALS}) stored ON stored.series_id = watched.series_id AND stored.hour = watched.hour
WHERE watched.totals IS DISTINCT FROM stored.totals
ORDER BY watched.hour, watched.series_id
"""  # noqa: S608 -- built from the query above


def watch(source_id: int, settle_minutes: int, hours: Sequence[int]) -> bool:
    """Note the totals of the series hours in usage_change that were settled when last read.

    To be called before the change is written; `hours` holds every hour of it. False where there
    is nothing to watch.
    """
    with connection.cursor() as cursor:
        cursor.execute(_TABLE)
        cursor.execute(_WATCH, [source_id, settle_minutes])
        if not cursor.rowcount:
            return False
        cursor.execute("ANALYZE usage_before")
        cursor.execute(_BEFORE, _span(hours))
    return True


def record(hours: Sequence[int], *, run: IngestRun | None, now: datetime) -> None:
    """Keep one revision for each noted hour whose totals are no longer what they were."""
    with connection.cursor() as cursor:
        cursor.execute(_RECORD, _span(hours) | {"run": run and run.pk, "now": now})


def _span(hours: Sequence[int]) -> dict[str, Any]:
    """Bounds for the planner, which then leaves other partitions alone."""
    return {"first": min(hours), "last": max(hours)}
