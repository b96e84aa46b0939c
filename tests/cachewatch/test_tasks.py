"""Celery's door to the classifier: sources apart from each other, each by one process at a time."""

from __future__ import annotations

import ast
import json
from datetime import datetime

import pytest
import redis
from celery import current_app, signals
from django.db import connection
from django.utils import timezone

from cachewatch import tasks
from cachewatch.analysis.thresholds import ThresholdError
from cachewatch.verdicts import shards
from cachewatch.verdicts.models import ThresholdOverride, Verdict
from cachewatch.verdicts.services import classify_part
from cachewatch.verdicts.shards import WHOLE, Shard, shard_lock, shards_of
from cachewatch.worklist.models import Finding
from ingest import tasks as ingest_tasks
from ingest.models import Series, Source
from tests.cachewatch.verdicts.histories import days, falling, flat_low, store_hours
from tests.factories import HOUR, at, make_source

NOW = at(HOUR + 24 * 7 + 3)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> datetime:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    return NOW


def queued(queue: redis.Redis) -> list[tuple[int, ...]]:
    """The arguments of each waiting classification, oldest first; the queue is emptied."""
    name = current_app.conf.task_default_queue
    raw = queue.lrange(name, 0, -1)
    queue.delete(name)
    headers = [json.loads(message)["headers"] for message in reversed(raw)]
    work = {"cachewatch.classify_part", "cachewatch.follow_source_findings"}
    assert {one["task"] for one in headers} <= work
    return [
        (*ast.literal_eval(one["argsrepr"]), ast.literal_eval(one["kwargsrepr"])["fill"])
        for one in headers
        if one["task"] == "cachewatch.classify_part"
    ]


def test_beat_asks_for_one_classification_per_source_and_per_part_of_a_large_one(
    acme: Source, globex: Source, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "SHARD_SERIES", 2)
    make_source("removed", removed_at=NOW)
    for number in range(5):
        Series.objects.create(source=globex, project_id=f"p{number}", model="gpt-5.4")
    tasks.classify_stale()
    assert queued(queue) == [
        (acme.pk, 0, 1, False),
        *((globex.pk, number, 3, False) for number in range(3)),
    ]
    tasks.classify_stale(fill=True)
    assert [asked[-1] for asked in queued(queue)] == [True] * 4


def test_past_days_are_looked_for_after_news_and_on_demand_and_gone_on_with(
    acme: Source, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_hours(acme, days(0, 10), falling)
    monkeypatch.setattr(timezone, "now", lambda: at(HOUR + 24 * 10 + 3))
    tasks.classify_part(acme.pk, *WHOLE)
    assert Verdict.objects.count() == 4
    assert queued(queue) == [(acme.pk, 0, 1, True)]  # there may be more
    tasks.classify_part(acme.pk, *WHOLE, fill=True)
    assert queued(queue) == []
    Verdict.objects.filter(is_newest=False).delete()
    tasks.classify_part(acme.pk, *WHOLE)
    assert Verdict.objects.count() == 1
    tasks.classify_part(acme.pk, *WHOLE, fill=True)
    assert Verdict.objects.count() == 4


def test_findings_follow_the_verdicts_of_their_source(acme: Source, queue: redis.Redis) -> None:
    store_hours(acme, days(0, 7), falling)
    tasks.classify_part(acme.pk, *WHOLE)
    waiting = [
        json.loads(one)["headers"]
        for one in queue.lrange(current_app.conf.task_default_queue, 0, -1)
    ]
    asked = [one["argsrepr"] for one in waiting if one["task"].endswith("follow_source_findings")]
    assert asked == [f"({acme.pk},)"]
    tasks.follow_source_findings(acme.pk)
    assert [one.series.source for one in Finding.objects.all()] == [acme]
    tasks.follow_source_findings(acme.pk)
    assert Finding.objects.count() == 1


def test_a_source_that_fails_stops_no_other(acme: Source, globex: Source) -> None:
    for source in (acme, globex):
        store_hours(source, days(0, 7), falling)
    # A stored value that the rules of today do not allow.
    ThresholdOverride.objects.create(source=acme, values={"min_hours": 10**6}, changed_at=NOW)
    with pytest.raises(ThresholdError):
        tasks.classify_part(acme.pk, *WHOLE)
    tasks.classify_part(globex.pk, *WHOLE)
    assert [verdict.series.source for verdict in Verdict.objects.all()] == [globex]


def test_a_part_that_another_process_classifies_is_left_to_it(acme: Source) -> None:
    store_hours(acme, days(0, 7), falling)
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [0x6377 << 48 | acme.pk])
        assert classify_part(acme, WHOLE, now=NOW) is None
        assert not Verdict.objects.exists()
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_all()")
    finally:
        other.close()
    assert classify_part(acme, WHOLE, now=NOW) == (1, 0)


def test_a_lock_is_let_go_after_a_failure_too(acme: Source) -> None:
    def fail() -> None:
        with shard_lock(acme, WHOLE) as held:
            raise RuntimeError(f"held: {held}")

    with pytest.raises(RuntimeError, match="held: True"):
        fail()
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [0x6377 << 48 | acme.pk])
            assert cursor.fetchone() == (True,)
    finally:
        other.close()


def test_the_parts_of_a_source_hold_each_series_once(acme: Source) -> None:
    others = {f"proj_{number}": flat_low for number in range(4)}
    store_hours(acme, days(0, 8), falling, **others)
    now = at(HOUR + 24 * 8 + 3)
    written = [classify_part(acme, Shard(number, 3), now=now) for number in range(3)]
    assert sum(sum(of_part) for of_part in written if of_part) == 10  # of two days
    assert Verdict.objects.count() == 10
    assert Verdict.objects.filter(is_newest=True).count() == Series.objects.count() == 5


def test_a_source_that_was_removed_meanwhile_has_nothing_to_classify(acme: Source) -> None:
    store_hours(acme, days(0, 7), falling)
    Source.objects.update(removed_at=NOW)
    tasks.classify_part(acme.pk, *WHOLE)
    assert not Verdict.objects.exists()
    assert shards_of(acme) == [WHOLE]


def test_a_week_that_is_read_asks_for_the_first_verdicts_of_sources_that_have_none(
    acme: Source, globex: Source, queue: redis.Redis
) -> None:
    store_hours(acme, days(0, 7), falling)
    store_hours(globex, days(0, 7), falling)
    classify_part(acme, WHOLE, now=NOW)
    signals.task_success.send(sender=ingest_tasks.backfill_week, result=None)
    (message,) = queue.lrange(current_app.conf.task_default_queue, 0, -1)
    assert json.loads(message)["headers"]["task"] == "cachewatch.classify_unjudged"
    queue.delete(current_app.conf.task_default_queue)
    tasks.classify_unjudged()
    assert queued(queue) == [(globex.pk, 0, 1, False)]
