"""Buckets go with their slice, though no foreign key holds them: no bucket is left without one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from ingest.models import Series, Slice, Source, SourceHour, UsageBucket
from ingest.store import store_usage
from ingest.store.deletion import delete_some_series
from tests.factories import GROUPING, HOUR, at, hourly_usage, make_source, usage_row

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_S = 30.0
_ORPHANS = """
SELECT count(*) FROM ingest_usagebucket bucket
WHERE NOT EXISTS (SELECT FROM ingest_slice slice WHERE slice.id = bucket.slice_id)
"""
# pg_stat_activity is seen as of the first look in a transaction; this is not.
_WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"


def orphans() -> int:
    return asked(_ORPHANS)


def asked(query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])


def store(source: Source, first: int = HOUR, hours: int = 4, requests: int = 10) -> None:
    rows = [
        usage_row(first + hour, project_id=project, requests=requests)
        for hour in range(hours)
        for project in ("a", "b", "c")
    ]
    store_usage(source, hourly_usage(rows), run=None, grouping=GROUPING, now=at(first + 99))


def beside(pool: ThreadPoolExecutor, work: Callable[[], object]) -> Future[object]:
    """Run it in a thread of its own, with a connection of its own."""

    def run() -> object:
        try:
            return work()
        finally:
            connection.close()

    return pool.submit(run)


def wait_for_a_lock() -> None:
    """Until a session of this database waits for a lock."""
    deadline = time.monotonic() + PATIENCE_S
    while not asked(_WAITING):
        assert time.monotonic() < deadline, "nobody waits"
        time.sleep(0.01)


def test_buckets_go_with_their_series_and_those_of_others_stay() -> None:
    gone, kept = make_source("gone"), make_source("kept")
    store(gone)
    store(kept)
    assert delete_some_series(gone.pk, 2)
    assert UsageBucket.objects.count() == 12 + 4
    assert delete_some_series(gone.pk, 2)
    assert not delete_some_series(gone.pk, 2)
    assert set(UsageBucket.objects.values_list("slice__series__source", flat=True)) == {kept.pk}
    assert (UsageBucket.objects.count(), orphans()) == (12, 0)


def test_buckets_go_with_a_slice_however_it_is_deleted(source: Source) -> None:
    store(source)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM ingest_slice WHERE id = (SELECT min(id) FROM ingest_slice)")
    assert (UsageBucket.objects.count(), orphans()) == (8, 0)


@pytest.mark.parametrize("first", [HOUR, HOUR + 50], ids=["the same hours", "new hours"])
def test_who_deletes_slices_waits_for_a_store_and_takes_what_it_wrote(
    source: Source, first: int
) -> None:
    store(source)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            store(source, first, requests=11)
            deletion = beside(pool, lambda: delete_some_series(source.pk, 9))
            wait_for_a_lock()
        deletion.result(PATIENCE_S)
    assert (Series.objects.count(), Slice.objects.count()) == (0, 0)
    assert (UsageBucket.objects.count(), orphans()) == (0, 0)


@pytest.mark.parametrize("first", [HOUR, HOUR + 50], ids=["the same hours", "new hours"])
def test_a_store_whose_slices_are_deleted_meanwhile_stores_nothing(
    source: Source, first: int
) -> None:
    store(source)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("DELETE FROM ingest_slice")
            storing = beside(pool, lambda: store(source, first, requests=11))
            wait_for_a_lock()
        with pytest.raises(Slice.DoesNotExist, match="3 of 3 slices were deleted"):
            storing.result(PATIENCE_S)
    assert (UsageBucket.objects.count(), orphans()) == (0, 0)
    store(source, first)
    assert UsageBucket.objects.count() == 12


def test_a_store_that_is_ended_midway_leaves_nothing(source: Source) -> None:
    store(source)
    held, ended = threading.Event(), threading.Event()

    def store_and_fall() -> None:
        with transaction.atomic():
            store(source, HOUR + 50)
            held.set()
            ended.wait(PATIENCE_S)

    with ThreadPoolExecutor(1) as pool:
        falling = beside(pool, store_and_fall)
        assert held.wait(PATIENCE_S)
        asked(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> "
            "pg_backend_pid() AND datname = current_database() AND state = 'idle in transaction'"
        )
        ended.set()
        assert falling.exception(PATIENCE_S) is not None
    assert delete_some_series(source.pk, 9)
    assert (UsageBucket.objects.count(), SourceHour.objects.count(), orphans()) == (0, 4, 0)
