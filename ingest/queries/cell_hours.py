"""Hours of the slices of series as flat arrays: the cells in which analysis looks for causes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import psycopg
from django.db import connection

from ingest.models import Slice
from ingest.queries.series_coverage import Ints

Floats = npt.NDArray[np.float64]


class CellName(NamedTuple):
    """The dimensions of a slice; None = null, or not asked for."""

    api_key_id: str | None
    batch: bool | None
    service_tier: str | None


@dataclass(frozen=True)
class CellHours:
    """The stored hours of the slices of some series within [start_hour, end_hour).

    A cell is one slice with an hour there. NaN = not reported.
    """

    names: list[CellName]  # (m,)
    series_place: Ints  # (m,), ascending: the place of each cell's series among the ids asked for
    offsets: Ints  # (m+1,): the hours of cell i are offsets[i]:offsets[i+1]
    hour: Ints  # (M,), ascending within a cell
    requests: Floats  # (M,)
    input_tokens: Floats  # (M,)
    cached_tokens: Floats  # (M,)
    cache_write_tokens: Floats  # (M,), both retentions
    long_write_tokens: Floats  # (M,), the part that is kept for 12 hours
    uncached_tokens: Floats  # (M,)


_WRITES = "COALESCE(bucket.cache_write_30m_tokens + bucket.cache_write_12h_tokens, bucket.cache_write_tokens)"
_COUNTS = (
    "bucket.requests",
    "bucket.input_tokens",
    "bucket.cached_tokens",
    _WRITES,
    "bucket.cache_write_12h_tokens",
    "bucket.uncached_tokens",
)
# Packed columns, as for whole series.
_LOAD = f"""
SELECT string_agg(int8send(slice.series_id), ''), string_agg(int8send(slice.id), ''),
    string_agg(int8send(bucket.hour::bigint), ''),
    {", ".join(f"string_agg(float8send(COALESCE(({one})::float8, 'NaN')), '')" for one in _COUNTS)}
FROM ingest_slice slice
JOIN ingest_usagebucket bucket ON bucket.slice_id = slice.id
WHERE slice.series_id = ANY(%s::bigint[]) AND bucket.hour >= %s AND bucket.hour < %s
"""  # noqa: S608 -- built from our own names


def load_cell_hours(series_ids: Sequence[int], start_hour: int, end_hour: int) -> CellHours:
    """The hours of [start_hour, end_hour) of every slice of these series; ids are unique."""
    ids = np.asarray(series_ids, dtype=np.int64).reshape(-1)
    series_id, slice_id, hour, counts = _load(ids, start_hour, end_hour)
    by_id = np.argsort(ids)
    place = by_id[np.searchsorted(ids, series_id, sorter=by_id)] if len(ids) else series_id
    order = np.lexsort((hour, slice_id, place))
    place, slice_id = place[order], slice_id[order]
    starts = np.flatnonzero(np.diff(slice_id, prepend=-1))
    cells = slice_id[starts]
    return CellHours(
        names=_names(cells),
        series_place=place[starts],
        offsets=np.append(starts, len(order)).astype(np.int64),
        hour=hour[order],
        requests=counts[0][order],
        input_tokens=counts[1][order],
        cached_tokens=counts[2][order],
        cache_write_tokens=counts[3][order],
        long_write_tokens=counts[4][order],
        uncached_tokens=counts[5][order],
    )


def _load(ids: Ints, start_hour: int, end_hour: int) -> tuple[Ints, Ints, Ints, list[Floats]]:
    """Series, slice, hour and the counts of every bucket, in no order."""
    connection.ensure_connection()
    # Django's cursor speaks text; packed columns want the binary protocol.
    with psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(_LOAD, [ids.tolist(), start_hour, end_hour], binary=True)
        packed = [column or b"" for column in cursor.fetchone() or [b""] * (3 + len(_COUNTS))]
    series_id, slice_id, hour = (np.frombuffer(one, ">i8").astype(np.int64) for one in packed[:3])
    counts = [np.frombuffer(one, ">f8").astype(np.float64) for one in packed[3:]]
    return series_id, slice_id, hour, counts


def _names(slice_ids: Ints) -> list[CellName]:
    stored = Slice.objects.filter(pk__in=slice_ids.tolist())
    names = {
        pk: CellName(api_key_id, batch, tier)
        for pk, api_key_id, batch, tier in stored.values_list(
            "pk", "api_key_id", "batch", "service_tier"
        )
    }
    return [names[pk] for pk in slice_ids.tolist()]
