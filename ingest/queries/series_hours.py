"""Hours of many series as flat arrays, the form that analysis takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import psycopg
from django.db import connection

from ingest.models import SERIES_TOTALS, WRITES_TOTAL
from ingest.queries.cell_hours import CellHours, Floats
from ingest.queries.series_coverage import Flags, Ints, series_coverage


@dataclass(frozen=True)
class SeriesHours:
    """The stored hours of some series within [start_hour, end_hour).

    Only hours with a stored row are here. NaN = not reported. An hour of a series without a row
    had no traffic where `hour_is_known` says so, and is unknown elsewhere.
    """

    start_hour: int
    end_hour: int
    series_id: Ints  # (n,), in the order asked for
    offsets: Ints  # (n+1,): the hours of series i are offsets[i]:offsets[i+1]
    hour: Ints  # (N,), ascending within a series; whole UTC hours since the epoch
    requests: Floats  # (N,)
    input_tokens: Floats  # (N,)
    cached_tokens: Floats  # (N,); NaN where a slice with input does not report it
    cache_write_tokens: Floats  # (N,); likewise
    # (N,): a row of the hour could not be placed, and may be one of this series.
    is_partly_read: Flags
    is_settled: Flags  # (N,): all of the series was read, and the hour was settled when last read
    known_before: Flags  # (N,): all of the series was read in the hour before it
    # (n, end_hour - start_hour + 1): all of the series was read; column 0 is start_hour - 1
    hour_is_known: Flags
    # Likewise: read, but for a row that may be one of the series; such an hour is not known.
    hour_is_in_part: Flags
    partly_read_hours: Ints  # (n,): how many hours are known only in part, with a row or without


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


def load_series_hours(
    series_ids: Sequence[int], start_hour: int, end_hour: int, cells: CellHours | None = None
) -> SeriesHours:
    """The hours of [start_hour, end_hour) of these series, slices added up; unknown ids have none.

    A series may be asked for once only: ids are unique. `cells`: of the same series and hours,
    where they are read already; nothing but the coverage is read then.
    """
    ids = np.asarray(series_ids, dtype=np.int64).reshape(-1)
    coverage = series_coverage(ids, start_hour - 1, end_hour)
    place, hour, counts = _load(ids, start_hour, end_hour) if cells is None else _totals(cells)
    at, before = (place, hour - start_hour + 1), (place, hour - start_hour)
    known = coverage.known
    return SeriesHours(
        start_hour=start_hour,
        end_hour=end_hour,
        series_id=ids,
        offsets=np.searchsorted(place, np.arange(len(ids) + 1)).astype(np.int64),
        hour=hour,
        requests=counts[0],
        input_tokens=counts[1],
        cached_tokens=counts[2],
        cache_write_tokens=counts[3],
        is_partly_read=~known[at],
        is_settled=known[at] & coverage.settled[at],
        known_before=known[before],
        hour_is_known=known,
        hour_is_in_part=coverage.doubtful,
        partly_read_hours=coverage.doubtful[:, 1:].sum(axis=1, dtype=np.int64),
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


def _totals(cells: CellHours) -> tuple[Ints, Ints, list[Floats]]:
    """As _load(), from the cells of the series; added up by the rules of SERIES_TOTALS."""
    place = np.repeat(cells.series_place, np.diff(cells.offsets))
    order = np.lexsort((cells.hour, place))
    place, hour = place[order], cells.hour[order]
    starts = np.flatnonzero((np.diff(place, prepend=-1) != 0) | (np.diff(hour, prepend=-1) != 0))
    no_input = cells.input_tokens[order] == 0
    if not len(starts):
        return place, hour, [np.empty(0)] * len(_COLUMNS)
    sums = [
        np.add.reduceat(values[order], starts) for values in (cells.requests, cells.input_tokens)
    ]
    for values in (cells.cached_tokens[order], cells.cache_write_tokens[order]):
        # A slice without input has nothing to report; what no slice reports is unknown.
        nothing = np.isnan(values) & no_input
        total = np.add.reduceat(np.where(nothing, 0.0, values), starts)
        sums.append(np.where(np.logical_and.reduceat(nothing, starts), np.nan, total))
    return place[starts], hour[starts], sums
