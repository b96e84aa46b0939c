"""Walks over hours: pages and cursors."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from ingest.normalise import UsageRow
from ingest.openai_usage import walking
from ingest.openai_usage.errors import (
    BadAnswer,
)
from ingest.openai_usage.minutes import SeriesName
from tests.ingest.openai_usage.provider import (
    HOUR,
    Script,
    answer,
    between,
    bucket,
    client,
    minute,
    page,
    result,
)

LOOKBACK = "Usage and cost data are available for the past year. Earliest supported start date: "


def row(hour: int, **fields: Any) -> UsageRow:
    """The row of provider.result()."""
    known = {"requests": 10, "input_tokens": 1_000, "cached_tokens": 400, "output_tokens": 50}
    unknown = dict.fromkeys(UsageRow._fields)
    series = {"hour": hour, "project_id": "proj_a", "model": "gpt-5.5"}
    return UsageRow(**(unknown | series | known | fields))


def test_hours_idle_and_busy_are_read_whole() -> None:
    play = Script([answer(page(bucket(HOUR, result()), bucket(HOUR + 1)))])
    with client(play) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 2)
    assert walk.usage.rows == [row(HOUR)]
    assert walk.usage.covered_hours == [HOUR, HOUR + 1]
    assert walk.usage.shown_dimensions == ("project_id", "model")
    assert (walk.pages, walk.grouping, walk.notices) == (1, ("project_id", "model"), [])


def test_a_bucket_that_goes_on_over_the_next_page_adds_up() -> None:
    first = page(bucket(HOUR, result(api_key_id="key_1"), result()), next_page="p2")
    second = page(bucket(HOUR, result(), result(api_key_id="key_2")))
    with client(Script([answer(first), answer(second)])) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 1, ["api_key_id"])
    assert walk.usage.rows == [
        row(HOUR, api_key_id="key_1"),
        row(HOUR, requests=20, input_tokens=2_000, cached_tokens=800, output_tokens=100),
        row(HOUR, api_key_id="key_2"),
    ]


def test_a_bucket_left_out_by_the_answer_is_unknown_not_idle() -> None:
    with client(Script([answer(page(bucket(HOUR)))])) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 3)
    assert walk.usage.covered_hours == [HOUR]
    assert walk.notices == ["2 of the 3 hours asked for were not in the answers."]


def test_a_clipped_bucket_never_touches_a_full_hour() -> None:
    start_s = HOUR * 3_600
    clipped = between(start_s + 1_860, start_s + 3_600, result(input_tokens=7))
    now = between(start_s + 7_200, start_s + 7_263, result(input_tokens=9))
    sent = page(clipped, bucket(HOUR, result()), bucket(HOUR + 1), now)
    with client(Script([answer(sent)])) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 3)
    assert walk.usage.rows == [row(HOUR)]
    assert walk.usage.covered_hours == [HOUR, HOUR + 1]
    assert walk.usage.clipped_hours == [HOUR + 2]


def test_hours_beyond_those_asked_for_are_passed_over() -> None:
    sent = page(*(bucket(HOUR + n, result()) for n in range(-1, 3)))
    with client(Script([answer(sent)])) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 1)
    assert walk.usage.covered_hours == [HOUR]


def test_minutes_add_up_to_hours_and_an_hour_takes_all_sixty() -> None:
    whole = [minute(HOUR, n, result()) for n in range(60)]
    part = [minute(HOUR + 1, n, result()) for n in range(59)]
    with client(Script([answer(page(*whole, *part))])) as usage:
        walk = usage.walk_series_minutes(SeriesName("proj_a", "gpt-5.5"), HOUR, HOUR + 2).walk
    added = {"requests": 600, "input_tokens": 60_000, "cached_tokens": 24_000}
    assert walk.usage.rows == [row(HOUR, **added, output_tokens=3_000)]
    assert walk.usage.covered_hours == [HOUR]
    assert walk.usage.clipped_hours == [HOUR + 1]


def test_days_are_refused_with_the_reason() -> None:
    day = between(HOUR * 3_600, HOUR * 3_600 + 86_400, result())
    with client(Script([answer(page(day))])) as usage, pytest.raises(BadAnswer) as caught:
        usage.walk_hours(HOUR, HOUR + 24)
    assert caught.value.place == "page 1, bucket 2025-11-24T16:00Z"
    assert caught.value.reason.startswith("the bucket is 86,400 s wide, a day: ")
    assert caught.value.reason.endswith("ask for bucket_width=1h")


def test_an_unaligned_hour_is_refused() -> None:
    shifted = between(HOUR * 3_600 + 60, HOUR * 3_600 + 3_660)
    with (
        client(Script([answer(page(shifted))])) as usage,
        pytest.raises(BadAnswer, match="whole UTC"),
    ):
        usage.walk_hours(HOUR, HOUR + 1)


@pytest.mark.parametrize("cursor", [None, ""])
def test_more_pages_without_a_cursor_is_an_error(cursor: str | None) -> None:
    sent = page(bucket(HOUR)) | {"has_more": True, "next_page": cursor}
    with client(Script([answer(sent)])) as usage, pytest.raises(BadAnswer, match="no cursor"):
        usage.walk_hours(HOUR, HOUR + 1)


def test_a_repeated_cursor_is_an_error() -> None:
    pages = [page(bucket(HOUR + n), next_page=cursor) for n, cursor in enumerate("aba")]
    with client(Script(map(answer, pages))) as usage, pytest.raises(BadAnswer) as caught:
        usage.walk_hours(HOUR, HOUR + 5)
    assert caught.value.place == "page 3"
    assert "repeats an earlier cursor" in caught.value.reason


def test_the_same_page_under_ever_new_cursors_is_an_error() -> None:
    same = [page(bucket(HOUR, result()), bucket(HOUR + 1), next_page=cursor) for cursor in "ab"]
    with (
        client(Script(map(answer, same))) as usage,
        pytest.raises(BadAnswer, match="the page before"),
    ):
        usage.walk_hours(HOUR, HOUR + 5)


def test_pages_without_end_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "MOST_PAGES_PER_WINDOW", 3)
    endless = [answer(page(bucket(HOUR + n), next_page=f"p{n}")) for n in range(3)]
    with client(Script(endless)) as usage, pytest.raises(BadAnswer, match="goes on after 3 pages"):
        usage.walk_hours(HOUR, HOUR + 24)


def test_an_empty_page_with_a_cursor_ends_the_walk() -> None:
    past_the_end = page(next_page="p3")
    play = Script([answer(page(bucket(HOUR), next_page="p2")), answer(past_the_end)])
    with client(play) as usage:
        assert usage.walk_hours(HOUR, HOUR + 1).usage.covered_hours == [HOUR]


def test_without_has_more_the_cursor_decides() -> None:
    first = page(bucket(HOUR), next_page="p2")
    last = page(bucket(HOUR + 1))
    del first["has_more"], last["has_more"]
    with client(Script([answer(first), answer(last)])) as usage:
        assert usage.walk_hours(HOUR, HOUR + 2).usage.covered_hours == [HOUR, HOUR + 1]


def test_a_cursor_beside_has_more_false_is_not_followed() -> None:
    last = page(bucket(HOUR)) | {"next_page": "page_x"}
    with client(Script([answer(last)])) as usage:
        assert usage.walk_hours(HOUR, HOUR + 1).pages == 1


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        ({"object": "page", "has_more": False}, "no data"),
        ({"object": "list", "data": []}, 'its object is "list"'),
        ({"object": "page", "data": {}}, "its data is an object"),
        ({"object": "page", "data": [{"id": "proj_a"}]}, "it holds no bucket"),
        ({"object": "page", "data": [], "has_more": "no"}, "has_more is a text"),
        ({"object": "page", "data": [], "next_page": 3}, "next_page is a number"),
        ([], "it is a list"),
        ({"error": "none of your business"}, "an error"),
    ],
)
def test_an_answer_that_is_no_usage_page_is_an_error(sent: Any, reason: str) -> None:
    with client(Script([answer(sent)])) as usage, pytest.raises(BadAnswer) as caught:
        usage.walk_hours(HOUR, HOUR + 1)
    assert caught.value.place == "page 1"
    assert reason in caught.value.reason


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"data":[', b'{"data":"\xff"}', b"[" * 100_000])
def test_an_answer_that_is_not_json_is_an_error(body: bytes) -> None:
    with client(Script([httpx.Response(200, content=body)])) as usage, pytest.raises(BadAnswer):
        usage.walk_hours(HOUR, HOUR + 1)
