"""The steps of bench.ingest; imported once Django is set up."""

from __future__ import annotations

from datetime import datetime

import numpy as np
from django.db import connection, transaction
from django.utils import timezone

from bench.binary_copy import block
from bench.part import peak_megabytes
from bench.stored import make_source
from ingest.models import COUNTS, Source
from ingest.services import backfill_week, next_week, plan_backfill, refresh_source
from ingest.services.keys import put_key
from ingest.simulator.access import DEMO_KEY

_FORGET = """
TRUNCATE ingest_usagebucket, ingest_sourcehour, ingest_backfillweek, ingest_bucketrevision,
    ingest_ingestrun CASCADE
"""
_COUNTS = ", ".join(COUNTS)
_INCOMING = f"""
CREATE TEMP TABLE bench_incoming (slice_id integer, hour integer,
    {", ".join(f"{name} bigint" for name in COUNTS)}) ON COMMIT DROP
"""
_COPY = f"COPY bench_incoming (slice_id, hour, {_COUNTS}) FROM STDIN (FORMAT binary)"
_UPSERT = f"""
INSERT INTO bench_bucket (slice_id, hour, {_COUNTS})
SELECT slice_id, hour, {_COUNTS} FROM bench_incoming ORDER BY slice_id, hour
ON CONFLICT (slice_id, hour) DO UPDATE
SET {", ".join(f"{name} = EXCLUDED.{name}" for name in COUNTS)}
"""  # noqa: S608 -- built from the names in COUNTS
_DIFF = f"""
SELECT count(*) FROM bench_incoming incoming
LEFT JOIN ingest_usagebucket stored
    ON stored.slice_id = incoming.slice_id AND stored.hour = incoming.hour
    AND stored.hour BETWEEN %s AND %s
WHERE stored.slice_id IS NULL OR
    ({", ".join(f"incoming.{name}" for name in COUNTS)})
    IS DISTINCT FROM ({", ".join(f"stored.{name}" for name in COUNTS)})
"""  # noqa: S608 -- built from the names in COUNTS
REREAD_HOURS = 48


def source_of(base_url: str) -> Source:
    """A source that reads the served pages."""
    source = make_source("acme", base_url)
    source.kind = Source.Kind.DEMO  # which may be read from this machine
    put_key(source, DEMO_KEY)
    source.save()
    return source


class Backfill:
    """All weeks of so many days through the client and the store, as the worker's tasks do it."""

    def __init__(self, source: Source, days: int) -> None:
        self.peaks: list[int] = []
        self.now = timezone.now()
        self._source, self._days = source, days

    def forget(self) -> None:
        """As before the first read; series and slices stay known."""
        with connection.cursor() as cursor:
            cursor.execute(_FORGET)
        plan_backfill(self._source, now=self.now, days=self._days)

    def run(self) -> None:
        """Read every queued week. Raises RuntimeError where one fails."""
        while (week := next_week(self._source, now=self.now)) is not None:
            reading = backfill_week(week, now=self.now)
            if reading is None or reading.error is not None:
                raise RuntimeError(f"a week was not read: {reading and reading.error}")
            self.peaks.append(peak_megabytes())


class Bare:
    """The same rows as binary blocks, written and compared without anything else."""

    def __init__(self, source: Source) -> None:
        weeks = source.backfill_weeks.order_by("-start_hour").values_list("start_hour", "end_hour")
        self._blocks = [_stored_block(*week) for week in weeks]
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE bench_bucket (LIKE ingest_usagebucket INCLUDING ALL)")
            cursor.execute("SELECT count(*), max(hour) FROM ingest_usagebucket")
            self.rows, newest = cursor.fetchone()
        self._last_hours = (newest - REREAD_HOURS + 1, newest + 1)
        self._unchanged = _stored_block(*self._last_hours)
        self.rows_unchanged = self._count(*self._last_hours)

    def forget(self) -> None:
        """Empty the table."""
        with connection.cursor() as cursor:
            cursor.execute("TRUNCATE bench_bucket")

    def upsert(self) -> None:
        """COPY and upsert, a transaction for each week."""
        for rows in self._blocks:
            with transaction.atomic(), connection.cursor() as cursor:
                _copy_in(rows)
                cursor.execute(_UPSERT)

    def diff_unchanged(self) -> None:
        """COPY and the join that finds nothing to write."""
        with transaction.atomic(), connection.cursor() as cursor:
            _copy_in(self._unchanged)
            cursor.execute(_DIFF, [self._last_hours[0], self._last_hours[1] - 1])
            (different,) = cursor.fetchone()
        if different:
            raise RuntimeError(f"{different} rows differ from themselves")

    def _count(self, first: int, end: int) -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM ingest_usagebucket WHERE hour >= %s AND hour < %s",
                [first, end],
            )
            return int(cursor.fetchone()[0])


def read_again(source: Source, now: datetime) -> None:
    """The hourly read of the trailing 48 hours."""
    reading = refresh_source(source, now=now)
    if reading is None or reading.error is not None or reading.run.rows_changed:
        raise RuntimeError("the trailing hours were not read again unchanged")


def _copy_in(rows: bytes) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_INCOMING)
        with cursor.copy(_COPY) as copy:
            copy.write(rows)
        cursor.execute("ANALYZE bench_incoming")


def _stored_block(first: int, end: int) -> bytes:
    """The stored rows of [first, end) in the order of time, as the pages give them."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT slice_id, hour, {_COUNTS} FROM ingest_usagebucket"  # noqa: S608
            " WHERE hour >= %s AND hour < %s ORDER BY hour, slice_id",
            [first, end],
        )
        table = np.array(cursor.fetchall(), np.int64).reshape(-1, 2 + len(COUNTS))
    kinds = ["int4", "int4", *["int8"] * len(COUNTS)]
    return block([(kind, table[:, place]) for place, kind in enumerate(kinds)])
