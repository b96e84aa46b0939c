"""Buckets of version 0.4.0 keep every number when slice ids become smaller, also after a kill."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from ingest.models import COUNTS, Source, UsageBucket
from ingest.store import store_usage
from ingest.store.partitions import PARTITION_HOURS, ensure_partitions
from tests.factories import GROUPING, HOUR, at, hourly_usage, usage_row

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(120)]
BEFORE = "0007_pushed_hour_versions"
HOURS = (HOUR, HOUR + 1, HOUR + PARTITION_HOURS, HOUR + 5 * PARTITION_HOURS)
PATIENCE_S = 60.0
_TYPES = """
SELECT attrelid::regclass::text, atttypid::regtype::text FROM pg_attribute
WHERE (attname = 'slice_id' AND attrelid IN (
        SELECT relid FROM pg_partition_tree('ingest_usagebucket')))
    OR (attname = 'id' AND attrelid = 'ingest_slice'::regclass)
"""
_FOREIGN_KEYS = """
SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND confrelid = 'ingest_slice'::regclass
"""
_WAITING = """
SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'ingest_slice'::regclass
"""


@pytest.fixture
def stored(source: Source) -> Iterator[list[tuple[Any, ...]]]:
    """Rows in three partitions as version 0.4.0 kept them; the newest schema afterwards."""
    migrate(BEFORE)
    yield fill(source)
    migrate()


def migrate(name: str | None = None) -> None:
    """To the migration of this name, forwards or backwards; to the newest if None."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes("ingest")
    executor.migrate(newest if name is None else [("ingest", name)])


def fill(source: Source) -> list[tuple[Any, ...]]:
    ensure_partitions(HOURS)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ingest_series (source_id, project_id, model, data_version)"
            " VALUES (%s, 'proj_a', 'gpt-5.4', 1) RETURNING id",
            [source.pk],
        )
        (series,) = cursor.fetchone()
        cursor.execute(
            "INSERT INTO ingest_slice (series_id, grouping, api_key_id, service_tier, batch)"
            " SELECT %s, 'api_key_id,batch,service_tier', 'key_' || n, 'default', false"
            " FROM generate_series(1, 3) n",
            [series],
        )
        cursor.execute(
            "INSERT INTO ingest_usagebucket (slice_id, hour, requests, input_tokens, cached_tokens)"
            " SELECT id, hour, id, 2^53::bigint + hour, NULL"
            " FROM ingest_slice, unnest(%s) hour",
            [list(HOURS)],
        )
    return rows()


def rows() -> list[tuple[Any, ...]]:
    columns = ("slice_id", "hour", *COUNTS)
    return list(UsageBucket.objects.order_by("slice_id", "hour").values_list(*columns))


def asked(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def types() -> set[str]:
    return {row[1] for row in asked(_TYPES)}


def test_stored_rows_come_through_both_ways_and_take_new_ones(
    source: Source, stored: list[tuple[Any, ...]]
) -> None:
    assert len(stored) == 12
    assert (types(), asked(_FOREIGN_KEYS)[0][0] > 0) == ({"bigint"}, True)
    migrate()
    assert (types(), asked(_FOREIGN_KEYS)) == ({"integer"}, [(0,)])
    assert rows() == stored
    new = [usage_row(HOUR + hour, api_key_id="key_9") for hour in (2, 2 * PARTITION_HOURS)]
    store_usage(source, hourly_usage(new), run=None, grouping=GROUPING, now=at(HOUR + 9_000))
    assert UsageBucket.objects.count() == 14
    migrate(BEFORE)
    assert (types(), UsageBucket.objects.count()) == ({"bigint"}, 14)


def test_a_migration_that_is_ended_midway_has_changed_nothing_and_runs_again(
    stored: list[tuple[Any, ...]],
) -> None:
    with ThreadPoolExecutor(1) as pool:
        with connection.cursor() as cursor:
            cursor.execute("BEGIN")
            cursor.execute("SELECT count(*) FROM ingest_slice")
            running = pool.submit(_migrate_and_close)
            cursor.execute("SELECT pg_terminate_backend(%s)", [_who_waits()])
            cursor.execute("COMMIT")
        assert isinstance(running.exception(PATIENCE_S), DatabaseError)
    assert (types(), rows()) == ({"bigint"}, stored)
    migrate()
    assert (types(), rows()) == ({"integer"}, stored)


def test_an_id_that_does_not_fit_is_refused_and_nothing_is_changed(
    stored: list[tuple[Any, ...]],
) -> None:
    del stored
    asked(
        f"INSERT INTO ingest_slice (id, series_id, grouping) SELECT {2**31}, id, '' FROM ingest_series"
        " RETURNING 1"
    )
    with pytest.raises(DatabaseError, match="out of range"):
        migrate()
    assert types() == {"bigint"}
    asked(f"DELETE FROM ingest_slice WHERE id = {2**31} RETURNING 1")


def _migrate_and_close() -> None:
    try:
        migrate()
    finally:
        connection.close()


def _who_waits() -> int:
    deadline = time.monotonic() + PATIENCE_S
    while not (waiting := asked(_WAITING)):
        assert time.monotonic() < deadline, "the migration does not wait"
        time.sleep(0.01)
    return int(waiting[0][0])
