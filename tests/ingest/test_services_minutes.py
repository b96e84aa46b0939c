"""Days of minutes: asked for, read from a simulated organization over HTTP, kept, refused in words."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import numpy as np
import pytest
from django.db import IntegrityError, connection, transaction

from ingest import queries, services, tasks
from ingest.models import IngestRun, Series, SeriesMinutes, Source
from ingest.models.minutes import pack_minutes, unpack_minutes
from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.retrying import Patience
from ingest.services.keys import ClientOf, put_key
from ingest.services.locks import source_lock
from ingest.services.walks import read_hours
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World
from tests.factories import at, make_source

NOW_HOUR = 498_864  # 2026-11-29T00:00Z
NOW = at(NOW_HOUR, 5)
START = NOW_HOUR - 46  # a service day that begins at 02:00
UTC_DAY = datetime(2026, 11, 27, tzinfo=UTC).date()


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Api]]:
    world = World(all_stories(), 1, NOW_HOUR, 42, 0)
    api = Api(world, Access(), NOW.timestamp)
    server = Server("127.0.0.1", 0, api)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"{server.url}/v1", api
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def acme(served: tuple[str, Api], db: None) -> Source:
    """A source that reads the simulated organization, with two days of hours."""
    return with_key(make_source(base_url=served[0]), DEMO_KEY)


def with_key(source: Source, key: str) -> Source:
    put_key(source, key)
    source.save()
    return source


@pytest.fixture
def series(acme: Source) -> Series:
    read_hours(
        acme, START, START + 24, kind=IngestRun.Kind.MANUAL, now=NOW, client_of=services.client_of
    )
    return max(Series.objects.all(), key=requests_of)


def requests_of(series: Series) -> float:
    return float(np.nansum(queries.load_series_hours([series.pk], START, START + 24).requests))


def read(series: Series, client_of: ClientOf = services.client_of) -> SeriesMinutes:
    asked = services.ask_for_minutes(series, START, now=NOW).minutes
    return services.read_minutes(asked, now=NOW, client_of=client_of)


def test_the_minutes_of_a_day_are_kept_and_agree_with_the_stored_hours(series: Series) -> None:
    version = series.data_version
    read(series)
    stored = queries.minutes_by_series([series.pk], START, START + 24)[series.pk]
    columns = queries.minute_columns(stored)
    hours = queries.load_series_hours([series.pk], START, START + 24)
    for name in ("requests", "input_tokens", "cached_tokens"):
        by_hour = np.bincount(columns.minute // 60 - START, getattr(columns, name), minlength=24)
        assert by_hour[hours.hour - START].tolist() == getattr(hours, name).tolist()
        assert by_hour.sum() == getattr(hours, name).sum()
    assert (stored.state, stored.reason, stored.day) == ("fetched", "", UTC_DAY)
    assert stored.hours_read == list(range(START, START + 24))
    assert stored.grouping == "api_key_id,batch,service_tier"
    assert (stored.fetched_at, stored.data_version) == (NOW, version)
    assert columns.cell.max() < len(stored.cells)


def test_what_was_read_makes_the_verdict_stale(series: Series) -> None:
    before = series.data_version
    read(series)
    series.refresh_from_db()
    assert series.data_version == before + 1


def test_a_second_reading_of_a_day_replaces_the_first(series: Series) -> None:
    first = read(series)
    again = read(series)
    assert again.pk == first.pk
    assert SeriesMinutes.objects.count() == 1
    assert bytes(again.packed or b"") == bytes(first.packed or b"")


def test_a_request_that_was_answered_already_is_not_read_again(series: Series) -> None:
    asked = services.ask_for_minutes(series, START, now=NOW).minutes
    services.read_minutes(asked, now=NOW)
    Source.objects.update(base_url="http://127.0.0.1:1/v1")
    services.read_minutes(asked, now=NOW + timedelta(hours=1))
    tasks.read_minutes(series.source_id)
    assert SeriesMinutes.objects.get().fetched_at == NOW
    assert SeriesMinutes.objects.get().state == "fetched"


def test_one_day_of_a_series_waits_at_a_time(series: Series) -> None:
    asked = services.ask_for_minutes(series, START, now=NOW).minutes
    assert services.ask_for_minutes(series, START - 24, now=NOW) == (asked, False)
    with pytest.raises(IntegrityError), transaction.atomic():
        SeriesMinutes.objects.create(
            series=series,
            day=UTC_DAY - timedelta(days=1),
            start_hour=0,
            asked_start_hour=0,
            end_hour=24,
            asked_at=NOW,
        )
    assert list(queries.queued_minutes(series.source)) == [asked]


@pytest.mark.parametrize(
    ("suffix", "state", "code", "words"),
    [
        ("-403", "failed", "scope_missing", "lacks the scope api.usage.read"),
        ("-401", "failed", "key_rejected", "does not accept this key (401)"),
    ],
)
def test_a_key_that_may_not_read_leaves_the_reason(
    series: Series, suffix: str, state: str, code: str, words: str
) -> None:
    with_key(series.source, DEMO_KEY + suffix)
    read(series)
    stored = SeriesMinutes.objects.get()
    assert (stored.state, stored.reason_code, stored.packed) == (state, code, None)
    assert words in stored.reason
    assert queries.minutes_by_series([series.pk], START, START + 24) == {}


def test_a_day_before_the_lookback_leaves_the_reason(series: Series) -> None:
    with_key(series.source, DEMO_KEY + "-30-days")
    asked = services.ask_for_minutes(series, NOW_HOUR - 32 * 24, now=NOW).minutes
    stored = services.read_minutes(asked, now=NOW)
    assert (stored.state, stored.reason_code) == ("refused", "lookback_exceeded")
    assert "no longer keeps usage from so long ago" in stored.reason


def answering(status: int, error: dict[str, str]) -> ClientOf:
    """A provider that answers every call so."""
    answer = httpx.MockTransport(lambda _: httpx.Response(status, json={"error": error}))
    return lambda source: UsageClient(
        base_url=source.base_url,
        admin_key=DEMO_KEY,
        transport=answer,
        patience=Patience(tries=1),
    )


def test_a_provider_without_minutes_leaves_its_words_and_what_was_read_before(
    series: Series,
) -> None:
    before = read(series)
    refusal = {"message": "Invalid value: '1m'. Supported values are: '1h'."}
    read(series, answering(400, refusal))
    stored = SeriesMinutes.objects.get()
    assert (stored.state, stored.reason_code) == ("refused", "request_refused")
    assert stored.reason == (
        "The provider refused the request (400: Invalid value: '1m'. Supported values are: '1h')."
    )
    assert bytes(stored.packed or b"") == bytes(before.packed or b"")
    assert queries.minutes_by_series([series.pk], START, START + 24) == {series.pk: stored}


def test_a_failure_that_may_pass_is_told_apart(series: Series) -> None:
    read(series, answering(500, {"message": "The server had an error"}))
    stored = SeriesMinutes.objects.get()
    assert (stored.state, stored.reason_code) == ("failed", "provider_failed")


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


def test_days_are_forgotten_after_five_weeks(series: Series) -> None:
    for days_ago in (2, 35, 36):
        SeriesMinutes.objects.create(
            series=series,
            day=(NOW - timedelta(days=days_ago)).date(),
            start_hour=NOW_HOUR - 24 * days_ago,
            asked_start_hour=NOW_HOUR - 24 * days_ago,
            end_hour=NOW_HOUR - 24 * days_ago + 24,
            state="fetched",
            asked_at=NOW,
        )
    assert services.forget_old_minutes(now=NOW) == 1
    assert SeriesMinutes.objects.count() == 2


def test_what_is_not_reported_stays_unknown_when_packed() -> None:
    rows = np.array([[5, 6], [0, 1], [3, 2**53], [-1, 7], [0, -1]], np.int64)
    assert unpack_minutes(pack_minutes(rows)).tolist() == rows.tolist()
    stored = SeriesMinutes(packed=pack_minutes(rows))
    columns = queries.minute_columns(stored)
    assert np.isnan(columns.input_tokens).tolist() == [True, False]
    assert columns.requests.tolist() == [3.0, 2.0**53]
    nothing = queries.minute_columns(SeriesMinutes(packed=None))
    assert (len(nothing.minute), len(nothing.cached_tokens)) == (0, 0)
