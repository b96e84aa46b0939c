"""Every read of imported logs."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import F, Func, JSONField, QuerySet, Value

from cachewatch.evidence.models import EvidenceImport

# The points are most of a document, and no list shows them.
_WITHOUT_POINTS = Func(
    F("document"),
    Value("points"),
    arg_joiner=" - ",
    template="(%(expressions)s)",
    output_field=JSONField(),
)


def list_imports(
    source_ids: Collection[int], series_id: int | None = None
) -> QuerySet[EvidenceImport]:
    """Imports of these sources, the newest first, with what a row shows loaded.

    `summary` of each is its document without the points, null until read.
    """
    found = _shown().filter(source_id__in=source_ids).defer("document")
    if series_id is not None:
        found = found.filter(series_id=series_id)
    return found.order_by("-created_at", "-pk")


def import_by_id(import_id: int, source_ids: Collection[int]) -> EvidenceImport | None:
    """One import of these sources."""
    return _shown().filter(pk=import_id, source_id__in=source_ids).first()


def state_of(import_id: int, source_id: int) -> str | None:
    """How far an import is; None where there is none. Its document is not loaded."""
    found = EvidenceImport.objects.filter(pk=import_id, source_id=source_id)
    return found.values_list("state", flat=True).first()


def _shown() -> QuerySet[EvidenceImport]:
    loaded = EvidenceImport.objects.select_related("source", "series__source", "created_by")
    return loaded.annotate(summary=_WITHOUT_POINTS)
