"""Sources over HTTP; the provider is the bundled simulator, listening on a port of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from celery import Celery
from pytest_django import Settings

from cachewatch.api.errors import ApiError
from cachewatch.api.queueing import hand_over
from cachewatch.api.source_rows import HOURLY_READ_MINUTE, next_run_at
from cachewatch.celery import app
from ingest.models import BackfillWeek, BucketRevision, Reject, Series, Source, SourceHour
from ingest.services.keys import admin_key, put_key
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World
from tests.cachewatch.people import Caller, error_of
from tests.factories import HOUR, at, make_run, make_source

NO_ADDRESS = "http://127.0.0.1:9/v1"  # nothing listens on the discard port


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    """The address of a usage API that accepts DEMO_KEY."""
    world = World(all_stories()[:1], seed=1, anchor_hour=int(time.time()) // 3600, history_days=1)
    server = Server("127.0.0.1", 0, Api(world, Access(DEMO_KEY)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"{server.url}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def new_source(provider: str, key: str = DEMO_KEY, **fields: Any) -> dict[str, Any]:
    return {"name": "Acme", "admin_key": key, "base_url": provider} | fields


def test_a_source_is_added_once_its_key_could_read(owner: Caller, provider: str) -> None:
    answer = owner.post("/sources", new_source(provider, backfill_days=14))
    assert answer.status_code == 201, answer.content
    source = answer.json()
    assert (source["slug"], source["name"], source["kind"]) == ("acme", "Acme", "openai")
    assert source["key"] == {"state": "ok", "hint": "...demo", "variable": ""}
    assert source["scopes"] == {"usage": "granted", "management": "granted"}
    assert (source["settle_minutes"], source["time_zone"], source["backfill_days"]) == (
        60,
        "UTC",
        14,
    )
    assert source["problem"] == ""
    assert (source["last_run"], source["complete_to"], source["hours_stored"]) == (None, None, 0)
    assert DEMO_KEY not in answer.content.decode()
    assert admin_key(Source.objects.get()) == DEMO_KEY
    backfill = owner.get("/sources/acme/backfill").json()
    assert len(backfill["weeks"]) == 3
    assert backfill["running"] is True
    assert backfill["sentence"] == "0 of 3 weeks done, newest first"


@pytest.mark.parametrize(
    ("key", "code", "words"),
    [
        ("sk-admin-other", "key_rejected", "key"),
        ("sk-proj-123", "key_rejected", "project"),
        (f"{DEMO_KEY}-management-only", "scope_missing", "api.usage.read"),
        (f"{DEMO_KEY}-500", "provider_failed", "500"),
        ("sk-admin-with\nbreak", "key_rejected", "key"),
    ],
)
def test_a_key_that_cannot_read_usage_is_refused_in_words_and_nothing_is_stored(
    owner: Caller, provider: str, key: str, code: str, words: str
) -> None:
    answer = owner.post("/sources", new_source(provider, key))
    error = error_of(answer)
    assert (answer.status_code, error["code"]) == (422, code)
    assert words in error["message"]
    assert error["fields"] == [{"name": "admin_key", "message": error["message"]}]
    assert not Source.objects.exists()
    assert key not in answer.content.decode()


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"base_url": "ftp://example.org"}, "base_url"),
        ({"base_url": "https://user:secret@example.org/v1"}, "base_url"),
        ({"base_url": "example.org/v1"}, "base_url"),
        ({"base_url": "http://[broken"}, "base_url"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"settle_minutes": -1}, "settle_minutes"),
        ({"backfill_days": 0}, "backfill_days"),
        ({"name": ""}, "name"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_name(
    owner: Caller, provider: str, fields: dict[str, Any], name: str
) -> None:
    answer = owner.post("/sources", new_source(provider, **fields))
    assert answer.status_code == 422
    assert [field["name"] for field in error_of(answer)["fields"]] == [name]
    assert not Source.objects.exists()


def test_a_key_is_probed_without_being_stored(owner: Caller, provider: str) -> None:
    def probe(key: str) -> dict[str, Any]:
        return owner.post("/sources/probe", {"admin_key": key, "base_url": provider}).json()

    good = probe(DEMO_KEY)
    assert (good["ok"], good["scopes"]) == (True, {"usage": "granted", "management": "granted"})
    half = probe(f"{DEMO_KEY}-usage-only")
    assert (half["ok"], half["scopes"]["management"]) == (True, "missing")
    bad = probe("sk-admin-other")
    assert (bad["ok"], bad["scopes"]["usage"]) == (False, "missing")
    assert not Source.objects.exists()


def test_the_address_that_is_left_out_is_the_providers(
    owner: Caller, provider: str, settings: Settings
) -> None:
    settings.USAGE_BASE_URL = provider
    answer = owner.post("/sources", {"name": "Acme", "admin_key": DEMO_KEY})
    assert answer.json()["base_url"] == provider


def test_a_source_is_renamed_paused_and_given_another_key(
    owner: Caller, acme: Source, provider: str
) -> None:
    assert owner.patch("/sources/acme", {"name": "Acme Inc"}).json()["name"] == "Acme Inc"
    assert owner.patch("/sources/acme", {"paused": True}).json()["next_run_at"] is None
    moved = owner.patch("/sources/acme", {"admin_key": DEMO_KEY, "base_url": provider}).json()
    assert (moved["base_url"], moved["key"]["state"]) == (provider, "ok")
    assert moved["scopes"]["usage"] == "granted"
    refused = owner.patch("/sources/acme", {"admin_key": "sk-admin-other"})
    assert (refused.status_code, error_of(refused)["code"]) == (422, "key_rejected")
    acme.refresh_from_db()
    assert admin_key(acme) == DEMO_KEY


def test_a_stored_key_is_not_sent_to_another_address(owner: Caller, acme: Source) -> None:
    put_key(acme, DEMO_KEY)
    acme.save()
    answer = owner.patch("/sources/acme", {"base_url": "https://elsewhere.example/v1"})
    assert error_of(answer)["fields"][0]["name"] == "admin_key"
    acme.refresh_from_db()
    assert acme.base_url == "https://usage.example/v1"


def test_a_key_that_no_field_key_opens_is_said_to_be_unreadable(
    owner: Caller, acme: Source
) -> None:
    Source.objects.update(key_encrypted=b"written under a lost key")
    assert owner.get("/sources/acme").json()["key"]["state"] == "unreadable"
    probe = owner.post("/sources/acme/probe").json()
    assert (probe["ok"], probe["sentence"]) == (False, "key unreadable, enter it again")
    assert owner.get("/sources/acme").json()["problem"] == "key unreadable, enter it again"


def test_a_source_that_is_removed_is_gone_from_every_answer(owner: Caller, acme: Source) -> None:
    assert owner.call("DELETE", "/sources/acme").status_code == 204
    assert owner.get("/sources/acme").status_code == 404
    assert owner.get("/sources").json()["items"] == []
    assert owner.get("/runs").json()["items"] == []


def test_a_run_and_a_backfill_are_handed_to_a_worker(owner: Caller, acme: Source) -> None:
    assert owner.post("/sources/acme/run").json() == {"queued": True}
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


def test_coverage_is_168_hours_and_the_open_one(owner: Caller, week: Source) -> None:
    series = Series.objects.order_by("pk").first()
    BucketRevision.objects.create(
        series=series, hour=HOUR + 100, nth=1, rows=1, seen_at=at(HOUR + 150), after={}
    )
    hours = owner.get("/sources/acme/coverage").json()["hours"]
    assert (len(hours), hours[-1]["state"]) == (169, "open")
    assert hours[-1]["hour"] == "2026-11-09T02:00:00Z"
    by_hour = {hour["hour"]: hour for hour in hours}
    assert by_hour["2026-11-06T04:00:00Z"] == {
        "hour": "2026-11-06T04:00:00Z",
        "state": "revised",
        "revisions": 1,
    }
    states = [hour["state"] for hour in hours]
    assert (states.count("complete"), states.count("missing")) == (165, 2)


def test_backfill_counts_the_hours_that_the_provider_still_keeps(
    owner: Caller, acme: Source
) -> None:
    states = {"refused": 0, "partly": 68, "fetched": 168, "queued": 0}
    for place, (state, hours) in enumerate(states.items()):
        start = HOUR + 168 * place
        BackfillWeek.objects.create(
            source=acme, start_hour=start, end_hour=start + 168, state=state, updated_at=at(HOUR)
        )
        SourceHour.objects.bulk_create(
            SourceHour(source=acme, hour=hour, fetched_at=at(hour + 9), grouping="")
            for hour in range(start + 168 - hours, start + 168)
        )
    backfill = owner.get("/sources/acme/backfill").json()
    assert [week["hours_fetched"] for week in backfill["weeks"]] == [0, 68, 168, 0]
    assert [week["hours_total"] for week in backfill["weeks"]] == [0, 68, 168, 168]
    assert (backfill["fetched"], backfill["total"]) == (236, 404)
    assert backfill["sentence"] == "3 of 4 weeks done, newest first"


@pytest.mark.parametrize(
    ("states", "paused", "sentence"),
    [
        ([], False, "No history was asked for yet"),
        (["fetched", "queued"], True, "1 of 2 weeks wait; the source is paused"),
        (["fetched", "failed"], False, "1 of 2 weeks could not be read; start again to retry"),
        (["refused"], False, "The provider keeps no hourly usage of the weeks that were asked for"),
        (
            ["refused", "fetched"],
            False,
            "All that the provider keeps is read; 1 week lie before it",
        ),
        (["fetched"], False, "1 week of history read"),
        (["fetched", "fetched"], False, "2 weeks of history read"),
    ],
)
def test_backfill_says_where_it_stands(
    owner: Caller, acme: Source, states: list[str], paused: bool, sentence: str
) -> None:
    Source.objects.update(paused=paused)
    for place, state in enumerate(states):
        start = HOUR + 168 * place
        BackfillWeek.objects.create(
            source=acme, start_hour=start, end_hour=start + 168, state=state, updated_at=at(HOUR)
        )
    assert owner.get("/sources/acme/backfill").json()["sentence"] == sentence


def test_the_next_run_is_when_beat_says() -> None:
    schedule = app.conf.beat_schedule["hourly-ingest"]["schedule"]
    assert schedule.minute == {HOURLY_READ_MINUTE}
    assert next_run_at(at(HOUR, 1)) == at(HOUR, HOURLY_READ_MINUTE)
    assert next_run_at(at(HOUR, HOURLY_READ_MINUTE)) == at(HOUR + 1, HOURLY_READ_MINUTE)


def test_runs_are_listed_newest_first_and_problems_alone(owner: Caller, acme: Source) -> None:
    good = make_run(acme, status="ok", finished_at=at(HOUR + 48) + timedelta(seconds=4.5))
    bad = make_run(
        acme, status="failed", error="no", error_code="timed_out", started_at=at(HOUR + 49)
    )
    runs = owner.get("/runs").json()
    assert [run["id"] for run in runs["items"]] == [bad.pk, good.pk]
    assert runs["items"][1] == owner.get(f"/runs/{good.pk}").json()
    assert (runs["items"][1]["seconds"], runs["items"][0]["seconds"]) == (4.5, None)
    assert (runs["items"][1]["start"], runs["items"][1]["end"]) == (
        "2026-11-02T00:00:00Z",
        "2026-11-04T00:00:00Z",
    )
    assert [run["id"] for run in owner.get("/runs?problems=true").json()["items"]] == [bad.pk]


def test_a_revision_says_what_changed_and_where(owner: Caller, week: Source) -> None:
    series = Series.objects.get(project_id="proj_a")
    BucketRevision.objects.create(
        series=series,
        hour=HOUR,
        nth=2,
        rows=1,
        seen_at=at(HOUR + 5),
        before={"input_tokens": 1000, "cached_tokens": 500},
        after={"input_tokens": 1200, "cached_tokens": None},
    )
    BucketRevision.objects.create(
        series=series, hour=HOUR + 1, nth=1, rows=1, seen_at=at(HOUR + 4), before={}, after=None
    )
    changed, removed = owner.get("/revisions").json()["items"]
    assert (changed["input_before"], changed["input_now"], changed["change"]) == (1000, 1200, 200)
    assert (changed["share_before"], changed["share_now"], changed["nth"]) == (0.5, None, 2)
    assert changed["series_name"] == "rag-answer / gpt-5.4"
    assert changed["series_path"] == "/series/acme/proj_a/gpt-5.4"
    assert (removed["removed"], removed["change"]) == (True, None)


def test_rejects_and_projects_are_listed(owner: Caller, week: Source) -> None:
    Reject.objects.create(
        source=week,
        hour=None,
        dimensions="",
        field="model",
        place="page 1",
        reason="not text",
        first_seen_at=at(HOUR),
        last_seen_at=at(HOUR),
    )
    (reject,) = owner.get("/rejects").json()["items"]
    assert (reject["hour"], reject["reason"], reject["source"]) == (None, "not text", "acme")
    (project,) = owner.get("/projects").json()["items"]
    assert project == {
        "source": "acme",
        "project_id": "proj_a",
        "name": "rag-answer",
        "archived": False,
        "series": 1,
    }


def test_a_source_says_what_is_stored_of_it(owner: Caller, week: Source) -> None:
    source = owner.get("/sources/acme").json()
    assert (source["hours_stored"], source["series_count"]) == (168, 3)
    assert source["buckets_stored"] == 3 * 168
    assert source["first_hour"] == "2026-11-02T00:00:00Z"
    assert source["complete_to"] == "2026-11-09T00:00:00Z"
    assert source["last_run"]["source"] == "acme"
    assert source["next_run_at"] == "2026-11-09T03:02:00Z"
    assert source["key"]["state"] == "missing"


def test_sources_are_a_page_by_name(owner: Caller, acme: Source) -> None:
    make_source("beta")
    page = owner.get("/sources?limit=1&offset=1").json()
    assert [source["slug"] for source in page["items"]] == ["beta"]
    assert (page["total"], page["limit"], page["offset"]) == (2, 1, 1)
