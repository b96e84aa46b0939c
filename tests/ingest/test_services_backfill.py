"""History week by week: newest first, resumable, and honest about what the provider keeps."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection

from ingest import queries, services
from ingest.models import BackfillWeek, IngestRun, Source, SourceHour, UsageBucket
from ingest.services import backfill
from ingest.services.keys import put_key
from tests.factories import HOUR, at
from tests.ingest.backfilling import NOW, NOW_HOUR, busy_provider, read_next, weeks
from tests.ingest.fake_provider import FakeProvider


@pytest.fixture
def provider() -> FakeProvider:
    return busy_provider()


@pytest.fixture
def source(source: Source) -> Source:
    put_key(source, "sk-admin-of-acme")
    source.save()
    return source


def test_weeks_begin_on_monday_and_the_newest_ends_at_the_last_whole_hour(source: Source) -> None:
    assert at(HOUR).strftime("%A %H:%M") == "Monday 00:00"
    assert services.plan_backfill(source, now=NOW, days=10) == 3
    assert weeks(source) == [(-336, 168, "queued"), (-168, 168, "queued"), (0, 60, "queued")]


def test_planning_again_finds_the_same_weeks(source: Source) -> None:
    services.plan_backfill(source, now=NOW, days=10)
    assert services.plan_backfill(source, now=NOW + timedelta(hours=30), days=10) == 3
    assert [start for start, _, _ in weeks(source)] == [-336, -168, 0]


def test_the_newest_week_is_read_first(source: Source, provider: FakeProvider) -> None:
    services.plan_backfill(source, now=NOW, days=10)
    for _ in range(3):
        read_next(source, provider)
    assert [state for _, _, state in weeks(source)] == ["fetched"] * 3
    runs = IngestRun.objects.order_by("pk").values_list("kind", "start_hour", "status")
    assert list(runs) == [("backfill", HOUR - 168 * nth, "ok") for nth in range(3)]
    assert services.next_week(source, now=NOW) is None
    assert queries.missing_hours(source, HOUR - 336, NOW_HOUR) == []


def test_a_week_is_read_once(source: Source, provider: FakeProvider) -> None:
    services.plan_backfill(source, now=NOW, days=1)
    week = services.next_week(source, now=NOW)
    assert week is not None
    stale = BackfillWeek.objects.get(pk=week.pk)
    services.backfill_week(week, now=NOW, client_of=provider.client_of)
    asked = len(provider.asked)
    assert services.backfill_week(stale, now=NOW, client_of=provider.client_of) is None
    assert len(provider.asked) == asked


def test_hours_known_already_are_not_asked_for(source: Source, provider: FakeProvider) -> None:
    services.plan_backfill(source, now=NOW, days=10)
    for _ in range(3):
        read_next(source, provider)
    BackfillWeek.objects.all().delete()
    assert services.plan_backfill(source, now=NOW, days=10) == 0
    assert [state for _, _, state in weeks(source)] == ["fetched"] * 3


def test_a_week_that_lacks_an_hour_is_queued_again(source: Source, provider: FakeProvider) -> None:
    services.plan_backfill(source, now=NOW, days=2)
    read_next(source, provider)
    later = NOW + timedelta(hours=5)
    assert services.plan_backfill(source, now=later, days=2) == 1
    assert weeks(source) == [(0, 65, "queued")]


def test_a_limit_inside_a_week_makes_it_partly_read_and_older_ones_refused(
    source: Source, provider: FakeProvider
) -> None:
    provider.earliest_hour = NOW_HOUR - 7 * 24
    services.plan_backfill(source, now=NOW, days=20)
    while services.next_week(source, now=NOW):
        reading = read_next(source, provider)
    assert reading is not None
    assert reading.error is None
    assert [state for _, _, state in weeks(source)] == ["refused", "refused", "partly", "fetched"]
    notes = {week.note for week in queries.backfill_weeks(source).exclude(state="fetched")}
    assert len(notes) == 1
    assert notes.pop().startswith("the provider keeps no hourly usage before ")
    source.refresh_from_db()
    assert source.lookback_hour is not None
    assert services.plan_backfill(source, now=NOW, days=20) == 0


def test_a_week_wholly_beyond_the_limit_is_refused_with_all_older_ones(
    source: Source, provider: FakeProvider
) -> None:
    provider.earliest_hour = HOUR
    services.plan_backfill(source, now=NOW, days=20)
    while services.next_week(source, now=NOW):
        read_next(source, provider)
    assert [state for _, _, state in weeks(source)] == ["refused", "refused", "refused", "fetched"]


def test_weeks_before_a_known_limit_are_not_even_asked_for(
    source: Source, provider: FakeProvider
) -> None:
    source.lookback_hour = HOUR
    source.save()
    assert services.plan_backfill(source, now=NOW, days=20) == 1
    assert [state for _, _, state in weeks(source)] == ["refused", "refused", "refused", "queued"]


def test_a_failed_week_waits_longer_each_time_and_is_given_up_after_five_tries(
    source: Source, provider: FakeProvider
) -> None:
    services.plan_backfill(source, now=NOW, days=1)
    moment, waits = NOW, []
    for _ in range(backfill.MAX_TRIES):
        provider.refuse(500, {"message": "broken"})
        week = services.next_week(source, now=moment)
        assert week is not None
        services.backfill_week(week, now=moment, client_of=provider.client_of)
        waited = moment
        while moment < waited + timedelta(hours=2) and not services.next_week(source, now=moment):
            moment += timedelta(minutes=1)
        waits.append((moment - waited) // timedelta(minutes=1))
    assert waits == [0, 2, 4, 8, 120]
    week = BackfillWeek.objects.get()
    assert (week.state, week.tries) == ("failed", 5)
    assert "500" in week.note
    services.plan_backfill(source, now=moment, days=1)
    week.refresh_from_db()
    assert (week.state, week.tries) == ("queued", 0)


def test_a_refused_key_keeps_its_week_queued_and_stops_the_backfill(
    source: Source, provider: FakeProvider
) -> None:
    services.plan_backfill(source, now=NOW, days=10)
    provider.refuse(401, {"message": "no", "code": "invalid_api_key"}, times=9)
    for moment in range(8):
        week = services.next_week(source, now=NOW + timedelta(hours=moment))
        if week:
            services.backfill_week(
                week, now=NOW + timedelta(hours=moment), client_of=provider.client_of
            )
    assert {state for _, _, state in weeks(source)} == {"queued"}
    assert services.due_weeks(now=NOW + timedelta(days=1)) == []
    Source.objects.update(problem="")
    assert len(services.due_weeks(now=NOW + timedelta(days=1))) == 1


def test_a_week_left_running_by_a_stopped_process_is_due_again(source: Source) -> None:
    services.plan_backfill(source, now=NOW, days=1)
    BackfillWeek.objects.update(state=BackfillWeek.State.RUNNING, tries=1)
    assert services.due_weeks(now=NOW) == [BackfillWeek.objects.get()]
    BackfillWeek.objects.update(state=BackfillWeek.State.RUNNING, tries=2)
    assert services.due_weeks(now=NOW) == []
    assert services.due_weeks(now=NOW + timedelta(minutes=2)) == [BackfillWeek.objects.get()]


def test_a_week_whose_process_was_stopped_five_times_is_given_up(source: Source) -> None:
    services.plan_backfill(source, now=NOW, days=1)
    BackfillWeek.objects.update(state=BackfillWeek.State.RUNNING, tries=5)
    assert services.due_weeks(now=NOW) == []
    week = BackfillWeek.objects.get()
    assert (week.state, week.note) == ("failed", "its reading was stopped midway 5 times")


def test_a_week_cut_off_by_the_end_of_the_whole_product_loses_no_try(source: Source) -> None:
    services.plan_backfill(source, now=NOW, days=1)
    for nth in range(30):
        begun, started = NOW + timedelta(minutes=nth), NOW + timedelta(minutes=nth, seconds=9)
        week = services.next_week(source, now=begun)
        assert week is not None
        running = BackfillWeek.objects.filter(pk=week.pk, tries=0)
        assert running.update(state=BackfillWeek.State.RUNNING, tries=1, updated_at=begun) == 1
        assert services.due_weeks(now=started, started_at=started) == [week]


def test_the_newest_due_week_of_each_source_is_picked(source: Source) -> None:
    services.plan_backfill(source, now=NOW, days=10)
    assert [week.start_hour for week in services.due_weeks(now=NOW)] == [HOUR]
    Source.objects.update(paused=True)
    assert services.due_weeks(now=NOW) == []


def test_a_source_that_is_being_read_is_due_unless_it_is_a_week_that_is_read(
    source: Source,
) -> None:
    services.plan_backfill(source, now=NOW, days=10)
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [0x63770002, source.pk])
        assert len(services.due_weeks(now=NOW)) == 1
        BackfillWeek.objects.filter(start_hour=HOUR).update(state=BackfillWeek.State.RUNNING)
        assert services.due_weeks(now=NOW) == []
    finally:
        other.close()


def test_weeks_of_a_paused_source_are_left_alone(source: Source, provider: FakeProvider) -> None:
    services.plan_backfill(source, now=NOW, days=1)
    services.update_source(source, now=NOW, paused=True)
    assert read_next(source, provider) is None
    assert weeks(source) == [(0, 60, "queued")]


def test_an_hourly_read_between_two_weeks_leaves_every_hour_in_place(
    source: Source, provider: FakeProvider
) -> None:
    services.plan_backfill(source, now=NOW, days=10)
    read_next(source, provider)
    services.refresh_source(source, now=NOW, client_of=provider.client_of)
    read_next(source, provider)
    read_next(source, provider)
    assert UsageBucket.objects.count() == SourceHour.objects.count() == 336 + 60
