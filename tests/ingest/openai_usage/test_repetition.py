"""Pages that say the same again, and cursors that are none."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.openai_usage.errors import BadAnswer
from ingest.openai_usage.minutes import SeriesName
from tests.ingest.openai_usage.provider import (
    HOUR,
    Script,
    answer,
    bucket,
    client,
    minute,
    page,
    result,
)


def refused(*pages: Any) -> BadAnswer:
    play = Script(map(answer, pages))
    with client(play) as usage, pytest.raises(BadAnswer) as caught:
        usage.walk_hours(HOUR, HOUR + 5)
    return caught.value


def test_a_page_of_one_bucket_sent_again_under_a_new_cursor_is_refused_not_counted_twice() -> None:
    problem = refused(
        page(bucket(HOUR, result()), next_page="a"),
        page(bucket(HOUR, result()), next_page="b"),
    )
    assert problem.place == "page 2, bucket 2025-11-24T16:00Z"
    assert problem.reason == (
        "its rows came before in this answer, the very same, and would count double: "
        "the provider's pages repeat themselves"
    )


def test_a_bucket_that_comes_again_after_others_is_refused_too() -> None:
    problem = refused(
        page(bucket(HOUR, result()), bucket(HOUR + 1, result()), next_page="a"),
        page(bucket(HOUR + 1, result()), bucket(HOUR + 2, result())),
    )
    assert problem.place == "page 2, bucket 2025-11-24T17:00Z"


def test_the_same_rows_in_another_hour_are_no_repetition() -> None:
    pages = [page(bucket(HOUR + n, result()), next_page=cursor) for n, cursor in enumerate("ab")]
    play = Script(map(answer, [*pages, page(bucket(HOUR + 2, result()))]))
    with client(play) as usage:
        rows = usage.walk_hours(HOUR, HOUR + 3).usage.rows
    assert [row.requests for row in rows] == [10, 10, 10]


def test_equal_minutes_are_no_repetition() -> None:
    sent = page(*(minute(HOUR, number, result()) for number in range(60)))
    with client(Script([answer(sent)])) as usage:
        found = usage.walk_series_minutes(SeriesName("proj_a", "gpt-5.5"), HOUR, HOUR + 1)
    (row,) = found.walk.usage.rows
    assert row.requests == 600


def test_an_idle_bucket_that_comes_again_is_still_idle() -> None:
    pages = [page(bucket(HOUR), next_page="a"), page(bucket(HOUR))]
    with client(Script(map(answer, pages))) as usage:
        found = usage.walk_hours(HOUR, HOUR + 1).usage
    assert (found.rows, found.covered_hours) == ([], [HOUR])


def test_a_cursor_that_fits_into_no_address_is_refused_in_words() -> None:
    problem = refused(page(bucket(HOUR), next_page="p" * 5_000_000))
    assert problem.sentence == (
        "page 1: its next_page has 5,000,000 characters: no cursor has, nor can it be sent back"
    )


def test_the_longest_cursor_is_sent_back_whatever_its_characters_are() -> None:
    cursor = "€" * 2_000
    play = Script([answer(page(bucket(HOUR), next_page=cursor)), answer(page(bucket(HOUR + 1)))])
    with client(play) as usage:
        assert usage.walk_hours(HOUR, HOUR + 2).pages == 2
    assert play.queries[1]["page"] == cursor


def test_a_list_whose_cursor_fits_into_no_address_is_refused_in_words() -> None:
    sent = {"object": "list", "data": [{"id": "proj_a"}], "has_more": True, "last_id": "x" * 99_999}
    with client(Script([answer(sent)])) as usage, pytest.raises(BadAnswer) as caught:
        usage.list_projects()
    assert caught.value.sentence == (
        "projects, page 1: its last_id has 99,999 characters: no cursor has, nor can it be sent "
        "back"
    )
