"""Dimensions of usage rows -> series and slices, made where missing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db import connection

from ingest.models import Series, Slice
from ingest.usage_rows import Dimensions

SeriesKey = tuple[str | None, str | None]  # project_id, model
SliceIds = dict[Dimensions, int]

_NEW_SERIES = """
INSERT INTO ingest_series (source_id, project_id, model, data_version)
SELECT %s, project_id, model, 0 FROM unnest(%s::text[], %s::text[]) AS wanted (project_id, model)
ON CONFLICT DO NOTHING
"""
_NEW_SLICES = """
INSERT INTO ingest_slice (series_id, grouping, api_key_id, service_tier, batch)
SELECT series_id, %s, api_key_id, service_tier, batch
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::boolean[])
    AS wanted (series_id, api_key_id, service_tier, batch)
ON CONFLICT DO NOTHING
"""
# Each once, however many rows it has: see UsageBucket.slice.
_HOLD = """
SELECT count(*) FROM (SELECT FROM ingest_slice WHERE id = ANY(%s) FOR KEY SHARE) held
"""


def resolve_slices(source_id: int, dimensions: Iterable[Dimensions], label: str) -> SliceIds:
    """The slice ids of these dimensions under one grouping; missing ones are made."""
    # Sorted: two writers inserting in different orders would deadlock.
    wanted = sorted(set(dimensions), key=repr)
    known = _stored_slices(source_id, label)
    missing = [key for key in wanted if key not in known]
    if missing:
        _make_slices(source_id, missing, label)
        known = _stored_slices(source_id, label)
    return {key: known[key] for key in wanted}


def hold(slice_ids: Collection[int]) -> None:
    """Let nobody delete these slices before the end of the transaction; ids are unique.

    To be called before buckets of theirs are written. Raises Slice.DoesNotExist where some are
    deleted already.
    """
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [list(slice_ids)])
        (held,) = cursor.fetchone()
    if held < len(slice_ids):
        raise Slice.DoesNotExist(
            f"{len(slice_ids) - held} of {len(slice_ids)} slices were deleted while their buckets "
            "were written; nothing of the answer is stored: read its hours again"
        )


def _stored_slices(source_id: int, label: str) -> SliceIds:
    found = Slice.objects.filter(series__source_id=source_id, grouping=label).values_list(
        "series__project_id", "series__model", "api_key_id", "service_tier", "batch", "id"
    )
    return {row[:5]: row[5] for row in found.iterator(chunk_size=10_000)}


def _make_slices(source_id: int, missing: list[Dimensions], label: str) -> None:
    series = _resolve_series(source_id, [key[:2] for key in missing])
    columns: list[list[Any]] = [
        [series[key[:2]] for key in missing],
        *([key[place] for key in missing] for place in (2, 3, 4)),
    ]
    with connection.cursor() as cursor:
        cursor.execute(_NEW_SLICES, [label, *columns])


def _resolve_series(source_id: int, keys: list[SeriesKey]) -> dict[SeriesKey, int]:
    wanted = list(dict.fromkeys(keys))
    with connection.cursor() as cursor:
        cursor.execute(
            _NEW_SERIES, [source_id, [key[0] for key in wanted], [key[1] for key in wanted]]
        )
    found = Series.objects.filter(source_id=source_id).values_list("project_id", "model", "id")
    return {row[:2]: row[2] for row in found.iterator(chunk_size=10_000)}
