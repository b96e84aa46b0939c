"""Days of minutes that wait: behind another run, through a pause, for a key, for their turn."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from ingest import queries, services, tasks
from ingest.models import Series, SeriesMinutes, Source
from ingest.services.locks import source_lock
from ingest.simulator.access import DEMO_KEY
from tests.ingest.minutes.minutes_asked import (
    NOW,
    START,
    UTC_DAY,
    answering,
    read,
    with_key,
)


def test_a_source_that_is_read_by_another_run_keeps_its_requests(series: Series) -> None:
    asked = services.ask_for_minutes(series, START, now=NOW).minutes
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [0x63770002, series.source_id])
        with pytest.raises(services.SourceBusy):
            services.read_minutes(asked, now=NOW)
        tasks.read_minutes(series.source_id)  # beat asks again
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock_all()")
    finally:
        other.close()
    with source_lock(series.source):
        assert SeriesMinutes.objects.get().state == "queued"


def test_minutes_of_a_removed_source_are_not_read(series: Series) -> None:
    services.ask_for_minutes(series, START, now=NOW)
    services.remove_source(series.source, now=NOW)
    tasks.read_minutes(series.source_id)
    assert SeriesMinutes.objects.get().state == "queued"
    services.delete_removed_source(series.source)
    assert not SeriesMinutes.objects.exists()


def test_a_request_waits_once_and_becomes_one_by_hand(series: Series) -> None:
    first = services.ask_for_minutes(series, START, now=NOW)
    assert (first.is_new, first.minutes.by_hand) == (True, False)
    by_hand = services.ask_for_minutes(series, START, now=NOW, by_hand=True)
    assert (by_hand.is_new, by_hand.minutes) == (True, first.minutes)
    again = services.ask_for_minutes(series, START, now=NOW, by_hand=True)
    assert (again.is_new, SeriesMinutes.objects.get().by_hand) == (False, True)


def test_of_a_paused_source_what_was_asked_for_by_hand_is_read_alone(series: Series) -> None:
    automatic = services.ask_for_minutes(series, START, now=NOW).minutes
    Source.objects.update(paused=True)
    tasks.read_minutes(series.source_id)
    assert services.read_minutes(automatic, now=NOW).state == "queued"
    services.ask_for_minutes(series, START, now=NOW, by_hand=True)
    tasks.read_minutes(series.source_id)
    assert SeriesMinutes.objects.get().state == "fetched"


def test_a_key_that_cannot_be_opened_may_be_repaired(series: Series) -> None:
    key = series.source.key_encrypted
    Source.objects.update(key_encrypted=None)
    stored = read(Series.objects.get(pk=series.pk))
    assert (stored.state, stored.reason_code) == ("failed", "key_missing")
    Source.objects.update(key_encrypted=key)
    assert read(Series.objects.get(pk=series.pk)).state == "fetched"


def test_a_failure_that_all_others_would_meet_ends_the_reading(series: Series) -> None:
    with_key(series.source, DEMO_KEY + "-401")
    others = list(Series.objects.exclude(pk=series.pk)[:2])
    for minute, one in enumerate([series, *others]):
        services.ask_for_minutes(one, START, now=NOW + timedelta(minutes=minute))
    assert services.read_waiting_minutes(series.source, now=NOW) == 1
    assert queries.queued_minutes(series.source).count() == 2
    with_key(series.source, DEMO_KEY)
    assert services.read_waiting_minutes(series.source, now=NOW) == 2
    assert queries.queued_minutes(series.source).count() == 0


def test_the_span_of_the_rows_is_theirs_until_others_are_read(series: Series) -> None:
    before = read(series)
    asked = services.ask_for_minutes(series, START + 3, now=NOW).minutes
    assert (asked.pk, asked.asked_start_hour) == (before.pk, START + 3)
    assert (asked.start_hour, asked.end_hour) == (START, START + 24)
    services.read_minutes(asked, now=NOW, client_of=answering(500, {"message": "down"}))
    stored = SeriesMinutes.objects.get()
    assert (stored.state, stored.start_hour, stored.hours_read[0]) == ("failed", START, START)
    services.read_minutes(services.ask_for_minutes(series, START + 3, now=NOW).minutes, now=NOW)
    stored = SeriesMinutes.objects.get()
    assert (stored.start_hour, stored.end_hour) == (START + 3, START + 27)
    assert stored.hours_read == list(range(START + 3, START + 27))


class Rival:
    """Asks for another day between our look and our request, and is answered at once."""

    def __init__(self, series: Series) -> None:
        self._series, self._asked = series, False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        done = execute(sql, params, many, context)
        rows = SeriesMinutes.objects.filter(series=self._series)
        if sql.startswith("SELECT") and not self._asked:
            self._asked = True
            rows.create(
                series=self._series,
                day=UTC_DAY - timedelta(days=1),
                start_hour=START - 24,
                asked_start_hour=START - 24,
                end_hour=START,
                asked_at=NOW,
            )
        elif sql.startswith("ROLLBACK TO"):
            rows.update(state="fetched")
        return done


def test_a_request_that_gave_way_to_an_answered_one_is_that_one(series: Series) -> None:
    with connection.execute_wrapper(Rival(series)):
        found = services.ask_for_minutes(series, START, now=NOW)
    assert (found.minutes, found.is_new) == (SeriesMinutes.objects.get(), False)
    assert (found.minutes.start_hour, found.minutes.state) == (START - 24, "fetched")
