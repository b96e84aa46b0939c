"""The minutes of one series: what is asked for, what is kept, what is refused."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.errors import BadAnswer, LookbackExceeded, RequestRefused, ScopeMissing
from ingest.openai_usage.minutes import MinuteRow, SeriesName
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World
from tests.ingest.openai_usage.provider import (
    HOUR,
    Script,
    answer,
    bucket,
    client,
    error,
    minute,
    page,
    result,
)

NOW_HOUR = 498_864  # 2026-11-29T00:00Z
DAY = (NOW_HOUR - 24, NOW_HOUR)
ALL = ("api_key_id", "batch", "service_tier")
SERIES = SeriesName("proj_a", "gpt-5.5")


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    world = World(all_stories(), 1, NOW_HOUR, 42, 0)
    api = Api(world, Access(lenient=False), lambda: NOW_HOUR * 3_600.0)
    server = Server("127.0.0.1", 0, api)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"{server.url}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def reader(base_url: str, suffix: str = "") -> UsageClient:
    key = DEMO_KEY + suffix
    return UsageClient(base_url=base_url, admin_key=key, clock=lambda: NOW_HOUR * 3_600.0)


def test_the_minutes_of_a_day_add_up_to_its_hours_in_one_page(base_url: str) -> None:
    with reader(base_url) as usage:
        hours = usage.walk_hours(*DAY, ALL).usage
        busiest = max(hours.rows, key=lambda row: row.requests or 0)
        name = SeriesName(busiest.project_id, busiest.model)
        minutes = usage.walk_series_minutes(name, *DAY, ALL)
    own = [row for row in hours.rows if (row.project_id, row.model) == name]
    assert minutes.walk.usage.covered_hours == list(range(*DAY))
    assert sorted(minutes.walk.usage.rows, key=repr) == sorted(own, key=repr)
    assert minutes.walk.pages == 1
    assert len(minutes.rows) > 500
    for field in ("requests", "input_tokens", "cached_tokens"):
        assert sum(getattr(row, field) for row in minutes.rows) == sum(
            getattr(row, field) for row in own
        )
    assert {row.minute // 60 for row in minutes.rows} <= set(range(*DAY))


def test_a_series_is_named_and_its_day_is_one_request_of_1440_minutes() -> None:
    play = Script([answer(page())])
    with client(play) as usage:
        usage.walk_series_minutes(SERIES, HOUR, HOUR + 24, ["api_key_id"])
    query = play.requests[0].url.params
    assert (query["bucket_width"], query["limit"]) == ("1m", "1440")
    assert (query["start_time"], query["end_time"]) == (str(HOUR * 3_600), str((HOUR + 24) * 3_600))
    assert query.get_list("project_ids") == ["proj_a"]
    assert query.get_list("models") == ["gpt-5.5"]
    assert query.get_list("group_by") == ["project_id", "model", "api_key_id"]


def test_a_null_id_is_not_asked_for_and_other_series_are_passed_over() -> None:
    sent = [
        minute(HOUR, n, result(project_id=None), result(project_id="proj_b")) for n in range(60)
    ]
    play = Script([answer(page(*sent))])
    with client(play) as usage:
        found = usage.walk_series_minutes(SeriesName(None, "gpt-5.5"), HOUR, HOUR + 1)
    query = play.requests[0].url.params
    assert "project_ids" not in query
    assert query.get_list("models") == ["gpt-5.5"]
    assert len(found.rows) == 60
    assert found.rows[0] == MinuteRow(HOUR * 60, None, None, None, 10, 1_000, 400)


def test_an_hour_that_lacks_a_minute_is_left_out() -> None:
    whole = [minute(HOUR, n, result()) for n in range(60)]
    part = [minute(HOUR + 1, n, result()) for n in range(59)]
    with client(Script([answer(page(*whole, *part))])) as usage:
        found = usage.walk_series_minutes(SERIES, HOUR, HOUR + 2)
    assert {row.minute // 60 for row in found.rows} == {HOUR}
    assert found.walk.usage.covered_hours == [HOUR]


def test_idle_minutes_have_no_row_and_what_is_not_reported_is_none() -> None:
    sent = [minute(HOUR, n) for n in range(59)]
    sent.append(minute(HOUR, 59, result(input_cached_tokens=None)))
    with client(Script([answer(page(*sent))])) as usage:
        found = usage.walk_series_minutes(SERIES, HOUR, HOUR + 1)
    assert found.rows == [MinuteRow(HOUR * 60 + 59, None, None, None, 10, 1_000, None)]


def test_a_refused_grouping_begins_anew_and_counts_no_minute_twice() -> None:
    first, second = ([minute(HOUR + at, n, result()) for n in range(60)] for at in range(2))
    answers = [
        error(400, "limit must be at most 60", param="limit"),
        answer(page(*first)),
        error(400, "Invalid group_by: api_key_id", param="group_by"),
        answer(page(*first, *second)),
    ]
    with client(Script(answers)) as usage:
        found = usage.walk_series_minutes(SERIES, HOUR, HOUR + 2, ["api_key_id"])
    assert found.walk.refused_grouping == ("api_key_id",)
    assert len(found.rows) == len({row.minute for row in found.rows}) == 120


def test_hours_in_place_of_minutes_are_refused() -> None:
    play = Script([answer(page(bucket(HOUR, result())))])
    with client(play) as usage, pytest.raises(BadAnswer, match="3,600 s wide, where buckets of a"):
        usage.walk_series_minutes(SERIES, HOUR, HOUR + 1)


def test_a_provider_without_minutes_is_quoted() -> None:
    refusal = error(400, "Invalid value: '1m'. Supported values are: '1h'.", param="bucket_width")
    with client(Script([refusal])) as usage, pytest.raises(RequestRefused, match="'1m'"):
        usage.walk_series_minutes(SERIES, HOUR, HOUR + 24)


def test_a_day_before_the_lookback_is_refused_with_the_first_hour_that_is_kept(
    base_url: str,
) -> None:
    with reader(base_url, "-30-days") as usage, pytest.raises(LookbackExceeded) as caught:
        usage.walk_series_minutes(SERIES, NOW_HOUR - 32 * 24, NOW_HOUR - 31 * 24)
    assert caught.value.earliest_hour == NOW_HOUR - 30 * 24


def test_a_key_without_the_scope_is_said(base_url: str) -> None:
    with reader(base_url, "-403") as usage, pytest.raises(ScopeMissing):
        usage.walk_series_minutes(SERIES, *DAY)
