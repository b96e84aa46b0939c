"""Hours that are read again as they are stored, known by a digest."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from ingest.models import Series, Source, SourceHour, UsageBucket
from ingest.store import StoreCounts
from tests.factories import HOUR, at, hourly_usage, usage_row
from tests.ingest.test_store import store, stored_rows


def test_an_hour_read_again_as_it_is_stored_is_known_by_its_digest(source: Source) -> None:
    idle = hourly_usage([usage_row()], covered=[HOUR, HOUR + 1])
    store(source, idle)
    with CaptureQueriesContext(connection) as asked:
        assert store(source, idle, now_hour=HOUR + 30) == StoreCounts(0, 0, 0, 1, 0)
    assert not any("ingest_usagebucket bucket" in query["sql"] for query in asked.captured_queries)
    assert {hour.fetched_at for hour in SourceHour.objects.all()} == {at(HOUR + 30, 2)}
    assert store(source, hourly_usage([usage_row(requests=11)])) == StoreCounts(0, 1, 0, 0, 0)
    assert store(source, hourly_usage([usage_row(requests=11)])) == StoreCounts(0, 0, 0, 1, 0)
    assert store(source, hourly_usage([usage_row()])) == StoreCounts(0, 1, 0, 0, 0)


def test_a_digest_says_nothing_once_another_wrote_the_hour_without_one(source: Source) -> None:
    store(source, hourly_usage([usage_row()]))
    UsageBucket.objects.update(requests=99)
    SourceHour.objects.update(fetched_at=at(HOUR + 26))  # as a worker of an earlier version does
    assert store(source, hourly_usage([usage_row()])) == StoreCounts(0, 1, 0, 0, 0)
    assert stored_rows(source) == [usage_row()]


def test_a_partly_read_hour_has_no_digest(source: Source) -> None:
    whole = hourly_usage([usage_row()])
    store(source, whole)
    gained = hourly_usage([usage_row(api_key_id="key_2")], covered=[], partly=[HOUR])
    assert store(source, gained) == StoreCounts(1, 0, 0, 0, 0)
    assert store(source, whole) == StoreCounts(0, 0, 1, 1, 0)
    assert stored_rows(source) == [usage_row()]


def test_a_new_hour_beside_unchanged_ones_is_written_alone(source: Source) -> None:
    rows = [usage_row(HOUR + hour) for hour in range(4)]
    store(source, hourly_usage(rows[:3]))
    assert store(source, hourly_usage(rows)) == StoreCounts(1, 0, 0, 3, 0)
    assert stored_rows(source) == sorted(rows, key=repr)
    assert (Series.objects.get().first_hour, Series.objects.get().last_hour) == (HOUR, HOUR + 3)
