"""Celery's door to readouts: one task a source, found again every minute."""

from __future__ import annotations

import ast
import json
from datetime import datetime

import pytest
import redis
from celery import current_app
from django.utils import timezone

from cachewatch import tasks
from cachewatch.api.queueing import queue_readouts
from cachewatch.rollouts.models import Marker, Readout
from cachewatch.rollouts.services import NewMarker, record_marker
from cachewatch.rollouts.targets import source_target
from ingest.models import Source
from tests.cachewatch.rollouts.histories import SHIPPED_DAY, SHIPPED_HOUR, store_repair
from tests.factories import at

NOW = at(SHIPPED_HOUR + 24 + 2, 10)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return NOW


def queued(queue: redis.Redis) -> list[tuple[str, tuple[int, ...]]]:
    """Name and arguments of each waiting task, oldest first."""
    raw = queue.lrange(current_app.conf.task_default_queue, 0, -1)
    headers = [json.loads(message)["headers"] for message in reversed(raw)]
    return [(one["task"], tuple(ast.literal_eval(one["argsrepr"]))) for one in headers]


def test_beat_asks_for_the_readouts_of_every_source(
    acme: Source, globex: Source, queue: redis.Redis
) -> None:
    tasks.measure_readouts()
    assert queued(queue) == [
        ("cachewatch.measure_source_readouts", (acme.pk,)),
        ("cachewatch.measure_source_readouts", (globex.pk,)),
    ]
    entry = current_app.conf.beat_schedule["measure-readouts"]
    assert entry == {"task": "cachewatch.measure_readouts", "schedule": 60.0}


def test_a_write_asks_for_the_tasks_that_beat_asks_for(acme: Source, queue: redis.Redis) -> None:
    queue_readouts(acme)
    assert sorted(queued(queue)) == [
        (tasks.follow_source_findings.name, (acme.pk,)),
        (tasks.measure_source_readouts.name, (acme.pk,)),
    ]


def test_a_task_measures_what_is_due_and_the_next_one_the_rest(
    acme: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "READOUTS_A_RUN", 3)
    store_repair(acme, SHIPPED_DAY + 1)
    new = NewMarker(source_target(acme), "key-shipped", at(SHIPPED_HOUR))
    record_marker(new, by=None, now=NOW)
    unmeasured = Readout.objects.filter(document__isnull=True)
    assert unmeasured.count() == 5
    tasks.measure_source_readouts(acme.pk)
    assert unmeasured.count() == 2
    tasks.measure_source_readouts(acme.pk)
    assert unmeasured.count() == 0
    assert not Marker.objects.filter(state="proposed").exists()


def test_a_task_of_a_source_that_is_gone_does_nothing(db: None) -> None:
    tasks.measure_source_readouts(0)
