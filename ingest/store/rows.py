"""Rows of one answer: written where nothing is stored, else compared with what is, and written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from django.db import connection

from ingest.models import COUNTS
from ingest.store.binary_copy import blocks
from ingest.store.slices import hold, resolve_slices
from ingest.usage_rows import NOT_REPORTED, Ints, UsageColumns

_COUNTS = ", ".join(COUNTS)
_TYPED = ", ".join(f"{name} bigint" for name in COUNTS)

# Emptied at commit and reused, so that a store leaves nothing behind in the catalogue.
_TABLES = f"""
CREATE TEMP TABLE IF NOT EXISTS usage_incoming (slice_id integer, hour integer, {_TYPED})
    ON COMMIT DELETE ROWS;
CREATE TEMP TABLE IF NOT EXISTS usage_change
    (slice_id integer, hour integer, is_new boolean, is_removed boolean, {_TYPED})
    ON COMMIT DELETE ROWS;
TRUNCATE usage_incoming, usage_change;
"""
_COPY = f"COPY {{}} (slice_id, hour, {_COUNTS}) FROM STDIN (FORMAT binary)"
# LIMIT 1 makes it look into the index once for each slice, however much is stored of other hours.
_IS_NEW_GROUND = """
SELECT CASE WHEN EXISTS (
    SELECT FROM ingest_sourcehour WHERE source_id = %(source)s AND hour = ANY(%(hours)s)
) THEN false ELSE NOT EXISTS (
    SELECT FROM ingest_series series
    JOIN ingest_slice slice ON slice.series_id = series.id
    CROSS JOIN LATERAL (
        SELECT FROM ingest_usagebucket bucket
        WHERE bucket.slice_id = slice.id AND bucket.hour BETWEEN %(first)s AND %(last)s LIMIT 1
    ) stored
    WHERE series.source_id = %(source)s
) END
"""

# The diff first: an upsert of unchanged rows would still lock, and log, every one of them.
# In a partly read hour an absent row may be the one that could not be placed. A row of another
# grouping is not absent there: the series' rows of this grouping are the same usage, cut anew.
_DIFF = f"""
WITH stored AS (
    SELECT bucket.*, slice.series_id, slice.grouping FROM ingest_usagebucket bucket
    JOIN ingest_slice slice ON slice.id = bucket.slice_id
    JOIN ingest_series series ON series.id = slice.series_id
    WHERE series.source_id = %(source)s
        AND bucket.hour BETWEEN %(first)s AND %(last)s AND bucket.hour = ANY(%(hours)s)
), cut_anew AS (
    SELECT slice.series_id, incoming.hour FROM usage_incoming incoming
    JOIN ingest_slice slice ON slice.id = incoming.slice_id
    WHERE incoming.hour = ANY(%(partly)s)
)
INSERT INTO usage_change
SELECT slice_id, hour, stored.slice_id IS NULL, incoming.slice_id IS NULL,
    {", ".join(f"incoming.{name}" for name in COUNTS)}
FROM usage_incoming incoming FULL JOIN stored USING (slice_id, hour)
WHERE stored.slice_id IS NULL
    OR incoming.slice_id IS NULL AND (
        hour <> ALL(%(partly)s)
        OR stored.grouping <> %(label)s
            AND (stored.series_id, hour) IN (SELECT series_id, hour FROM cut_anew)
    )
    OR incoming.slice_id IS NOT NULL
        AND ({", ".join(f"incoming.{name}" for name in COUNTS)})
        IS DISTINCT FROM ({", ".join(f"stored.{name}" for name in COUNTS)})
"""  # noqa: S608 -- built from the names in COUNTS
_REMOVE = """
DELETE FROM ingest_usagebucket bucket USING usage_change change
WHERE change.is_removed AND bucket.slice_id = change.slice_id AND bucket.hour = change.hour
    AND bucket.hour BETWEEN %s AND %s
"""
_UPSERT = f"""
INSERT INTO ingest_usagebucket (slice_id, hour, {_COUNTS})
SELECT slice_id, hour, {_COUNTS} FROM usage_change WHERE NOT is_removed ORDER BY slice_id, hour
ON CONFLICT (slice_id, hour) DO UPDATE
SET {", ".join(f"{name} = EXCLUDED.{name}" for name in COUNTS)}
"""  # noqa: S608 -- built from the names in COUNTS
_BY_SLICE = """
SELECT slice_id, count(*) FILTER (WHERE is_new),
    count(*) FILTER (WHERE NOT is_new AND NOT is_removed), count(*) FILTER (WHERE is_removed),
    min(hour) FILTER (WHERE NOT is_removed), max(hour) FILTER (WHERE NOT is_removed),
    min(hour), max(hour)
FROM usage_change GROUP BY slice_id
"""


class Incoming(NamedTuple):
    """The rows of one answer, sorted by slice and hour; no two are one bucket."""

    slice_id: Ints  # shape (N,)
    hour: Ints  # shape (N,)
    counts: Ints  # shape (N, 8), in the order of COUNTS; NOT_REPORTED where unknown

    def of(self, hours: Sequence[int]) -> Incoming:
        """The rows of these hours."""
        chosen = np.isin(self.hour, hours)
        return Incoming(self.slice_id[chosen], self.hour[chosen], self.counts[chosen])


class SliceChange(NamedTuple):
    """How many rows of a slice are new, changed and removed, and the hours of the first two."""

    slice_id: int
    new: int
    changed: int
    removed: int
    first_hour: int | None
    last_hour: int | None


def incoming(source_id: int, columns: UsageColumns, label: str) -> Incoming:
    """The rows with their slices, which are made where missing.

    Raises ValueError where two rows are one bucket: adding up is the normaliser's task.
    """
    used = np.flatnonzero(np.bincount(columns.code, minlength=len(columns.dimensions)))
    named = {code: columns.dimensions[code] for code in used.tolist()}
    ids = resolve_slices(source_id, named.values(), label)
    id_of_code = np.zeros(len(columns.dimensions), np.int64)
    id_of_code[used] = [ids[dimensions] for dimensions in named.values()]
    slice_id = id_of_code[columns.code]
    bucket = (slice_id << 32) + columns.hour
    order = np.argsort(bucket, kind="stable")
    twice = np.flatnonzero(np.diff(bucket[order]) == 0)
    if len(twice):
        row = order[twice[0]]
        raise ValueError(
            f"two rows for one bucket: hour {columns.hour[row]}, {named[int(columns.code[row])]}"
        )
    return Incoming(slice_id[order], columns.hour[order], columns.counts[order])


def is_new_ground(source_id: int, hours: Sequence[int]) -> bool:
    """Whether none of these hours was read whole, and nothing is stored from first to last."""
    if not hours:
        return False
    values: dict[str, int | list[int]] = {
        "source": source_id,
        "hours": list(hours),
        "first": min(hours),
        "last": max(hours),
    }
    with connection.cursor() as cursor:
        cursor.execute(_IS_NEW_GROUND, values)
        return bool(cursor.fetchone()[0])


def write_new(rows: Incoming) -> list[SliceChange]:
    """Write rows that nothing is stored in the place of (see is_new_ground)."""
    slice_ids, first, count = np.unique(rows.slice_id, return_index=True, return_counts=True)
    hold(slice_ids.tolist())
    _copy(rows, "ingest_usagebucket")
    columns = (slice_ids, count, rows.hour[first], rows.hour[first + count - 1])
    return [
        SliceChange(slice_id, new, 0, 0, first_hour, last_hour)
        for slice_id, new, first_hour, last_hour in zip(
            *map(np.ndarray.tolist, columns), strict=True
        )
    ]


def diff(source_id: int, rows: Incoming, covered: list[int], partly: list[int], label: str) -> bool:
    """Fill the temporary table usage_change: new, changed and removed rows. False for none.

    `label` is the grouping of the answer. Partly read hours lose only rows of another grouping,
    of the series that the answer holds in that hour.
    """
    hours = covered + partly
    if not hours:
        return False
    values: dict[str, int | str | list[int]] = {
        "source": source_id,
        "first": min(hours),
        "last": max(hours),
        "hours": hours,
        "partly": partly,
        "label": label,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        _copy(rows, "usage_incoming")
        cursor.execute("ANALYZE usage_incoming")
        cursor.execute(_DIFF, values)
        if not cursor.rowcount:
            return False
        cursor.execute("ANALYZE usage_change")
    return True


def apply_changes() -> list[SliceChange]:
    """Write usage_change into the buckets."""
    with connection.cursor() as cursor:
        cursor.execute(_BY_SLICE)
        found = cursor.fetchall()
        changes = [SliceChange(*row[:6]) for row in found]
        if any(change.removed for change in changes):
            cursor.execute(_REMOVE, [min(row[6] for row in found), max(row[7] for row in found)])
        written = [change.slice_id for change in changes if change.first_hour is not None]
        if written:
            hold(written)
            cursor.execute(_UPSERT)
    return changes


def _copy(rows: Incoming, table: str) -> None:
    keys = np.column_stack([rows.slice_id, rows.hour])
    with connection.cursor() as cursor, cursor.copy(_COPY.format(table)) as copy:
        for block in blocks(keys, rows.counts, NOT_REPORTED):
            copy.write(block)
