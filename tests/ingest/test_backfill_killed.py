"""A backfill that is killed again and again ends with the history of an undisturbed one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command
from django.utils import timezone

from ingest import services
from ingest.models import BackfillWeek, IngestRun
from ingest.simulator.access import DEMO_KEY
from tests.cachewatch.embedded.conftest import remove
from tests.ingest.serving import CountedApi, api_served, database_url
from tests.product import ROOT, Product

SEED = 2026
KILLS = 20
SERIES = 3
DAYS = 120  # of traffic; the rest of the year that is asked for is idle
MOST_PAGES = 8  # between start and kill; the last hours take two, a week three
LONGEST_PAUSE_S = 0.4  # about as long as it takes to fetch and store a week
PATIENCE_S = 240.0
HISTORY = {
    "buckets": """
        SELECT series.project_id, series.model, slice.grouping, slice.api_key_id,
            slice.service_tier, slice.batch, bucket.hour, bucket.requests, bucket.input_tokens,
            bucket.cached_tokens, bucket.cache_write_tokens, bucket.cache_write_30m_tokens,
            bucket.cache_write_12h_tokens, bucket.uncached_tokens, bucket.output_tokens
        FROM ingest_usagebucket bucket JOIN ingest_slice slice ON slice.id = bucket.slice_id
        JOIN ingest_series series ON series.id = slice.series_id
        WHERE bucket.hour < %(end)s ORDER BY 1, 2, 3, 4, 5, 6, 7
    """,
    "hours": """
        SELECT hour, grouping FROM ingest_sourcehour
        WHERE hour >= %(start)s AND hour < %(end)s ORDER BY hour
    """,
    "series": "SELECT project_id, model, first_hour FROM ingest_series ORDER BY 1, 2",
    "weeks": """
        SELECT start_hour, state, note FROM ingest_backfillweek
        WHERE start_hour >= %(start)s ORDER BY start_hour
    """,
    "revisions": "SELECT count(*) FROM ingest_bucketrevision",
    "rejects": "SELECT count(*) FROM ingest_reject",
    "running": "SELECT count(*) FROM ingest_ingestrun WHERE status = 'running'",
    "counted": """
        SELECT (SELECT count(*) FROM ingest_usagebucket)
            = (SELECT sum(rows_new) - sum(rows_removed) FROM ingest_ingestrun)
    """,
}
WEEKS_LEFT = "SELECT count(*) FROM ingest_backfillweek WHERE state IN ('queued', 'running')"
WALKS_LEFT = "SELECT count(*) FROM ingest_ingestrun WHERE status = 'running'"
CUT_OFF = "SELECT count(*) FROM ingest_ingestrun WHERE status = 'interrupted' AND kind = 'backfill'"


@pytest.fixture
def served() -> Iterator[tuple[str, CountedApi]]:
    with api_served(series=SERIES, days=DAYS) as url_and_api:
        yield url_and_api


@pytest.fixture
def start(served: tuple[str, CountedApi]) -> Iterator[Callable[[str], Product]]:
    """Starts the product on a folder of the name given; it reads the simulated organization."""
    made: list[Product] = []
    folder = Path(tempfile.mkdtemp(prefix="cw-"))
    folder.chmod(0o755)  # as root, Postgres runs as another user and must get in

    def started(name: str) -> Product:
        made.append(
            Product(
                folder / name,
                OPENAI_ADMIN_KEY=DEMO_KEY,
                CACHEWATCH_USAGE_BASE_URL=served[0],
                CACHEWATCH_WORKER_CONCURRENCY="2",
            )
        )
        return made[-1]

    yield started
    for product in made:
        product.stop()
    remove(folder)


def one_number(product: Product, query: str) -> int:
    with psycopg.connect(product.database()) as database:
        row = database.execute(query.encode()).fetchone()
    assert row is not None
    return int(row[0])


def history(product: Product, end_hour: int) -> dict[str, list[tuple[object, ...]]]:
    """What is stored of the days with traffic: what lies before moves on at midnight."""
    span = {"start": end_hour - DAYS * 24, "end": end_hour}
    with psycopg.connect(product.database()) as database:
        return {
            name: database.execute(query.encode(), span).fetchall()
            for name, query in HISTORY.items()
        }


def wait_until(reached: Callable[[], bool], product: Product) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not reached():
        if product.process.poll() is not None:
            pytest.fail(f"the product ended by itself: {product.wait_for_end()}\n{product.said}")
        assert time.monotonic() < deadline, product.log("worker")[-4_000:]
        time.sleep(0.01)


def wait_for_the_whole_history(product: Product) -> None:
    for left in (WEEKS_LEFT, WALKS_LEFT):
        wait_until(lambda left=left: one_number(product, left) == 0, product)  # type: ignore[misc]


@pytest.mark.stack
@pytest.mark.timeout(1_800)
@pytest.mark.skipif(sys.platform != "linux", reason="finds the product's processes in /proc")
def test_twenty_kills_of_the_whole_product_leave_the_history_of_an_undisturbed_backfill(
    start: Callable[[str], Product], served: tuple[str, CountedApi]
) -> None:
    end_hour = int(time.time()) // 3600
    undisturbed = start("undisturbed")
    undisturbed.wait_until_open()
    wait_for_the_whole_history(undisturbed)
    expected = history(undisturbed, end_hour)
    undisturbed.stop()
    assert len(expected["buckets"]) > SERIES * DAYS * 24 * 0.99
    assert {state for _, state, _ in expected["weeks"]} == {"fetched"}
    assert (expected["counted"], expected["running"]) == ([(True,)], [(0,)])

    api, moments = served[1], random.Random(SEED)
    for nth in range(KILLS):
        product, wanted = start("disturbed"), api.calls + moments.randint(1, MOST_PAGES)
        wait_until(lambda wanted=wanted: api.calls >= wanted, product)  # type: ignore[misc]
        # Anywhere after a page: while another is fetched, while rows are stored, between weeks.
        time.sleep(moments.uniform(0, LONGEST_PAUSE_S))
        product.kill_group(each=nth % 2 == 1)
    last = start("disturbed")
    last.wait_until_open()
    assert one_number(last, WEEKS_LEFT) > 0, "the last kill came after the end of the backfill"
    wait_for_the_whole_history(last)
    assert one_number(last, CUT_OFF) >= KILLS // 4, "most kills fell between two walks"
    assert history(last, end_hour) == expected


@pytest.mark.worker
@pytest.mark.django_db(transaction=True)
def test_a_killed_command_goes_on_and_reads_no_week_twice(served: tuple[str, CountedApi]) -> None:
    source = services.add_source(
        name="Acme",
        admin_key=DEMO_KEY,
        base_url=served[0],
        now=timezone.now(),
        backfill_days=DAYS,
    )
    command = subprocess.Popen(
        [sys.executable, "manage.py", "backfill", "--skip-checks"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database_url()},
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + PATIENCE_S
    while BackfillWeek.objects.filter(state=BackfillWeek.State.FETCHED).count() < 2:
        assert time.monotonic() < deadline
        assert command.poll() is None
        time.sleep(0.01)
    os.killpg(command.pid, signal.SIGKILL)
    command.wait()
    left = BackfillWeek.objects.exclude(state=BackfillWeek.State.FETCHED).count()
    assert left > 0

    call_command("backfill", source=source.slug)
    assert set(BackfillWeek.objects.values_list("state", flat=True)) == {"fetched"}
    runs = IngestRun.objects.filter(status=IngestRun.Status.OK)
    assert sorted(runs.values_list("start_hour", flat=True)) == sorted(
        BackfillWeek.objects.values_list("start_hour", flat=True)
    )
