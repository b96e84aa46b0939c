"""Deleting series with all that was stored of them, some at a time."""

from __future__ import annotations

from django.db import transaction

from ingest.models import Series


def delete_some_series(source_id: int, most: int) -> bool:
    """Delete at most so many series of a source, in one transaction. False where none was left.

    Their buckets go with their slices, in the database (see UsageBucket.slice).
    """
    batch = list(
        Series.objects.filter(source_id=source_id)
        .order_by("pk")
        .values_list("pk", flat=True)[:most]
    )
    with transaction.atomic():
        Series.objects.filter(pk__in=batch).delete()
    return bool(batch)
