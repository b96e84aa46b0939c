"""Celery's door, with a real broker and a simulated organization over HTTP."""

from __future__ import annotations

import ast
import json
import threading
from collections.abc import Iterator

import pytest
import redis
from celery import current_app
from django.utils import timezone

from ingest import queries, services, tasks
from ingest.models import BackfillWeek, IngestRun, Series, Source, SourceHour
from ingest.simulator.access import DEMO_KEY
from tests.factories import make_source
from tests.ingest.serving import usage_served

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("queue")]
SERIES = 3


@pytest.fixture
def source(db: None) -> Iterator[Source]:
    """A source whose organization answers over HTTP, and whose backfill is queued."""
    with usage_served(series=SERIES, days=30) as url:
        yield services.add_source(
            name="Acme", admin_key=DEMO_KEY, base_url=url, now=timezone.now(), backfill_days=10
        )


def queued(queue: redis.Redis) -> list[tuple[str, list[object]]]:
    """Name and arguments of each waiting task, oldest first; the queue is emptied."""
    name = current_app.conf.task_default_queue
    raw = queue.lrange(name, 0, -1)
    queue.delete(name)
    headers = [json.loads(message)["headers"] for message in reversed(raw)]
    return [(one["task"], list(ast.literal_eval(one["argsrepr"]))) for one in headers]


def test_the_hourly_task_asks_for_one_read_per_source(source: Source, queue: redis.Redis) -> None:
    other, paused = make_source("other"), make_source("paused", paused=True)
    tasks.refresh_sources()
    assert sorted(queued(queue)) == sorted(
        [("ingest.refresh_source", [source.pk]), ("ingest.refresh_source", [other.pk])]
    )
    assert paused not in queries.sources_to_read()


def test_a_read_stores_the_trailing_hours_and_asks_for_names_once_a_day(
    source: Source, queue: redis.Redis
) -> None:
    tasks.refresh_source(source.pk)
    run = IngestRun.objects.get()
    assert (run.kind, run.status, run.rows_new) == ("hourly", "ok", 48 * SERIES)
    assert queued(queue) == [("ingest.read_names", [source.pk])]
    tasks.read_names(source.pk)
    assert queries.list_projects([source.pk]).count() == 1
    tasks.refresh_source(source.pk, by_hand=True)
    assert queued(queue) == []
    assert IngestRun.objects.order_by("pk").last().kind == "manual"


def test_each_week_asks_for_the_next_until_none_is_left(source: Source, queue: redis.Redis) -> None:
    tasks.resume_backfills()
    asked = queued(queue)
    order = []
    while asked:
        ((name, (week_id,)),) = asked
        assert name == "ingest.backfill_week"
        order.append(week_id)
        tasks.backfill_week(week_id)
        asked = queued(queue)
    newest_first = BackfillWeek.objects.order_by("-start_hour").values_list("pk", flat=True)
    assert order == list(newest_first)
    assert set(BackfillWeek.objects.values_list("state", flat=True)) == {"fetched"}
    tasks.resume_backfills()
    assert queued(queue) == []


def test_a_week_delivered_twice_is_read_once_and_starts_no_second_chain(
    source: Source, queue: redis.Redis
) -> None:
    week = services.next_week(source, now=timezone.now())
    assert week is not None
    tasks.backfill_week(week.pk)
    assert len(queued(queue)) == 1
    tasks.backfill_week(week.pk)
    assert queued(queue) == []
    assert IngestRun.objects.count() == 1


def test_a_failed_week_starts_no_chain(source: Source, queue: redis.Redis) -> None:
    Source.objects.update(base_url="http://127.0.0.1:9/v1")
    services.update_source(Source.objects.get(), now=timezone.now(), admin_key="x y")
    tasks.resume_backfills()
    ((_, (week_id,)),) = queued(queue)
    tasks.backfill_week(week_id)
    assert queued(queue) == []
    assert IngestRun.objects.get().error_code == "key_rejected"


def test_a_probe_is_kept(source: Source) -> None:
    tasks.probe_source(source.pk)
    assert Source.objects.get().scopes == {"usage": "granted", "management": "granted"}


def test_a_removed_source_is_deleted_by_whatever_task_comes_first(
    source: Source, queue: redis.Redis
) -> None:
    tasks.refresh_source(source.pk)
    queued(queue)
    services.remove_source(Source.objects.get(), now=timezone.now())
    tasks.resume_backfills()
    assert queued(queue) == [("ingest.remove_source", [source.pk])]
    tasks.delete_removed_source(source.pk)
    tasks.delete_removed_source(source.pk)
    assert not Source.objects.exists()
    assert not Series.objects.exists()
    assert not SourceHour.objects.exists()


def test_tasks_of_a_source_that_is_gone_do_nothing(db: None, queue: redis.Redis) -> None:
    for task in (tasks.refresh_source, tasks.probe_source, tasks.read_names, tasks.backfill_week):
        task(12345)
    assert queued(queue) == []
    assert not IngestRun.objects.exists()


def test_a_thread_of_the_web_server_queues_to_the_same_broker(queue: redis.Redis) -> None:
    thread = threading.Thread(target=tasks.resume_backfills.delay)
    thread.start()
    thread.join()
    assert queued(queue) == [("ingest.resume_backfills", [])]


def test_the_names_that_beat_knows_are_tasks() -> None:
    wanted = {entry["task"] for entry in current_app.conf.beat_schedule.values()}
    assert {name for name in wanted if name.startswith("ingest.")} <= set(current_app.tasks)
