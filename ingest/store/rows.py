"""Rows of one answer: copied to a temporary table, compared with the stored ones, written."""

from __future__ import annotations

from django.db import connection

from ingest.models import COUNTS
from ingest.normalise import UsageRow
from ingest.store.slices import SliceIds, hold, slice_key

_COUNTS = ", ".join(COUNTS)
_FIRST_COUNT = UsageRow._fields.index(COUNTS[0])
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
_COPY = f"COPY usage_incoming (slice_id, hour, {_COUNTS}) FROM STDIN (FORMAT binary)"

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
_SLICES = "SELECT DISTINCT slice_id FROM usage_change WHERE NOT is_removed"
_COUNT = """
SELECT count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE NOT is_new AND NOT is_removed),
    count(*) FILTER (WHERE is_removed), min(hour), max(hour)
FROM usage_change
"""


def copy_incoming(usage_rows: list[UsageRow], slice_ids: SliceIds) -> None:
    """Put the rows of one answer into the temporary table usage_incoming.

    Raises ValueError where two rows are one bucket: adding up is the normaliser's task.
    """
    seen: set[tuple[int, int]] = set()
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        with cursor.copy(_COPY) as copy:
            copy.set_types(["int4", "int4", *["int8"] * len(COUNTS)])
            for row in usage_rows:
                bucket = (slice_ids[slice_key(row)], row.hour)
                if bucket in seen:
                    raise ValueError(f"two rows for one bucket: hour {row.hour}, {slice_key(row)}")
                seen.add(bucket)
                copy.write_row(bucket + row[_FIRST_COUNT : _FIRST_COUNT + len(COUNTS)])
        cursor.execute("ANALYZE usage_incoming")


def diff(source_id: int, covered: list[int], partly: list[int], label: str) -> None:
    """Fill the temporary table usage_change: new, changed and removed rows.

    `label` is the grouping of the answer. Partly read hours lose only rows of another grouping,
    of the series that the answer holds in that hour.
    """
    hours = covered + partly
    if not hours:
        return
    values: dict[str, int | str | list[int]] = {
        "source": source_id,
        "first": min(hours),
        "last": max(hours),
        "hours": hours,
        "partly": partly,
        "label": label,
    }
    with connection.cursor() as cursor:
        cursor.execute(_DIFF, values)
        cursor.execute("ANALYZE usage_change")


def apply_changes() -> tuple[int, int, int]:
    """Write usage_change into the buckets: how many rows are new, changed, removed."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT)
        new, changed, removed, first, last = cursor.fetchone()
        if removed:
            cursor.execute(_REMOVE, [first, last])
        if new or changed:
            cursor.execute(_SLICES)
            hold([row[0] for row in cursor.fetchall()])
            cursor.execute(_UPSERT)
    return new, changed, removed
