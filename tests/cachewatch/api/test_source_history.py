"""What is stored of a source, over HTTP: coverage, backfill, runs, revisions, rejects, totals."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from cachewatch.api.source_rows import HOURLY_READ_MINUTE, next_run_at
from cachewatch.api.times import hour_of
from cachewatch.celery import app
from ingest.models import BackfillWeek, BucketRevision, Reject, Series, Source, SourceHour
from tests.cachewatch.people import Caller
from tests.factories import HOUR, at, make_run, make_source


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


def test_no_hour_before_the_first_push_is_missing(owner: Caller, clock: datetime) -> None:
    pushed = make_source("gateway", kind=Source.Kind.BUCKETS)
    told = hour_of(clock) - 5
    for hour in (told, told + 2):
        SourceHour.objects.create(source=pushed, hour=hour, fetched_at=clock)
    hours = owner.get("/sources/gateway/coverage").json()["hours"]
    states = [hour["state"] for hour in hours]
    assert states == ["complete", "missing", "complete", "settling", "settling", "open"]


def test_a_source_that_waits_for_its_first_push_has_the_open_hour_only(owner: Caller) -> None:
    make_source("gateway", kind=Source.Kind.REQUESTS)
    hours = owner.get("/sources/gateway/coverage").json()["hours"]
    assert [hour["state"] for hour in hours] == ["open"]


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


def test_weeks_that_begin_or_end_midway_are_told_by_their_days(owner: Caller, acme: Source) -> None:
    for start, end in ((HOUR, HOUR + 168), (HOUR + 168, HOUR + 250)):
        BackfillWeek.objects.create(
            source=acme, start_hour=start, end_hour=end, state="fetched", updated_at=at(HOUR)
        )
    said = owner.get("/sources/acme/backfill").json()["sentence"]
    assert said == "10 days of history read, in 2 parts of at most a week"


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
