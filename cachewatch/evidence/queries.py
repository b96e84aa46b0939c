"""Every read of imported logs."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet

from cachewatch.evidence.models import EvidenceImport


def list_imports(
    source_ids: Collection[int], series_id: int | None = None
) -> QuerySet[EvidenceImport]:
    """Imports of these sources, the newest first, with what a row shows loaded."""
    found = _shown().filter(source_id__in=source_ids)
    if series_id is not None:
        found = found.filter(series_id=series_id)
    return found.order_by("-created_at", "-pk")


def import_by_id(import_id: int, source_ids: Collection[int]) -> EvidenceImport | None:
    """One import of these sources."""
    return _shown().filter(pk=import_id, source_id__in=source_ids).first()


def _shown() -> QuerySet[EvidenceImport]:
    return EvidenceImport.objects.select_related("source", "series__source", "created_by")
