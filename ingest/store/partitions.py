"""Partitions of the bucket table: ranges of one width, made when first written to."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, transaction

# Four weeks: a year of history is 13 partitions, and the verdict window touches one or two.
PARTITION_HOURS = 672
# Any fixed number that no other advisory lock of the product uses.
_PARTITION_LOCK = 0x63770001


# Asked of the catalogue's tables: to_regclass() may answer from a cache that is not renewed
# between the wait for the lock and the next look.
_PARTITIONS = """
SELECT child.relname FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
WHERE inhparent = 'ingest_usagebucket'::regclass
"""


def ensure_partitions(hours: Iterable[int]) -> None:
    """Make the partitions that hold these hours, where they do not exist. Safe beside itself.

    Attached rather than created in place: CREATE ... PARTITION OF would wait for every reader of
    the table and hold up all that come after.
    """
    starts = sorted({hour // PARTITION_HOURS * PARTITION_HOURS for hour in hours})
    if not _missing(starts):
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_PARTITION_LOCK])
        for start in _missing(starts):
            _create(start)


def _missing(starts: list[int]) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(_PARTITIONS)
        existing = {row[0] for row in cursor.fetchall()}
    return [start for start in starts if _name(start) not in existing]


def _create(start: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {_name(start)} (LIKE ingest_usagebucket INCLUDING ALL)")
        cursor.execute(
            f"ALTER TABLE ingest_usagebucket ATTACH PARTITION {_name(start)}"
            " FOR VALUES FROM (%s) TO (%s)",
            [start, start + PARTITION_HOURS],
        )


def _name(start: int) -> str:
    return f"ingest_usagebucket_h{start}"
