"""A backfill whose provider, key or process fails midway goes on when it can, and reads all of it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connections

from ingest import services
from ingest.models import BackfillWeek, IngestRun, Source, SourceHour
from tests.faults import broken_answers as broken
from tests.faults.reading import backfill, client_of, connect, now_of, outcome, read, stored_of
from tests.faults.stored import differences
from tests.faults.wire import Wire, wire

DAYS = 17


@pytest.fixture
def provider() -> Iterator[Wire]:
    with wire() as served:
        yield served


@pytest.fixture
def undisturbed(db: None, provider: Wire) -> Source:
    """A source whose history was read while the provider was well."""
    source = connect(provider, "undisturbed", days=DAYS)
    read(source, now_of(provider))
    assert {outcome(reading) for reading in backfill(source, now_of(provider))} == {("ok", "")}
    assert set(states(source)) == {"fetched"}
    return source


def states(source: Source) -> list[str]:
    weeks = BackfillWeek.objects.filter(source=source).order_by("-start_hour")
    return list(weeks.values_list("state", flat=True))


def test_a_key_revoked_midway_stops_the_backfill_and_a_key_that_works_again_lets_it_go_on(
    provider: Wire, undisturbed: Source
) -> None:
    source, now = connect(provider, "disturbed", days=DAYS), now_of(provider)
    read(source, now)
    backfill(source, now, most=2)
    provider.api.access.lenient = False
    [refused] = backfill(source, now)
    assert outcome(refused) == ("failed", "key_rejected")
    assert refused.needs_people
    source.refresh_from_db()
    assert "does not accept this key (401)" in source.problem
    assert states(source)[:3] == ["fetched", "fetched", "queued"]
    kept = SourceHour.objects.filter(source=source).count()
    assert backfill(source, now + timedelta(hours=1)) == []
    assert outcome(read(source, now)) == ("failed", "key_rejected")
    assert SourceHour.objects.filter(source=source).count() == kept

    provider.api.access.lenient = True
    assert outcome(read(source, now)) == ("ok", "")  # the hourly read, which goes on all the time
    assert {outcome(one) for one in backfill(source, now + timedelta(minutes=2))} == {("ok", "")}
    assert differences(stored_of(undisturbed), stored_of(source)) == []


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (broken.refuses(429, Retry_After="0"), "rate_limited"),
        (broken.refuses(500), "provider_failed"),
        (broken.goes_in_a_circle, "bad_answer"),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_weeks_that_were_given_up_in_a_long_outage_are_read_when_it_is_over(
    provider: Wire, undisturbed: Source, fault: broken.Fault, code: str
) -> None:
    source, now = connect(provider, "disturbed", days=DAYS), now_of(provider)
    read(source, now)
    backfill(source, now, most=1)
    provider.break_down(fault)
    moment = now
    while set(states(source)) != {"fetched", "failed"}:
        assert {outcome(one) for one in backfill(source, moment)} <= {("failed", code)}
        moment += timedelta(minutes=4)
        assert moment < now + timedelta(hours=4)
    assert services.due_weeks(now=moment + timedelta(hours=1)) == []

    provider.recover()
    moment += timedelta(hours=6)
    assert {outcome(one) for one in backfill(source, moment)} == {("ok", "")}
    found = stored_of(source)
    found["weeks"] = [(start, state, "") for start, state, _note in found["weeks"]]
    assert differences(stored_of(undisturbed), found) == []


@pytest.mark.django_db(transaction=True)
def test_two_backfills_of_one_source_at_once_read_each_week_once(provider: Wire) -> None:
    now = now_of(provider)
    source, alone = connect(provider, "disturbed", days=DAYS), connect(provider, "alone", days=DAYS)
    refused: list[str] = []

    def work() -> None:
        try:
            while left := BackfillWeek.objects.filter(source=source, state="queued").exists():
                week = services.next_week(source, now=now)
                try:
                    if week is not None:
                        services.backfill_week(week, now=now, client_of=client_of)
                except services.SourceBusy as busy:
                    refused.append(str(busy))
            assert not left
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    backfill(alone, now)
    runs = IngestRun.objects.filter(source=source)
    assert set(runs.values_list("status", flat=True)) == {"ok"}
    assert runs.count() == BackfillWeek.objects.filter(source=source).count()
    assert differences(stored_of(alone), stored_of(source)) == []
    assert set(refused) <= {"disturbed is being read by another run"}
