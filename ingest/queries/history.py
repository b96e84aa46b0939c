"""Runs, revisions, rejects, backfill weeks and names."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import CharField, Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from ingest.models import (
    ApiKeyName,
    BackfillWeek,
    BucketRevision,
    IngestRun,
    Project,
    Reject,
    Series,
    Source,
)


def list_runs(source_ids: Iterable[int], *, problems: bool = False) -> QuerySet[IngestRun]:
    """Runs, newest first; `problems` keeps failed and interrupted ones, those with rejected rows, and
    those with notices, but for pushes: that requests fail is nothing that somebody has to mend here.
    """
    runs = IngestRun.objects.filter(source__in=list(source_ids)).select_related("source")
    if problems:
        failed = [IngestRun.Status.FAILED, IngestRun.Status.INTERRUPTED]
        noticed = ~Q(notices=[]) & ~Q(kind=IngestRun.Kind.PUSHED)
        runs = runs.filter(Q(status__in=failed) | Q(rows_rejected__gt=0) | noticed)
    return runs.order_by("-started_at", "-pk")


def list_revisions(source_ids: Iterable[int]) -> QuerySet[BucketRevision]:
    """Restated settled hours, newest sighting first, with series and source."""
    found = BucketRevision.objects.filter(series__source__in=list(source_ids))
    return found.select_related("series__source").order_by("-seen_at", "-pk")


def list_rejects(source_ids: Iterable[int]) -> QuerySet[Reject]:
    """Values that could not be read, last seen first."""
    found = Reject.objects.filter(source__in=list(source_ids)).select_related("source")
    return found.order_by("-last_seen_at", "-pk")


def backfill_weeks(source: Source) -> QuerySet[BackfillWeek]:
    """The weeks of a source's backfill, oldest first."""
    return BackfillWeek.objects.filter(source=source).order_by("start_hour")


def first_reading_reaches(source: Source, start_hour: int, end_hour: int) -> bool:
    """Whether hours of [start_hour, end_hour) are in a week whose first try is still to come or
    under way. Of a source that is paused or has a problem, none is."""
    if source.paused or source.problem:
        return False
    waiting = BackfillWeek.objects.filter(
        source=source,
        state__in=[BackfillWeek.State.QUEUED, BackfillWeek.State.RUNNING],
        tries__lte=1,
        note="",
    )
    return waiting.filter(start_hour__lt=end_hour, end_hour__gt=start_hour).exists()


def week_by_id(week_id: int) -> BackfillWeek | None:
    """The week of that id with its source, unless it is gone."""
    return BackfillWeek.objects.select_related("source").filter(pk=week_id).first()


def list_projects(source_ids: Iterable[int]) -> QuerySet[Project]:
    """Named projects with `series_count`, by name."""
    counted = (
        Series.objects.filter(source=OuterRef("source"), project_id=OuterRef("project_id"))
        .order_by()
        .values("project_id")
        .annotate(n=Count("pk"))
        .values("n")
    )
    return (
        Project.objects.filter(source__in=list(source_ids))
        .select_related("source")
        .annotate(series_count=Coalesce(Subquery(counted, output_field=IntegerField()), 0))
        .order_by(Coalesce(F("name"), F("project_id"), output_field=CharField()), "pk")
    )


def project_names(source_ids: Iterable[int]) -> dict[tuple[int, str], str]:
    """(source id, project id) -> name, where the provider gave one."""
    found = Project.objects.filter(source__in=list(source_ids), name__isnull=False)
    return {
        (row[0], row[1]): row[2] or row[1]
        for row in found.values_list("source_id", "project_id", "name")
    }


def api_key_names(source: Source) -> dict[str, str]:
    """API key id -> name, where the provider gave one."""
    found = ApiKeyName.objects.filter(source=source, name__isnull=False)
    return {row[0]: row[1] or row[0] for row in found.values_list("api_key_id", "name")}
