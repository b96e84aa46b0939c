"""The minutes of a series over HTTP: asked for, shown, refused in words."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
import redis
from celery import current_app

from cachewatch.accounts.models import User
from cachewatch.verdicts.models import Verdict
from ingest.models import Series, SeriesMinutes, Source
from tests.cachewatch.people import Caller, error_of
from tests.cachewatch.verdicts.minutes_of import falling_by_minute, store_minutes_of
from tests.factories import HOUR

pytestmark = pytest.mark.usefixtures("queue")
DAY = HOUR + 5 * 24 + 3  # the newest of equally busy days
NOTHING = {
    "state": "none",
    "start": None,
    "end": None,
    "asked_at": None,
    "fetched_at": None,
    "reason": "",
    "reason_code": "",
    "notices": [],
    "hours_read": 0,
    "grouping": [],
    "data_version": None,
    "test": None,
    "minutes": [],
}


@pytest.fixture
def series(week: Source) -> Series:
    return Series.objects.get(project_id="proj_a")


def minutes_of(caller: Caller, series: Series) -> dict[str, Any]:
    found: dict[str, Any] = caller.get(f"/series/{series.pk}/minutes").json()
    return found


def test_a_series_whose_minutes_were_never_read_says_so(rita: User, series: Series) -> None:
    assert minutes_of(Caller(rita), series) == NOTHING


def test_a_member_asks_for_the_busiest_day_and_a_worker_is_told(
    bob: User, series: Series, clock: datetime, queue: redis.Redis
) -> None:
    answer = Caller(bob).post(f"/series/{series.pk}/minutes")
    assert (answer.status_code, answer.json()) == (
        200,
        NOTHING
        | {
            "state": "queued",
            "start": "2026-11-07T03:00:00Z",
            "end": "2026-11-08T03:00:00Z",
            "asked_at": "2026-11-09T02:10:00Z",
        },
    )
    assert queue.llen(current_app.conf.task_default_queue) == 1
    again = Caller(bob).post(f"/series/{series.pk}/minutes")
    assert again.json() == answer.json() == minutes_of(Caller(bob), series)
    assert SeriesMinutes.objects.count() == 1
    assert queue.llen(current_app.conf.task_default_queue) == 1


def test_a_day_that_was_answered_just_now_is_not_asked_for_again(
    bob: User, series: Series, clock: datetime, queue: redis.Redis
) -> None:
    Caller(bob).post(f"/series/{series.pk}/minutes")
    SeriesMinutes.objects.update(state="refused", asked_at=clock - timedelta(minutes=4))
    answer = Caller(bob).post(f"/series/{series.pk}/minutes")
    assert (answer.status_code, error_of(answer)["code"]) == (429, "asked_just_now")
    assert "ask again in 360 s" in error_of(answer)["message"]
    assert queue.llen(current_app.conf.task_default_queue) == 1


def test_minutes_that_were_read_are_shown_with_their_test(rita: User, series: Series) -> None:
    stored = store_minutes_of(series, DAY, falling_by_minute, grouping="api_key_id,batch")
    shown = minutes_of(Caller(rita), series)
    assert (shown["state"], shown["hours_read"]) == ("fetched", 24)
    assert shown["grouping"] == ["api_key_id", "batch"]
    assert shown["test"]["slope"] < -0.2
    assert shown["test"]["standard_errors"] < -5
    assert (shown["test"]["hours"], shown["test"]["minutes"]) == (12, 720)
    assert len(shown["minutes"]) == 24 * 60
    first = shown["minutes"][0]
    assert first["at"] == shown["start"] == "2026-11-07T03:00:00Z"
    assert first["input_tokens"] == first["requests"] * 2_000
    assert stored.packed is not None


def test_a_refusal_is_shown_in_words(rita: User, series: Series) -> None:
    SeriesMinutes.objects.create(
        series=series,
        day="2026-11-07",
        start_hour=DAY,
        asked_start_hour=DAY,
        end_hour=DAY + 24,
        state="refused",
        reason_code="request_refused",
        reason="The provider refused the request (400: Invalid value: '1m').",
        asked_at="2026-11-09T02:10:00Z",
    )
    shown = minutes_of(Caller(rita), series)
    assert (shown["state"], shown["reason_code"]) == ("refused", "request_refused")
    assert shown["reason"] == "The provider refused the request (400: Invalid value: '1m')."
    assert (shown["test"], shown["minutes"]) == (None, [])


def test_without_a_complete_day_nothing_is_asked_for(bob: User, series: Series) -> None:
    Verdict.objects.all().delete()
    answer = Caller(bob).post(f"/series/{series.pk}/minutes")
    assert (answer.status_code, error_of(answer)["code"]) == (409, "no_complete_day")
    assert not SeriesMinutes.objects.exists()


def test_a_series_that_may_not_be_seen_is_not_found(bob: User, globex: Source) -> None:
    hidden = Series.objects.create(source=globex, project_id="proj_a", model="gpt-5.4")
    for method in ("GET", "POST"):
        answer = Caller(bob).call(method, f"/series/{hidden.pk}/minutes")
        assert (answer.status_code, error_of(answer)["code"]) == (404, "not_found")
