"""Deleting series with their buckets, some at a time."""

from __future__ import annotations

from django.db import connection, transaction

from ingest.models import Series

_DELETE_BUCKETS = """
DELETE FROM ingest_usagebucket bucket USING ingest_slice slice
WHERE slice.id = bucket.slice_id AND slice.series_id = ANY(%s)
"""


def delete_some_series(source_id: int, most: int) -> bool:
    """Delete at most so many series of a source, in one transaction. False where none was left."""
    batch = list(
        Series.objects.filter(source_id=source_id)
        .order_by("pk")
        .values_list("pk", flat=True)[:most]
    )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_DELETE_BUCKETS, [batch])
        Series.objects.filter(pk__in=batch).delete()
    return bool(batch)
