"""A backfill that is killed again and again ends with the history of an undisturbed one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from cachewatch.embedded.binaries import find_postgres
from cachewatch.embedded.postgres import Postgres
from ingest.simulator.access import DEMO_KEY
from tests.ingest.serving import CountedApi, api_served

REPOSITORY = Path(__file__).parents[2]
KILLS = 20
DAYS = 240
SERIES = 12
MOST_PAGES = 4  # between start and kill; a week takes three
PATIENCE_S = 120.0
HISTORIES = {
    "buckets": """
        SELECT series.project_id, series.model, slice.grouping, slice.api_key_id,
            slice.service_tier, slice.batch, bucket.hour, bucket.requests, bucket.input_tokens,
            bucket.cached_tokens, bucket.cache_write_tokens, bucket.cache_write_30m_tokens,
            bucket.cache_write_12h_tokens, bucket.uncached_tokens, bucket.output_tokens
        FROM ingest_usagebucket bucket JOIN ingest_slice slice ON slice.id = bucket.slice_id
        JOIN ingest_series series ON series.id = slice.series_id
        WHERE bucket.hour < %(end)s ORDER BY series.project_id, series.model, bucket.hour
    """,
    "hours": "SELECT hour, grouping FROM ingest_sourcehour WHERE hour < %(end)s ORDER BY hour",
    "series": "SELECT project_id, model, first_hour FROM ingest_series ORDER BY 1, 2",
    "weeks": "SELECT start_hour, state FROM ingest_backfillweek ORDER BY 1",
    "revisions": "SELECT count(*) FROM ingest_bucketrevision",
    "rejects": "SELECT count(*) FROM ingest_reject",
    "running": "SELECT count(*) FROM ingest_ingestrun WHERE status = 'running'",
    "counted": """
        SELECT (SELECT count(*) FROM ingest_usagebucket)
            = (SELECT sum(rows_new) - sum(rows_removed) FROM ingest_ingestrun)
    """,
}


@pytest.fixture
def served() -> Iterator[tuple[str, CountedApi]]:
    with api_served(series=SERIES, days=365) as url_and_api:
        yield url_and_api


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    """A durable Postgres of its own: this test kills it."""
    with tempfile.TemporaryDirectory(prefix="cachewatch-kill-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        server = Postgres(find_postgres(), folder, folder / "postgres.log")
        server.start()
        yield server
        server.stop()


def manage(database_url: str, usage_url: str, *arguments: str) -> subprocess.Popen[bytes]:
    """`manage.py` in a process group of its own, reading the simulated organization."""
    environment = os.environ | {
        "DATABASE_URL": database_url,
        "OPENAI_ADMIN_KEY": DEMO_KEY,
        "CACHEWATCH_USAGE_BASE_URL": usage_url,
    }
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=REPOSITORY,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def backfill(database_url: str, usage_url: str) -> subprocess.Popen[bytes]:
    return manage(database_url, usage_url, "backfill", "--skip-checks", "--days", str(DAYS))


def finish(process: subprocess.Popen[bytes]) -> None:
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors.decode()


def kill_whole_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):  # it has come to its end
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def kill_server(postgres: Postgres) -> None:
    """kill -9 of the server and all its children at once: each is in a session of its own."""
    pid = postgres.pid
    assert pid is not None
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for one in (pid, *map(int, children)):
        os.kill(one, signal.SIGKILL)


def wait_for_first_word(process: subprocess.Popen[bytes]) -> None:
    """The command has started and planned when it draws its bar."""
    assert process.stderr is not None
    assert process.stderr.read(1) == b"\r"


def wait_for_pages(api: CountedApi, pages: int, process: subprocess.Popen[bytes]) -> None:
    """Until so many more pages were asked for, or the process has come to its end."""
    wanted, deadline = api.calls + pages, time.monotonic() + PATIENCE_S
    while api.calls < wanted and process.poll() is None:
        assert time.monotonic() < deadline, "no page was asked for"
        time.sleep(0.001)


def history(database_url: str, end_hour: int) -> dict[str, list[tuple[object, ...]]]:
    with psycopg.connect(database_url) as connection:
        return {
            name: connection.execute(query, {"end": end_hour}).fetchall()
            for name, query in HISTORIES.items()
        }


def weeks_read(database_url: str) -> int:
    query = "SELECT count(*) FROM ingest_backfillweek WHERE state = 'fetched'"
    with psycopg.connect(database_url) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.stack
@pytest.mark.skipif(sys.platform != "linux", reason="finds the server's children in /proc")
def test_twenty_kills_of_a_backfill_leave_the_history_of_an_undisturbed_one(
    postgres: Postgres, served: tuple[str, CountedApi]
) -> None:
    usage_url, api = served
    moments = random.Random(2026)
    end_hour = int(time.time()) // 3600
    undisturbed, disturbed = postgres.url("undisturbed"), postgres.url("disturbed")
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE undisturbed")
        finish(manage(undisturbed, usage_url, "migrate", "--skip-checks"))
        connection.execute("CREATE DATABASE disturbed TEMPLATE undisturbed")
    started = time.monotonic()
    finish(backfill(undisturbed, usage_url))
    weeks = weeks_read(undisturbed)
    week_s = (time.monotonic() - started) / weeks

    progress = []
    for kill in range(KILLS):
        process = backfill(disturbed, usage_url)
        wait_for_first_word(process)
        # By pages and by time: a kill falls anywhere, while fetching or while storing, and twenty
        # of them come before the end on a fast machine as on a slow one.
        wait_for_pages(api, moments.randint(0, MOST_PAGES), process)
        time.sleep(moments.uniform(0, week_s / 2))
        # Every fourth time the database dies too, as when the whole product is killed.
        if kill % 4 == 3:
            kill_server(postgres)
        kill_whole_group(process)
        if kill % 4 == 3:
            postgres.stop()
            postgres.start()
        progress.append(weeks_read(disturbed))
    finish(backfill(disturbed, usage_url))

    interrupted = sum(read < weeks for read in progress)
    assert interrupted >= KILLS * 3 // 4, f"most kills came after the end: {progress} of {weeks}"
    expected = history(undisturbed, end_hour)
    assert len(expected["buckets"]) > SERIES * DAYS * 24 * 0.9
    assert expected["counted"] == [(True,)]
    assert expected["running"] == [(0,)]
    assert history(disturbed, end_hour) == expected
