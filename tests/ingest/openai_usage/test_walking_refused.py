"""Walks over hours: page sizes, and what the provider refuses on the way."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from ingest.normalise import UsageRow
from ingest.openai_usage import connection
from ingest.openai_usage.errors import (
    AnswerTimedOut,
    AnswerTooLarge,
    GroupingRefused,
    LimitRefused,
    LookbackExceeded,
)
from ingest.openai_usage.walking import PageProgress, all_dimensions
from tests.ingest.openai_usage.provider import (
    HOUR,
    NOW_S,
    Hours,
    Script,
    answer,
    bucket,
    client,
    error,
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


def test_the_page_size_starts_at_a_day_and_grows_to_a_week() -> None:
    play = Hours([bucket(HOUR + n, result()) for n in range(24 * 28)])
    with client(play) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 24 * 28)
    assert play.limits == [24, 48, 96, 168, 168, 168]
    assert walk.usage.covered_hours == list(range(HOUR, HOUR + 24 * 28))
    assert walk.usage.rows == [row(hour) for hour in walk.usage.covered_hours]


def test_a_time_out_halves_the_page_size_for_the_rest_of_the_walk() -> None:
    hours = Hours([bucket(HOUR + n) for n in range(30)])
    play = Script([httpx.ReadTimeout("slow"), httpx.ReadTimeout("slow"), *[hours] * 5])
    with client(play) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 30)
    assert [query["limit"] for query in play.queries] == ["24", "12", *["6"] * 5]
    assert walk.usage.covered_hours == list(range(HOUR, HOUR + 30))


def test_a_time_out_on_a_later_page_asks_for_that_window_again() -> None:
    first = page(*(bucket(HOUR + n, result()) for n in range(12)), next_page="p2")
    hours = Hours([bucket(HOUR + n, result()) for n in range(24)])
    with client(Script([answer(first), httpx.ReadTimeout("slow"), hours, hours])) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 24)
    assert walk.usage.rows == [row(HOUR + n) for n in range(24)]


def test_an_answer_over_the_size_limit_halves_the_page_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "LARGEST_ANSWER_BYTES", 3_000)
    play = Hours([bucket(HOUR + n, result()) for n in range(24)])
    with client(play) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 24)
    assert play.limits[:4] == [24, 12, 6, 6]
    assert walk.usage.rows == [row(HOUR + n) for n in range(24)]


def test_an_hour_over_the_size_limit_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LARGEST_ANSWER_BYTES", 300)
    play = Hours([bucket(HOUR, *[result()] * 3)])
    with client(play) as usage, pytest.raises(AnswerTooLarge, match="larger than 300 bytes"):
        usage.walk_hours(HOUR, HOUR + 1)


def test_an_hour_that_times_out_again_and_again_is_an_error() -> None:
    play = Script([httpx.ReadTimeout("slow")] * 3)
    with client(play) as usage, pytest.raises(AnswerTimedOut, match="did not answer in time"):
        usage.walk_hours(HOUR, HOUR + 1)


@pytest.mark.parametrize(
    ("message", "then"),
    [
        ("Invalid limit provided: 24. Limit must be less than or equal to 10.", "10"),
        ("Invalid limit.", "12"),
    ],
)
def test_a_refused_limit_is_obeyed(message: str, then: str) -> None:
    hours = Hours([bucket(HOUR + n) for n in range(24)])
    play = Script([error(400, message), *[hours] * 3])
    with client(play) as usage:
        assert len(usage.walk_hours(HOUR, HOUR + 24).usage.covered_hours) == 24
    assert play.queries[1]["limit"] == then


def test_a_limit_refused_down_to_nothing_is_an_error() -> None:
    refusals = [error(400, "Invalid limit provided.")] * 5
    with client(Script(refusals)) as usage, pytest.raises(LimitRefused, match="Invalid limit"):
        usage.walk_hours(HOUR, HOUR + 24)


def test_a_grouping_that_is_refused_is_left_out_and_said() -> None:
    refusal = error(400, "Unsupported value for group_by: 'batch'. Supported values are: 'model'.")
    play = Script([refusal, answer(page(bucket(HOUR, result())))])
    with client(play) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 1, ["api_key_id", "batch", "service_tier"])
    assert walk.grouping == ("project_id", "model", "service_tier", "api_key_id")
    assert walk.refused_grouping == ("batch",)
    assert walk.notices[0].startswith("The provider refused to group by batch: read without it.")


def test_a_walk_never_mixes_two_groupings() -> None:
    full = answer(page(*(bucket(HOUR + n, result(batch=False)) for n in range(24))))
    refusal = error(400, "group_by batch is not supported for this range")
    hours = Hours([bucket(HOUR + n, result()) for n in range(30)])
    with client(Script([full, refusal, hours, hours])) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 30, ["batch"])
    assert walk.usage.rows == [row(HOUR + n) for n in range(30)]


def test_groupings_go_one_by_one_where_the_refusal_does_not_say_which() -> None:
    play = Script([*[error(400, "Invalid group_by.")] * 3, answer(page(bucket(HOUR)))])
    with client(play) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 1, ["api_key_id", "batch", "service_tier"])
    assert walk.grouping == ("project_id", "model")
    assert walk.refused_grouping == ("api_key_id", "service_tier", "batch")


def test_project_and_model_are_never_given_up() -> None:
    play = Script([error(400, "Invalid group_by.")])
    with client(play) as usage, pytest.raises(GroupingRefused):
        usage.walk_hours(HOUR, HOUR + 1)


def test_a_dimension_that_does_not_exist_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="not a dimension of usage: colour"):
        all_dimensions(["colour", "batch"])


def test_a_start_before_the_lookback_moves_to_the_date_named() -> None:
    date = error(400, f"{LOOKBACK}2025-11-25 (UTC).", "reporting_lookback_exceeded")
    kept = 490_008  # 2025-11-25T00:00Z
    play = Script([date, answer(page(bucket(kept, result())))])
    with client(play) as usage:
        walk = usage.walk_hours(HOUR, kept + 1)
    assert walk.usage.covered_hours == [kept]
    assert walk.refused_before_hour == kept
    (notice,) = walk.notices
    assert notice.endswith("from 2025-11-24T16:00Z to 2025-11-25T00:00Z: they could not be had.")


def test_the_lookback_may_be_refused_on_a_later_page_and_the_walk_starts_anew() -> None:
    first = answer(page(bucket(HOUR, result()), next_page="p2"))
    date = error(400, f"{LOOKBACK}2025-11-25 (UTC).", "reporting_lookback_exceeded")
    play = Script([first, date, answer(page(bucket(HOUR + 8)))])
    with client(play) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 9)
    assert "page" not in play.queries[2]
    assert walk.usage.covered_hours == [HOUR + 8]
    assert walk.usage.rows == []


def test_without_a_date_the_start_steps_forward_by_known_distances() -> None:
    now_hour = NOW_S // 3_600
    start = now_hour - 800 * 24
    refusals = [error(400, "Too old.", "reporting_lookback_exceeded")] * 4
    play = Script([*refusals, Hours([])])
    with client(play) as usage:
        walk = usage.walk_hours(start, now_hour - 90 * 24 + 1)
    asked = [int(query["start_time"]) // 3_600 for query in play.queries]
    assert [(now_hour - hour) // 24 for hour in asked] == [800, 730, 365, 180, 90]
    assert walk.refused_before_hour == now_hour - 90 * 24


def test_a_span_wholly_before_the_lookback_is_an_error_that_says_where_history_begins() -> None:
    date = error(400, f"{LOOKBACK}2025-12-01 (UTC).", "reporting_lookback_exceeded")
    with client(Script([date])) as usage, pytest.raises(LookbackExceeded) as caught:
        usage.walk_hours(HOUR, HOUR + 24)
    assert caught.value.earliest_hour == 490_152  # 2025-12-01T00:00Z


def test_progress_is_told_after_every_page() -> None:
    play = Hours([bucket(HOUR + n, result()) for n in range(72)])
    told: list[PageProgress] = []
    with client(play) as usage:
        usage.walk_hours(HOUR, HOUR + 72, on_page=told.append)
    assert told == [
        PageProgress(pages=1, hours_read=24, hours_asked=72, rows=24),
        PageProgress(pages=2, hours_read=72, hours_asked=72, rows=72),
    ]


def test_a_span_of_no_hours_asks_for_nothing() -> None:
    with client(Script([])) as usage:
        assert usage.walk_hours(HOUR, HOUR).usage.covered_hours == []
