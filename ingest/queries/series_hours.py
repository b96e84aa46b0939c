"""Hours of many series as flat arrays, the form that analysis takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import psycopg
from django.db import connection

from ingest.models import SERIES_TOTALS, WRITES_TOTAL, Series, SourceHour
from ingest.queries.coverage import settled_when_read

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class SeriesHours:
    """The stored hours of some series within [start_hour, end_hour).

    Only hours with a stored row are here. NaN = not reported. An hour of a series without a row
    had no traffic where `hour_is_read` says that the source was read, and is unknown elsewhere.
    """

    start_hour: int
    end_hour: int
    series_id: Ints  # (n,), in the order asked for
    source_row: Ints  # (n,): the series' row of hour_is_read
    offsets: Ints  # (n+1,): the hours of series i are offsets[i]:offsets[i+1]
    hour: Ints  # (N,), ascending within a series; whole UTC hours since the epoch
    requests: Floats  # (N,)
    input_tokens: Floats  # (N,)
    cached_tokens: Floats  # (N,); NaN where a slice with input does not report it
    cache_write_tokens: Floats  # (N,); likewise
    # (N,): a row of the hour could not be placed, and may be one of this series. Such an hour was
    # never read whole: neither is it settled, nor does the hour after it know the hour before.
    is_partly_read: Flags
    is_settled: Flags  # (N,): the hour was read whole, and was settled when last read
    known_before: Flags  # (N,): the hour before it was read whole
    source_ids: Ints  # (m,)
    hour_is_read: Flags  # (m, end_hour - start_hour + 1); column 0 is start_hour - 1


_COLUMNS = ("requests", "input_tokens", "cached_tokens", "cache_write_tokens")
# One row of packed columns: a Python object per value would cost more than the query. Sorted in
# numpy, as no plan promises an order inside an aggregate.
_LOAD = f"""
SELECT string_agg(int8send(series_id), ''), string_agg(int8send(hour), ''),
    {", ".join(f"string_agg(float8send(COALESCE({name}, 'NaN')), '')" for name in _COLUMNS)}
FROM (
    SELECT slice.series_id, bucket.hour::bigint AS hour,
        {SERIES_TOTALS["requests"]} AS requests,
        {SERIES_TOTALS["input_tokens"]} AS input_tokens,
        {SERIES_TOTALS["cached_tokens"]} AS cached_tokens,
        {WRITES_TOTAL} AS cache_write_tokens
    FROM ingest_slice slice
    JOIN ingest_usagebucket bucket ON bucket.slice_id = slice.id
    WHERE slice.series_id = ANY(%s::bigint[]) AND bucket.hour >= %s AND bucket.hour < %s
    GROUP BY slice.series_id, bucket.hour
) hours
"""  # noqa: S608 -- built from our own names


def load_series_hours(series_ids: Sequence[int], start_hour: int, end_hour: int) -> SeriesHours:
    """The hours of [start_hour, end_hour) of these series, slices added up; unknown ids have none.

    A series may be asked for once only: ids are unique.
    """
    ids = np.asarray(series_ids, dtype=np.int64).reshape(-1)
    sources, source_of = _sources_of(ids)
    read, settled = _coverage(sources, start_hour - 1, end_hour)
    place, hour, counts = _load(ids, start_hour, end_hour)
    row, column = source_of[place], hour - start_hour + 1
    return SeriesHours(
        start_hour=start_hour,
        end_hour=end_hour,
        series_id=ids,
        source_row=source_of,
        offsets=np.searchsorted(place, np.arange(len(ids) + 1)).astype(np.int64),
        hour=hour,
        requests=counts[0],
        input_tokens=counts[1],
        cached_tokens=counts[2],
        cache_write_tokens=counts[3],
        is_partly_read=~read[row, column],
        is_settled=settled[row, column],
        known_before=read[row, column - 1],
        source_ids=sources,
        hour_is_read=read,
    )


def _load(ids: Ints, start_hour: int, end_hour: int) -> tuple[Ints, Ints, list[Floats]]:
    """Place of the series in `ids`, hour, and the four counts, sorted by place and hour."""
    connection.ensure_connection()
    # Django's cursor speaks text; packed columns want the binary protocol.
    with psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(_LOAD, [ids.tolist(), start_hour, end_hour], binary=True)
        packed = [column or b"" for column in cursor.fetchone() or [b""] * 6]
    series_id, hour = (np.frombuffer(column, ">i8").astype(np.int64) for column in packed[:2])
    by_id = np.argsort(ids)
    place = by_id[np.searchsorted(ids, series_id, sorter=by_id)] if len(ids) else series_id
    order = np.lexsort((hour, place))
    counts = [np.frombuffer(column, ">f8").astype(np.float64)[order] for column in packed[2:]]
    return place[order], hour[order], counts


def _sources_of(ids: Ints) -> tuple[Ints, Ints]:
    """The distinct sources, and for each series the place of its source among them."""
    stored = Series.objects.filter(pk__in=ids.tolist())
    source_id = dict(stored.values_list("pk", "source_id"))
    of_series = np.array([source_id.get(pk, 0) for pk in ids.tolist()], dtype=np.int64)
    sources, place = np.unique(of_series, return_inverse=True)
    return sources, place.astype(np.int64)


def _coverage(sources: Ints, first_hour: int, end_hour: int) -> tuple[Flags, Flags]:
    """Two tables (m, end_hour - first_hour): was the hour read whole, and was it settled then."""
    read = np.zeros((len(sources), end_hour - first_hour), dtype=np.bool_)
    settled = read.copy()
    found = SourceHour.objects.filter(
        source__in=sources.tolist(), hour__gte=first_hour, hour__lt=end_hour
    ).values_list("source_id", "hour", "fetched_at", "source__settle_minutes")
    row_of = {source_id: row for row, source_id in enumerate(sources.tolist())}
    for source_id, hour, fetched_at, settle_minutes in found.iterator(chunk_size=10_000):
        cell = row_of[source_id], hour - first_hour
        read[cell] = True
        settled[cell] = settled_when_read(hour, fetched_at, settle_minutes)
    return read, settled
