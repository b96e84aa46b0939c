"""A week that is too long for one walk, or for one task: read in parts, newest first."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from ingest import queries, services
from ingest.models import BackfillWeek, IngestRun, Source, SourceHour
from ingest.services import backfill
from ingest.services.keys import put_key
from tests.factories import HOUR
from tests.ingest.backfilling import NOW, NOW_HOUR, busy_provider, read_next, weeks
from tests.ingest.fake_provider import FakeProvider


class CutOff(Exception):  # noqa: N818 -- stands for a soft time limit
    """Something nobody foresaw."""


@pytest.fixture
def provider() -> FakeProvider:
    return busy_provider()


@pytest.fixture
def source(source: Source, provider: FakeProvider) -> Source:
    """A source with one series and no known hour."""
    put_key(source, "sk-admin-of-acme")
    source.save()
    services.refresh_source(source, now=NOW, client_of=provider.client_of)
    SourceHour.objects.all().delete()
    IngestRun.objects.all().delete()
    provider.asked.clear()
    return source


def on_call(number: int, does: Callable[[], object]) -> Callable[[], None]:
    """What to do at the `number`th call, the first being 1."""
    calls = iter(range(1, 100))

    def called() -> None:
        if next(calls) == number:
            does()

    return called


def cut_off() -> None:
    raise CutOff


def test_a_week_of_a_large_organization_is_read_in_parts_newest_first(
    source: Source, provider: FakeProvider, monkeypatch
) -> None:
    monkeypatch.setattr(backfill, "ROWS_PER_WALK", 25)
    services.plan_backfill(source, now=NOW, days=2)
    read_next(source, provider)
    parts = IngestRun.objects.filter(kind="backfill").order_by("pk")
    assert list(parts.values_list("start_hour", "end_hour")) == [
        (HOUR + 35, HOUR + 60),
        (HOUR + 10, HOUR + 35),
        (HOUR, HOUR + 10),
    ]
    assert weeks(source) == [(0, 60, "fetched")]


def test_a_limit_between_the_parts_of_a_week_leaves_it_partly_read(
    source: Source, provider: FakeProvider, monkeypatch
) -> None:
    monkeypatch.setattr(backfill, "ROWS_PER_WALK", 30)
    provider.earliest_hour = HOUR + 30
    services.plan_backfill(source, now=NOW, days=4)
    read_next(source, provider)
    assert weeks(source) == [(-168, 168, "refused"), (0, 60, "partly")]


def test_a_week_that_fails_in_a_part_keeps_the_newer_parts_and_is_read_again(
    source: Source, provider: FakeProvider, monkeypatch
) -> None:
    monkeypatch.setattr(backfill, "ROWS_PER_WALK", 30)
    services.plan_backfill(source, now=NOW, days=2)
    provider.on_usage = on_call(3, lambda: provider.refuse(500, {"message": "broken"}))
    read_next(source, provider)
    assert weeks(source) == [(0, 60, "queued")]
    assert queries.missing_hours(source, HOUR, NOW_HOUR) == list(range(HOUR, HOUR + 30))


def test_a_week_too_long_for_one_task_is_read_over_several_and_no_hour_twice(
    source: Source, provider: FakeProvider, monkeypatch
) -> None:
    monkeypatch.setattr(backfill, "ROWS_PER_WALK", 6)
    services.plan_backfill(source, now=NOW, days=2)
    for _ in range(9):
        provider.on_usage = on_call(2, cut_off)
        with pytest.raises(CutOff):
            read_next(source, provider)
    provider.on_usage = on_call(2, cut_off)
    read_next(source, provider)
    assert weeks(source) == [(0, 60, "fetched")]
    assert provider.asked == [(start, start + 6) for start in range(HOUR + 54, HOUR - 1, -6)]


def test_a_week_is_given_up_after_five_unforeseen_errors_and_says_why(
    source: Source, provider: FakeProvider
) -> None:
    services.plan_backfill(source, now=NOW, days=2)
    provider.on_usage = cut_off
    for nth in range(backfill.MAX_TRIES):
        assert weeks(source) == [(0, 60, "queued")]
        with pytest.raises(CutOff):
            read_next(source, provider, NOW + timedelta(hours=2 * nth))
    week = BackfillWeek.objects.get()
    assert (week.state, week.tries) == ("failed", 5)
    assert week.note == "stopped by CutOff; the log of the worker says where"
    assert IngestRun.objects.filter(status="failed", error_code="unforeseen").count() == 5


def test_only_the_hours_that_a_week_lacks_are_asked_for(
    source: Source, provider: FakeProvider
) -> None:
    services.plan_backfill(source, now=NOW, days=2)
    read_next(source, provider)
    SourceHour.objects.filter(hour__in=[HOUR + 20, HOUR + 23]).delete()
    services.plan_backfill(source, now=NOW, days=2)
    provider.asked.clear()
    read_next(source, provider)
    assert provider.asked == [(HOUR + 20, HOUR + 24)]
    assert weeks(source) == [(0, 60, "fetched")]


def test_a_queued_week_that_lacks_nothing_any_more_asks_for_nothing(
    source: Source, provider: FakeProvider
) -> None:
    services.plan_backfill(source, now=NOW, days=2)
    read_next(source, provider)
    BackfillWeek.objects.update(state=BackfillWeek.State.QUEUED)
    provider.asked.clear()
    assert read_next(source, provider) is None
    assert (provider.asked, weeks(source)) == ([], [(0, 60, "fetched")])


def test_an_hour_that_the_provider_leaves_out_ends_no_week_in_a_circle(
    source: Source, provider: FakeProvider, monkeypatch
) -> None:
    monkeypatch.setattr(backfill, "ROWS_PER_WALK", 25)
    provider.left_out = {HOUR + 50, HOUR + 3}
    services.plan_backfill(source, now=NOW, days=2)
    read_next(source, provider)
    assert weeks(source) == [(0, 60, "fetched")]
    assert BackfillWeek.objects.get().note == "2 hours could not be read whole"
