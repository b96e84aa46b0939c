"""From an accusation to minutes that are read: Celery's doors over a simulated organization."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
import redis
from celery import current_app
from django.utils import timezone

from cachewatch import tasks
from cachewatch.verdicts.minutes import ask_for_series
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.services import classify_stale
from ingest import services
from ingest import tasks as ingest_tasks
from ingest.models import BackfillWeek, IngestRun, Series, SeriesMinutes, Source
from ingest.services.walks import read_hours
from ingest.simulator.access import DEMO_KEY
from tests.ingest.serving import usage_served

pytestmark = [pytest.mark.worker, pytest.mark.usefixtures("queue")]
SERIES = 3


@pytest.fixture
def source(db: None) -> Iterator[Source]:
    """A source with the last eight days of an organization that answers over HTTP."""
    with usage_served(series=SERIES, days=10) as url:
        now = timezone.now()
        source = services.add_source(name="Acme", admin_key=DEMO_KEY, base_url=url, now=now)
        end = int(now.timestamp()) // 3600
        kind = IngestRun.Kind.MANUAL
        read_hours(source, end - 192, end, kind=kind, now=now, client_of=services.client_of)
        # Its first verdicts would wait for the weeks that nobody reads here.
        BackfillWeek.objects.update(state=BackfillWeek.State.FETCHED)
        classify_stale([source], now=now)
        yield source


def queued(queue: redis.Redis) -> list[str]:
    """The names of the waiting tasks; the queue is emptied."""
    name = current_app.conf.task_default_queue
    raw = queue.lrange(name, 0, -1)
    queue.delete(name)
    return [json.loads(message)["headers"]["task"] for message in reversed(raw)]


def accuse_all() -> None:
    Verdict.objects.filter(is_newest=True).update(code="load-correlated-misses")


def test_minutes_of_accused_series_are_asked_for_read_and_judged(
    source: Source, queue: redis.Redis
) -> None:
    accuse_all()
    accused = Verdict.objects.filter(is_newest=True).count()
    tasks.read_minutes()
    assert SeriesMinutes.objects.filter(state="queued").count() == accused > 1
    assert queued(queue) == ["ingest.read_minutes"]
    ingest_tasks.read_minutes(source.pk)
    assert queued(queue) == []  # a task asks for no other
    assert set(SeriesMinutes.objects.values_list("state", flat=True)) == {"fetched"}
    stale = [one.pk for one in Series.objects.all() if is_stale(one)]
    assert len(stale) == accused
    assert classify_stale([source], now=timezone.now()) == accused


def is_stale(series: Series) -> bool:
    newest = Verdict.objects.get(series=series, is_newest=True)
    return newest.data_version != series.data_version


def test_a_run_without_accusations_asks_for_nothing(source: Source, queue: redis.Redis) -> None:
    Verdict.objects.update(code="healthy")
    tasks.read_minutes()
    assert not SeriesMinutes.objects.exists()
    assert queued(queue) == []


def test_a_request_whose_task_was_lost_is_picked_up_and_a_paused_source_asks_for_none(
    source: Source, queue: redis.Redis
) -> None:
    accuse_all()
    Source.objects.update(paused=True)
    tasks.read_minutes()
    assert not SeriesMinutes.objects.exists()
    Source.objects.update(paused=False)
    tasks.read_minutes()
    queue.delete(current_app.conf.task_default_queue)
    tasks.read_minutes()
    assert queued(queue) == ["ingest.read_minutes"]


def test_a_pause_holds_automatic_requests_that_wait_and_none_by_hand(
    source: Source, queue: redis.Redis
) -> None:
    accuse_all()
    tasks.read_minutes()
    queued(queue)
    Source.objects.update(paused=True)
    tasks.read_minutes()
    assert queued(queue) == []
    ask_for_series(Series.objects.all()[0], now=timezone.now())
    tasks.read_minutes()
    assert queued(queue) == ["ingest.read_minutes"]
    ingest_tasks.read_minutes(source.pk)
    states = SeriesMinutes.objects.order_by("by_hand").values_list("by_hand", "state")
    assert set(states) == {(False, "queued"), (True, "fetched")}


def test_old_days_are_forgotten_on_the_way(source: Source) -> None:
    Verdict.objects.update(code="healthy")
    SeriesMinutes.objects.create(
        series=Series.objects.all()[0],
        day=(timezone.now() - timedelta(days=40)).date(),
        start_hour=0,
        asked_start_hour=0,
        end_hour=24,
        state="fetched",
        asked_at=timezone.now(),
    )
    tasks.read_minutes()
    assert not SeriesMinutes.objects.exists()
