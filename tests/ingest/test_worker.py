"""Through a live Celery worker and beat, a real broker and a real database."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from celery import current_app
from django.conf import settings
from django.utils import timezone

from ingest import queries, services
from ingest.models import BackfillWeek, IngestRun, Source, SourceHour, UsageBucket
from ingest.simulator.access import DEMO_KEY
from tests.ingest.serving import database_url, usage_served

REPOSITORY = Path(__file__).parents[2]
SERIES, DAYS = 4, 60
PATIENCE_S = 90.0

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def source() -> Iterator[Source]:
    """A source with a queued backfill, and an empty broker."""
    with redis.Redis.from_url(settings.REDIS_URL) as broker:
        broker.flushdb()
        with usage_served(series=SERIES, days=100) as url:
            yield services.add_source(
                name="Acme",
                admin_key=DEMO_KEY,
                base_url=url,
                now=timezone.now(),
                backfill_days=DAYS,
            )
        broker.flushdb()


@contextmanager
def worker(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker with beat, on the tests' database; killed at the end if it still runs."""
    with (folder / "worker.log").open("ab") as log:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "celery",
                "-A",
                "cachewatch.celery",
                "worker",
                "--beat",
                "--concurrency=2",
                f"--schedule={folder / 'beat'}",
            ],
            cwd=REPOSITORY,
            env=os.environ | {"DATABASE_URL": database_url()},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_until(reached: Callable[[], bool], folder: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not reached():
        if time.monotonic() > deadline:
            pytest.fail(
                f"not reached within {PATIENCE_S} s:\n{(folder / 'worker.log').read_text()}"
            )
        time.sleep(0.1)


def all_fetched() -> bool:
    return not BackfillWeek.objects.exclude(state=BackfillWeek.State.FETCHED).exists()


def idle() -> bool:
    return not IngestRun.objects.filter(status=IngestRun.Status.RUNNING).exists()


def test_a_start_reads_the_last_hours_the_names_and_the_whole_history(
    source: Source, tmp_path: Path
) -> None:
    with worker(tmp_path):
        wait_until(
            lambda: all_fetched() and queries.list_projects([source.pk]).exists() and idle(),
            tmp_path,
        )
    runs = list(IngestRun.objects.values_list("kind", "status"))
    # A week that began within the last 48 hours is read by the hourly read, before it is its turn.
    weeks = BackfillWeek.objects.exclude(run=None).count()
    assert BackfillWeek.objects.count() - weeks in (0, 1)
    # Where minute 2 of an hour passes meanwhile, beat asks for another read.
    hourly = len(runs) - weeks
    assert hourly in (1, 2)
    assert sorted(runs) == [("backfill", "ok")] * weeks + [("hourly", "ok")] * hourly
    end_hour = int(time.time()) // 3600
    assert queries.missing_hours(source, end_hour - 1 - DAYS * 24, end_hour - 1) == []
    assert UsageBucket.objects.count() == SERIES * SourceHour.objects.count()


def test_a_worker_killed_midway_leaves_nothing_that_the_next_one_does_not_heal(
    source: Source, tmp_path: Path
) -> None:
    with worker(tmp_path) as first:
        wait_until(lambda: BackfillWeek.objects.filter(state="fetched").count() >= 2, tmp_path)
        os.killpg(first.pid, signal.SIGKILL)
    assert not all_fetched()
    with worker(tmp_path):
        wait_until(lambda: all_fetched() and idle(), tmp_path)
    assert UsageBucket.objects.count() == SERIES * SourceHour.objects.count()
    assert set(IngestRun.objects.values_list("status", flat=True)) <= {"ok", "interrupted"}


def test_the_worker_knows_every_task_that_beat_sends() -> None:
    sent = {entry["task"] for entry in current_app.conf.beat_schedule.values()}
    current_app.loader.import_default_modules()
    assert sent <= set(current_app.tasks)
