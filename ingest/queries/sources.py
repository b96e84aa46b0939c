"""Which sources there are, and what each one holds."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import QuerySet

from ingest.models import PUSHED_KINDS, Source

RECENT_RUNS = 168  # a week of hourly runs
RECENT_DAYS = 7


class SourceTotals(NamedTuple):
    """What is stored of a source, and how its last runs went."""

    buckets_stored: int
    hours_stored: int
    series: int
    first_hour: int | None
    runs_ok: int  # of the last RECENT_RUNS finished ones
    runs_finished: int
    revised_rows: int  # rows restated within the last RECENT_DAYS
    rejected_rows: int  # values that were unreadable when last read, within the last RECENT_DAYS
    recent_rows: int  # stored, of the hours of the last RECENT_DAYS


_NOTHING = SourceTotals(0, 0, 0, None, 0, 0, 0, 0, 0)

# Every store counts its rows in its run, so that no bucket older than RECENT_DAYS is read.
_TOTALS = """
SELECT source.id, stored.n, hours.n, series.n, hours.first_hour, run.ok, run.finished,
    revised.n, rejected.n, recent.n
FROM ingest_source source
CROSS JOIN LATERAL (
    SELECT COALESCE(sum(rows_new) - sum(rows_removed), 0) AS n
    FROM ingest_ingestrun WHERE source_id = source.id
) stored
CROSS JOIN LATERAL (
    SELECT count(*) AS n, min(hour) AS first_hour
    FROM ingest_sourcehour WHERE source_id = source.id
) hours
CROSS JOIN LATERAL (
    SELECT count(*) AS n FROM ingest_series WHERE source_id = source.id
) series
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE status = 'ok') AS ok, count(*) AS finished
    FROM (
        SELECT status FROM ingest_ingestrun WHERE source_id = source.id AND status <> 'running'
        ORDER BY started_at DESC, id DESC LIMIT %(runs)s
    ) newest
) run
CROSS JOIN LATERAL (
    SELECT COALESCE(sum(revision.rows), 0) AS n
    FROM ingest_bucketrevision revision JOIN ingest_series of ON of.id = revision.series_id
    WHERE of.source_id = source.id AND revision.seen_at >= %(since)s
) revised
CROSS JOIN LATERAL (
    SELECT count(*) AS n FROM ingest_reject
    WHERE source_id = source.id AND last_seen_at >= %(since)s
) rejected
CROSS JOIN LATERAL (
    SELECT count(*) AS n FROM ingest_series of
    JOIN ingest_slice slice ON slice.series_id = of.id
    JOIN ingest_usagebucket bucket ON bucket.slice_id = slice.id
    WHERE of.source_id = source.id AND bucket.hour >= %(first_hour)s AND bucket.hour < %(end_hour)s
) recent
WHERE source.id = ANY(%(sources)s)
"""


def has_real_source() -> bool:
    """Whether a source other than the demo exists."""
    return Source.objects.filter(removed_at=None).exclude(kind=Source.Kind.DEMO).exists()


def visible_sources() -> QuerySet[Source]:
    """Sources that pages and totals show, by name. A paused demo hides behind a real source."""
    shown = Source.objects.filter(removed_at=None)
    if has_real_source():
        shown = shown.exclude(kind=Source.Kind.DEMO, paused=True)
    return shown.order_by("name", "pk")


def sources_to_read() -> QuerySet[Source]:
    """Sources that a provider is read for, every hour: not those that others push to."""
    return visible_sources().filter(paused=False).exclude(kind__in=PUSHED_KINDS)


def removed_sources() -> QuerySet[Source]:
    """Sources whose stored history is still to be deleted."""
    return Source.objects.exclude(removed_at=None).order_by("pk")


def find_source(slug: str) -> Source:
    """The visible source of that slug. Raises Source.DoesNotExist."""
    return visible_sources().get(slug=slug)


def source_by_id(source_id: int) -> Source | None:
    """The source of that id, unless it is gone or removed."""
    return Source.objects.filter(pk=source_id, removed_at=None).first()


def demo_source() -> Source | None:
    """The demo source, paused or not, unless it was removed."""
    return Source.objects.filter(kind=Source.Kind.DEMO, removed_at=None).first()


def source_totals_of(sources: Iterable[Source], now: datetime) -> dict[int, SourceTotals]:
    """Source id -> its figures, of all these sources in one query; zeros for one gone meanwhile."""
    since = now - timedelta(days=RECENT_DAYS)
    figures = {source.pk: _NOTHING for source in sources}
    values: dict[str, Any] = {
        "sources": list(figures),
        "since": since,
        "first_hour": int(since.timestamp()) // 3600,
        "end_hour": int(now.timestamp()) // 3600 + 1,
        "runs": RECENT_RUNS,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TOTALS, values)
        return figures | {row[0]: SourceTotals(*row[1:]) for row in cursor.fetchall()}
