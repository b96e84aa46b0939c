"""Days of minutes: read from a simulated organization over HTTP, kept, refused in words."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from django.db import IntegrityError, transaction

from ingest import queries, services, tasks
from ingest.models import Series, SeriesMinutes, Source
from ingest.models.minutes import pack_minutes, unpack_minutes
from ingest.simulator.access import DEMO_KEY
from tests.ingest.minutes.minutes_asked import (
    NOW,
    NOW_HOUR,
    START,
    UTC_DAY,
    answering,
    read,
    with_key,
)


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
