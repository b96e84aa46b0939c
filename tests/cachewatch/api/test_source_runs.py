"""Reads that are asked for by hand: queued once, and gone before they could be queued twice."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from celery import Celery
from django.core.cache import cache
from django.utils import timezone

from cachewatch.api.errors import ApiError
from cachewatch.api.queueing import hand_over
from cachewatch.celery import app
from ingest.models import BackfillWeek, IngestRun, Source
from tests.cachewatch.people import Caller
from tests.factories import make_run


def waiting_reads(source: Source) -> list[dict[str, Any]]:
    """The headers of the source's reads that wait for a worker."""
    with app.connection_for_read() as connection:
        waiting = connection.default_channel.client.lrange("cachewatch", 0, -1)
    headers = [json.loads(message)["headers"] for message in waiting]
    reads = [one for one in headers if one["task"] == "ingest.refresh_source"]
    return [one for one in reads if one["argsrepr"] == f"({source.pk},)"]


def test_a_run_that_is_asked_for_again_and_again_is_one_run(
    owner: Caller, acme: Source, globex: Source, empty_cache: None
) -> None:
    before = len(waiting_reads(acme))
    answers = [owner.post("/sources/acme/run").json() for _ in range(20)]
    assert [answer["queued"] for answer in answers] == [True, *[False] * 19]
    assert answers[-1]["sentence"] == "A run is queued already; it shows below when it has begun."
    assert len(waiting_reads(acme)) - before == 1
    assert owner.post("/sources/globex/run").json()["queued"] is True


def test_a_run_that_nobody_took_lapses_before_another_may_be_asked_for(
    owner: Caller, acme: Source, empty_cache: None
) -> None:
    began = timezone.now()
    owner.post("/sources/acme/run")
    expires = max(datetime.fromisoformat(one["expires"]) for one in waiting_reads(acme))
    assert timedelta(0) <= expires - began - timedelta(seconds=900) < timedelta(seconds=10)
    with app.connection_for_read() as connection:
        asked = cache.make_key(f"read-asked-for-{acme.pk}")
        left_s = connection.default_channel.client.ttl(asked)
    assert timezone.now() + timedelta(seconds=left_s) > expires


def test_no_run_is_queued_while_one_reads_unless_its_process_was_killed(
    owner: Caller, acme: Source, empty_cache: None
) -> None:
    now = timezone.now()
    run = make_run(acme, status="running", started_at=now - timedelta(minutes=14))
    assert owner.post("/sources/acme/run").json() == {
        "queued": False,
        "sentence": "The source is being read already; the run is listed below.",
    }
    IngestRun.objects.filter(pk=run.pk).update(started_at=now - timedelta(minutes=16))
    assert owner.post("/sources/acme/run").json()["queued"] is True


def test_a_run_and_a_backfill_are_handed_to_a_worker(
    owner: Caller, acme: Source, empty_cache: None
) -> None:
    assert owner.post("/sources/acme/run").json() == {
        "queued": True,
        "sentence": "Run queued; it shows below when it has begun.",
    }
    planned = owner.post("/sources/acme/backfill", {"days": 1}).json()
    assert planned["running"] is True
    assert BackfillWeek.objects.filter(source=acme).count() == len(planned["weeks"])
    with app.connection_for_read() as connection:
        waiting = connection.default_channel.client.lrange("cachewatch", 0, -1)
    assert any(b"ingest.refresh_source" in task and b"by_hand" in task for task in waiting)
    assert any(b"ingest.resume_backfills" in task for task in waiting)


def nothing() -> None:
    """A task."""


def test_a_broker_that_does_not_answer_is_said_in_words() -> None:
    nowhere = Celery("nowhere", broker="redis://127.0.0.1:9/0", set_as_current=False)
    with pytest.raises(ApiError) as caught:
        hand_over(nowhere.task(nothing))
    assert (caught.value.status, caught.value.code) == (503, "queue_unreachable")
