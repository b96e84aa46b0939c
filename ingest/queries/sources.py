"""Which sources there are, and what each one holds."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Count, Min, Q, QuerySet, Sum

from ingest.models import BucketRevision, IngestRun, Series, Source, SourceHour

RECENT_RUNS = 168  # a week of hourly runs
REVISION_DAYS = 7


class SourceTotals(NamedTuple):
    """What is stored of a source, and how its last runs went."""

    buckets_stored: int
    hours_stored: int
    series: int
    first_hour: int | None
    runs_ok: int  # of the last RECENT_RUNS finished ones
    runs_finished: int
    revised_rows: int  # within REVISION_DAYS
    rejected_rows: int
    rows_read: int


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
    """Sources that are read every hour."""
    return visible_sources().filter(paused=False)


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


def source_totals(source: Source, now: datetime) -> SourceTotals:
    """Counts for the page of one source. Every store counts its rows in its run: no bucket is read."""
    since = now - timedelta(days=REVISION_DAYS)
    recent = Q(started_at__gte=since)
    runs = IngestRun.objects.filter(source=source).aggregate(
        new=Sum("rows_new", default=0),
        removed=Sum("rows_removed", default=0),
        rejected=Sum("rows_rejected", filter=recent, default=0),
        read=Sum("rows_read", filter=recent, default=0),
    )
    hours = SourceHour.objects.filter(source=source).aggregate(n=Count("hour"), first=Min("hour"))
    ok, finished = _recent_runs(source)
    revised = BucketRevision.objects.filter(series__source=source, seen_at__gte=since)
    return SourceTotals(
        buckets_stored=runs["new"] - runs["removed"],
        hours_stored=hours["n"],
        series=Series.objects.filter(source=source).count(),
        first_hour=hours["first"],
        runs_ok=ok,
        runs_finished=finished,
        revised_rows=revised.aggregate(n=Sum("rows", default=0))["n"],
        rejected_rows=runs["rejected"],
        rows_read=runs["read"],
    )


def _recent_runs(source: Source) -> tuple[int, int]:
    finished = IngestRun.objects.filter(source=source).exclude(status=IngestRun.Status.RUNNING)
    statuses = list(
        finished.order_by("-started_at", "-pk").values_list("status", flat=True)[:RECENT_RUNS]
    )
    return statuses.count(IngestRun.Status.OK), len(statuses)
