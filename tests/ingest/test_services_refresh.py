"""The hourly read: what is asked for, what is recorded, and what a failure says."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection

from ingest import queries, services
from ingest.models import BackfillWeek, IngestRun, Reject, Series, Source, SourceHour
from ingest.services.keys import put_key
from ingest.services.walks import Reading
from tests.factories import HOUR, at, make_run
from tests.ingest.fake_provider import FakeProvider, result

NOW_HOUR = HOUR + 400


@pytest.fixture
def source(source: Source) -> Source:
    put_key(source, "sk-admin-of-acme")
    source.save()
    return source


def refresh(source: Source, provider: FakeProvider, now_hour: int = NOW_HOUR) -> Reading:
    reading = services.refresh_source(source, now=at(now_hour, 2), client_of=provider.client_of)
    assert reading is not None
    return reading


def spans(provider: FakeProvider) -> tuple[int, int]:
    """The first and the last hour asked for since the last look."""
    asked = list(provider.asked)
    provider.asked.clear()
    return min(start for start, _ in asked), max(end for _, end in asked)


def test_the_first_read_takes_the_last_two_days_up_to_the_last_whole_hour(
    source: Source, provider: FakeProvider
) -> None:
    provider.fill(range(NOW_HOUR - 100, NOW_HOUR + 1))
    run = refresh(source, provider).run
    assert spans(provider) == (NOW_HOUR - 48, NOW_HOUR)
    assert (run.status, run.kind, run.hours, run.rows_read, run.rows_new) == (
        "ok",
        "hourly",
        48,
        48,
        48,
    )
    assert (run.start_hour, run.end_hour, run.started_at) == (
        NOW_HOUR - 48,
        NOW_HOUR,
        at(NOW_HOUR, 2),
    )
    assert run.finished_at is not None
    assert run.pages == len(provider.groupings)


def test_the_next_read_takes_the_trailing_hours_again_and_counts_what_changed(
    source: Source, provider: FakeProvider
) -> None:
    provider.fill(range(NOW_HOUR - 48, NOW_HOUR + 1))
    refresh(source, provider)
    provider.fill([NOW_HOUR - 1], result(num_model_requests=11), result(api_key_id="key_2"))
    del provider.results[NOW_HOUR - 2]
    run = refresh(source, provider, NOW_HOUR + 1).run
    counts = (run.rows_new, run.rows_changed, run.rows_removed, run.rows_unchanged)
    assert counts == (2, 1, 1, 45)


def test_after_a_pause_all_hours_are_read_from_those_that_may_not_have_settled_on(
    source: Source, provider: FakeProvider
) -> None:
    refresh(source, provider)
    spans(provider)
    refresh(source, provider, NOW_HOUR + 100)
    assert spans(provider) == (NOW_HOUR - 2, NOW_HOUR + 100)
    assert not BackfillWeek.objects.exists()


def test_after_a_long_pause_the_newest_week_is_read_and_the_rest_is_queued(
    source: Source, provider: FakeProvider
) -> None:
    refresh(source, provider)
    spans(provider)
    refresh(source, provider, NOW_HOUR + 400)
    assert spans(provider) == (NOW_HOUR + 232, NOW_HOUR + 400)
    queued = BackfillWeek.objects.filter(state="queued")
    lacking = queries.missing_hours(source, NOW_HOUR - 48, NOW_HOUR + 400)
    assert lacking == list(range(NOW_HOUR, NOW_HOUR + 232))
    assert all(any(w.start_hour <= hour < w.end_hour for w in queued) for hour in lacking)


def test_a_provider_failure_is_recorded_as_one_and_never_as_a_wrong_key(
    source: Source, provider: FakeProvider
) -> None:
    provider.refuse(503, {"message": "overloaded", "type": "server_error"})
    reading = refresh(source, provider)
    assert (reading.run.status, reading.run.error_code) == ("failed", "provider_failed")
    assert "503" in reading.run.error
    source.refresh_from_db()
    assert (source.problem, reading.needs_people) == ("", False)
    assert not SourceHour.objects.exists()


def test_a_refused_key_is_the_sources_problem_until_a_read_succeeds(
    source: Source, provider: FakeProvider
) -> None:
    provider.refuse(401, {"message": "Incorrect API key", "code": "invalid_api_key"})
    reading = refresh(source, provider)
    assert (reading.run.error_code, reading.needs_people) == ("key_rejected", True)
    source.refresh_from_db()
    assert source.problem == reading.run.error
    refresh(source, provider)
    source.refresh_from_db()
    assert source.problem == ""


def test_a_read_that_worked_proves_the_usage_scope(source: Source, provider: FakeProvider) -> None:
    Source.objects.update(scopes={"management": "missing"})
    refresh(source, provider)
    source.refresh_from_db()
    assert source.scopes == {"management": "missing", "usage": "granted"}


def test_a_missing_scope_given_as_a_bare_string_names_the_scope(
    source: Source, provider: FakeProvider
) -> None:
    provider.refuse(403, "You have insufficient permissions. Missing scopes: api.usage.read.")
    reading = refresh(source, provider)
    source.refresh_from_db()
    assert reading.run.error_code == "scope_missing"
    assert "api.usage.read" in source.problem


def test_a_key_that_no_field_key_opens_is_asked_for_again(
    source: Source, provider: FakeProvider, settings
) -> None:
    settings.FIELD_KEYS = ["b3RoZXItZmllbGQta2V5LW9mLW5vLXZhbHVlLTEyMzQ="]
    reading = refresh(source, provider)
    assert (reading.run.error_code, reading.run.error) == (
        "key_unreadable",
        "key unreadable, enter it again",
    )
    source.refresh_from_db()
    assert source.problem == "key unreadable, enter it again"
    assert services.key_state(source) == "unreadable"
    assert provider.keys_seen == []


def test_a_walk_that_fails_midway_stores_nothing(source: Source, provider: FakeProvider) -> None:
    provider.fill(range(NOW_HOUR - 48, NOW_HOUR))
    calls = iter(range(10))

    def fail_the_second() -> None:
        if next(calls) == 1:
            provider.refuse(500, {"message": "broken"})

    provider.on_usage = fail_the_second
    assert refresh(source, provider).run.pages == 1
    assert not SourceHour.objects.exists()


def test_a_dimension_that_the_provider_refuses_is_left_out_said_and_not_asked_for_again(
    source: Source, provider: FakeProvider
) -> None:
    provider.fill(range(NOW_HOUR - 48, NOW_HOUR))
    provider.refused_dimensions = {"service_tier"}
    run = refresh(source, provider).run
    assert "service_tier" in run.notices[0]
    source.refresh_from_db()
    assert source.refused_grouping == ["service_tier"]
    assert set(SourceHour.objects.values_list("grouping", flat=True)) == {"api_key_id,batch"}
    provider.groupings.clear()
    refresh(source, provider)
    assert all("service_tier" not in asked for asked in provider.groupings)


def test_a_value_that_cannot_be_read_is_a_reject_and_counted(
    source: Source, provider: FakeProvider
) -> None:
    provider.fill([NOW_HOUR - 1], result(input_cached_tokens="many"))
    assert refresh(source, provider).run.rows_rejected == 1
    assert refresh(source, provider).run.rows_rejected == 1
    assert [(one.hour, one.field) for one in Reject.objects.all()] == [
        (NOW_HOUR - 1, "input_cached_tokens")
    ]


@pytest.mark.parametrize(
    "strange",
    [
        {"project_id": "proj\x00_a"},
        {"model": "m" * 5_000},
        {"api_key_id": "k" * 5_000},
        {"service_tier": "t" * 5_000},
        {"input_tokens": 2**70, "input_cached_tokens": 2**70},
        {"num_model_requests": -1},
        {"batch": "perhaps"},
    ],
)
def test_what_no_column_can_hold_is_a_reject_and_stops_no_other_row(
    source: Source, provider: FakeProvider, strange: dict[str, object]
) -> None:
    provider.fill([NOW_HOUR - 1], result(), result(project_id="proj_b") | strange)
    run = refresh(source, provider).run
    assert run.status == "ok"
    assert run.rows_rejected >= 1
    assert Series.objects.filter(project_id="proj_a", model="gpt-5.4").exists()


def test_a_run_left_behind_by_a_stopped_process_is_marked_by_the_next_one(
    source: Source, provider: FakeProvider
) -> None:
    left = make_run(source)
    reading = refresh(source, provider)
    left.refresh_from_db()
    assert (left.status, left.error_code) == ("interrupted", "interrupted")
    assert left.finished_at == at(NOW_HOUR, 2)
    assert reading.run.status == "ok"


def test_an_unforeseen_fault_is_recorded_and_raised(source: Source, provider: FakeProvider) -> None:
    def fault() -> None:
        raise ZeroDivisionError

    provider.on_usage = fault
    with pytest.raises(ZeroDivisionError):
        refresh(source, provider)
    run = IngestRun.objects.get()
    assert (run.status, run.error_code) == ("failed", "unforeseen")
    assert "ZeroDivisionError" in run.error


def test_a_paused_source_is_read_by_hand_only(source: Source, provider: FakeProvider) -> None:
    services.update_source(source, now=at(HOUR), paused=True)
    now = at(NOW_HOUR, 2)
    assert services.refresh_source(source, now=now, client_of=provider.client_of) is None
    by_hand = services.refresh_source(
        source, now=now, kind=IngestRun.Kind.MANUAL, client_of=provider.client_of
    )
    assert by_hand is not None
    assert by_hand.run.kind == "manual"


def test_a_removed_source_is_not_read(source: Source, provider: FakeProvider) -> None:
    stale = Source.objects.get(pk=source.pk)
    services.remove_source(source, now=at(HOUR))
    now = at(NOW_HOUR)
    assert services.refresh_source(stale, now=now, client_of=provider.client_of) is None
    assert provider.keys_seen == []


def test_the_key_is_in_no_run_reject_or_source_column(
    source: Source, provider: FakeProvider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    provider.refuse(401, {"message": "Incorrect API key provided: sk-admin-of-acme."})
    refresh(source, provider)
    refresh(source, provider)
    assert provider.keys_seen[0] == "sk-admin-of-acme"
    with connection.cursor() as cursor:
        for table in ("ingest_source", "ingest_ingestrun", "ingest_reject"):
            cursor.execute(f"SELECT count(*) FROM {table} t WHERE t::text LIKE '%%of-acme%%'")
            assert cursor.fetchone() == (0,)
    assert "of-acme" not in caplog.text


def test_the_window_never_reaches_into_the_unfinished_hour(source: Source) -> None:
    end_of_hour = at(NOW_HOUR, 60) - timedelta(seconds=1)
    assert services.refresh_window(source, end_of_hour) == (NOW_HOUR - 48, NOW_HOUR)
    assert services.refresh_window(source, at(NOW_HOUR, 60))[1] == NOW_HOUR + 1


def test_a_read_by_hand_is_asked_for_once_until_it_begins(
    source: Source, provider: FakeProvider
) -> None:
    now = at(NOW_HOUR, 2)

    def asked() -> str:
        return services.request_read(source, now=now, longest_read=timedelta(minutes=15))

    services.forget_request(source)
    assert asked() == "queued"
    assert asked() == "waiting"
    refresh(source, provider)  # the hourly read is not what was asked for
    assert asked() == "waiting"
    manual = IngestRun.Kind.MANUAL
    services.refresh_source(source, now=now, kind=manual, client_of=provider.client_of)
    assert asked() == "queued"
    services.forget_request(source)
