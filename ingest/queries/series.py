"""Series by source, and by their three names."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet

from ingest.models import Series


def series_of(source_ids: Iterable[int]) -> QuerySet[Series]:
    """The series of these sources, with their source."""
    return Series.objects.filter(source__in=list(source_ids)).select_related("source")


def find_series(source_slug: str, project_id: str | None, model: str | None) -> Series:
    """The series of that name; None stands for a null id. Raises Series.DoesNotExist."""
    return Series.objects.select_related("source").get(
        source__slug=source_slug,
        source__removed_at=None,
        project_id=project_id,
        model=model,
    )
