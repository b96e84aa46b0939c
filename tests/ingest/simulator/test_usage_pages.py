"""GET /organization/usage/completions as a client meets it."""

from __future__ import annotations

import json
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.simulator.usage_pages import DIMENSIONS, EMPTY_ENDPOINTS

from .conftest import ANCHOR_HOUR, COMPLETIONS, caller_of

NOW = ANCHOR_HOUR * 3600
COUNTS = ("num_model_requests", "input_tokens", "input_cached_tokens", "output_tokens")
FULL = ("project_id", "model", "api_key_id", "service_tier", "batch")


def hours_ago(hours):
    return NOW - hours * 3600


def totals(page):
    """Sums of the counts over all results of a page."""
    rows = [row for bucket in page["data"] for row in bucket["results"]]
    return {name: sum(row[name] for row in rows) for name in COUNTS}


def walk(api, **parameters):
    """All buckets of a call, page by page."""
    page = api.completions(**parameters)
    buckets = page["data"]
    while page["has_more"]:
        page = api.completions(**parameters, page=page["next_page"])
        buckets += page["data"]
    assert page["next_page"] is None
    return buckets


def test_the_three_spellings_of_group_by_give_equal_bodies(api):
    window = {"start_time": hours_ago(5), "bucket_width": "1h", "limit": 2}
    repeated = api.answer(COMPLETIONS, **window, group_by=["project_id", "model"]).body
    brackets = api.answer(COMPLETIONS, **window, **{"group_by[]": ["project_id", "model"]}).body
    comma = api.answer(COMPLETIONS, **window, group_by="project_id,model").body
    assert repeated == brackets == comma
    assert b'"project_id": "proj_ragAnswer01"' in repeated


def test_a_row_has_the_newest_fields_and_its_parts_add_up(api):
    page = api.completions(start_time=hours_ago(30), bucket_width="1h", group_by=FULL, limit=30)
    rows = [row for bucket in page["data"] for row in bucket["results"]]
    for row in rows:
        assert row["object"] == "organization.usage.completions.result"
        written = row["input_cache_write_tokens"]
        assert row["input_cache_write_30m_tokens"] + row["input_cache_write_12h_tokens"] == written
        parts = row["input_cached_tokens"] + written + row["input_uncached_tokens"]
        assert parts == row["input_tokens"]
        assert row["input_text_tokens"] == row["input_uncached_tokens"]
    writers = {row["model"] for row in rows if row["input_cache_write_tokens"]}
    assert writers == {"gpt-5.6-luna", "gpt-5.6-terra"}


def test_dimensions_not_grouped_by_are_null(api):
    page = api.completions(start_time=hours_ago(2), bucket_width="1h", group_by="model")
    row = page["data"][0]["results"][0]
    assert row["model"] is not None
    assert [row[name] for name in DIMENSIONS if name != "model"] == [None] * 6


def test_rows_add_up_to_the_same_totals_under_every_grouping(api):
    window = {"start_time": hours_ago(3), "bucket_width": "1h"}
    ungrouped = api.completions(**window)
    assert [len(bucket["results"]) for bucket in ungrouped["data"]] == [1, 1, 1]
    for count in range(1, len(DIMENSIONS) + 1):
        for grouping in combinations(DIMENSIONS, count):
            assert totals(api.completions(**window, group_by=grouping)) == totals(ungrouped)


@settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    start=st.integers(hours_ago(40), NOW),
    length=st.integers(1, 90_000),
    width=st.sampled_from(["1m", "1h", "1d"]),
    limit=st.integers(1, 31),
)
def test_pages_cover_a_window_once_in_order_and_add_up_whatever_the_width(
    api, start, length, width, limit
):
    limit = limit * (40 if width == "1m" else 1)
    window = {"start_time": start, "end_time": start + length}
    buckets = walk(api, **window, bucket_width=width, limit=limit)
    edges = [(bucket["start_time"], bucket["end_time"]) for bucket in buckets]
    if start - start % 60 >= min(start + length, NOW):
        assert edges == []
        return
    assert edges[0][0] == start - start % 60
    assert edges[-1][1] == min(start + length, NOW)
    assert [end for _, end in edges[:-1]] == [begin for begin, _ in edges[1:]]
    whole = walk(api, **window, bucket_width="1h", limit=168)
    assert totals({"data": buckets}) == totals({"data": whole})


def test_the_first_bucket_is_clipped_at_the_start_floored_to_the_minute(api):
    page = api.completions(start_time=hours_ago(2) + 77, bucket_width="1h")
    edges = [(bucket["start_time"], bucket["end_time"]) for bucket in page["data"]]
    assert edges == [(hours_ago(2) + 60, hours_ago(1)), (hours_ago(1), NOW)]


def test_the_unfinished_hour_is_clipped_at_now_and_grows(api):
    api.clock.seconds = NOW + 900.5
    early = api.completions(start_time=NOW, bucket_width="1h")
    api.clock.seconds = NOW + 1800.0
    later = api.completions(start_time=NOW, bucket_width="1h")
    assert early["data"][0]["end_time"] == NOW + 900
    assert later["data"][0]["end_time"] == NOW + 1800
    assert 0 < totals(early)["input_tokens"] < totals(later)["input_tokens"]
    api.clock.seconds = NOW + 9000.0
    closed = api.completions(start_time=NOW, end_time=NOW + 1800, bucket_width="1h")
    assert totals(closed)["num_model_requests"] >= totals(later)["num_model_requests"]


def test_a_closed_hour_of_the_revision_story_is_restated_hours_later(api):
    wanted = {"project_ids": "proj_billingAss17", "bucket_width": "1h"}
    hour = (ANCHOR_HOUR // 5 - 1) * 5
    window = {"start_time": hour * 3600, "end_time": (hour + 1) * 3600}
    api.clock.seconds = (hour + 2) * 3600.0
    early = totals(api.completions(**window, **wanted))
    api.clock.seconds = (hour + 5) * 3600.0
    late = totals(api.completions(**window, **wanted))
    assert 0.8 < early["input_tokens"] / late["input_tokens"] < 0.95


def test_an_hour_without_traffic_has_no_results(api):
    page = api.completions(
        start_time=hours_ago(20), bucket_width="1h", project_ids="proj_nightDig07"
    )
    assert len(page["data"]) == 20
    assert [bucket for bucket in page["data"] if bucket["results"] == []] != []


def test_hours_before_the_history_exist_and_are_idle(api):
    page = api.completions(start_time=hours_ago(43 * 24), bucket_width="1h", limit=24)
    assert [bucket["results"] for bucket in page["data"]] == [[]] * 24


def test_a_start_beyond_now_has_no_buckets(api):
    page = api.completions(start_time=NOW + 3600, bucket_width="1h")
    assert (page["data"], page["has_more"], page["next_page"]) == ([], False, None)


def test_traffic_without_a_project_is_null_even_when_grouped(api):
    page = api.completions(start_time=hours_ago(1), bucket_width="1h", group_by="project_id")
    assert [row for row in page["data"][0]["results"] if row["project_id"] is None] != []


@pytest.mark.parametrize(
    ("name", "value", "dimension"),
    [
        ("project_ids", "proj_ragAnswer01", "project_id"),
        ("models", "gpt-5.6-luna", "model"),
        ("api_key_ids", "key_kbUsers", "api_key_id"),
        ("user_ids", "user_meiTanaka", "user_id"),
    ],
)
def test_a_filter_keeps_what_it_names(api, name, value, dimension):
    page = api.completions(
        start_time=hours_ago(12), bucket_width="1h", group_by=dimension, **{name: value}
    )
    rows = [row for bucket in page["data"] for row in bucket["results"]]
    assert {row[dimension] for row in rows} == {value}


def test_batch_and_not_batch_together_are_everything(api):
    window = {"start_time": hours_ago(24), "bucket_width": "1h"}
    batch = totals(api.completions(**window, batch="true"))
    direct = totals(api.completions(**window, batch="false"))
    both = totals(api.completions(**window))
    assert batch["num_model_requests"] > 0
    assert {name: batch[name] + direct[name] for name in COUNTS} == both


@pytest.mark.parametrize(
    ("width", "default", "maximum"), [("1m", 60, 1440), ("1h", 24, 168), ("1d", 7, 31)]
)
def test_limits_have_a_default_and_a_maximum_that_is_refused_not_clamped(
    api, width, default, maximum
):
    window = {"start_time": NOW - 40 * 86400, "bucket_width": width, "project_ids": "none"}
    assert len(api.completions(**window)["data"]) == default
    assert len(api.completions(**window, limit=maximum)["data"]) == maximum
    status, error = api.error(COMPLETIONS, **window, limit=maximum + 1)
    sentence = (
        f"Invalid limit provided: {maximum + 1}. Limit must be less than or equal to {maximum}."
    )
    assert (status, error["message"]) == (400, sentence)


def test_the_default_width_is_a_day(api):
    page = api.completions(start_time=NOW - 2 * 86400)
    assert [b["end_time"] - b["start_time"] for b in page["data"]] == [86400, 86400]


@pytest.mark.parametrize(
    ("parameters", "param", "code"),
    [
        ({}, "start_time", "missing_required_parameter"),
        ({"start_time": "yesterday"}, "start_time", "invalid_type"),
        ({"start_time": NOW - 7200, "end_time": NOW - 7200}, "end_time", None),
        ({"start_time": NOW - 7200, "bucket_width": "1w"}, "bucket_width", "invalid_value"),
        ({"start_time": NOW - 7200, "group_by": "region"}, "group_by", "invalid_value"),
        ({"start_time": NOW - 7200, "batch": "perhaps"}, "batch", "invalid_type"),
        ({"start_time": NOW - 7200, "limit": 0}, "limit", None),
        ({"start_time": NOW - 7200, "page": "page_unknown"}, "page", "invalid_value"),
        ({"start_time": NOW - 400 * 86400}, "start_time", "reporting_lookback_exceeded"),
    ],
)
def test_a_wrong_parameter_is_refused_by_name(api, parameters, param, code):
    status, error = api.error(COMPLETIONS, **parameters)
    assert (status, error["param"], error["code"]) == (400, param, code)


def test_the_lookback_names_its_earliest_date(api):
    _, error = api.error(COMPLETIONS, start_time=0)
    assert error["message"].endswith("Earliest supported start date: 2025-11-29 (UTC).")


def test_the_cursor_of_another_call_is_unknown(api):
    window = {"start_time": hours_ago(9), "bucket_width": "1h", "limit": 3}
    cursor = api.completions(**window)["next_page"]
    assert api.completions(**window, page=cursor)["data"][0]["start_time"] == hours_ago(6)
    status, _ = api.error(COMPLETIONS, **window, models="gpt-5.6-luna", page=cursor)
    assert status == 400


def test_a_cursor_holds_when_the_page_size_changes(api):
    window = {"start_time": hours_ago(9), "bucket_width": "1h"}
    cursor = api.completions(**window, limit=4)["next_page"]
    page = api.completions(**window, limit=2, page=cursor)
    assert page["data"][0]["start_time"] == hours_ago(5)


def test_lenient_passes_over_what_strict_refuses():
    api = caller_of(lenient=True)
    page = api.completions(
        key="any key", start_time=0, end_time=0, limit=0, page="page", group_by=["region"]
    )
    assert page["data"] == []
    assert len(api.completions(key="any key", start_time=0)["data"]) == 7


@pytest.mark.parametrize("endpoint", EMPTY_ENDPOINTS)
def test_the_other_usage_endpoints_give_buckets_without_results(api, endpoint):
    path = f"/v1/organization/usage/{endpoint}"
    page = api.json(path, start_time=hours_ago(3), bucket_width="1h", group_by="project_id")
    assert page["object"] == "page"
    assert [bucket["results"] for bucket in page["data"]] == [[], [], []]
    assert api.error(path, start_time=hours_ago(3), group_by="colour")[0] == 400


def test_load_series_add_up_by_minute_and_hour_and_keep_their_parts():
    api = caller_of(series=40)
    window = {"start_time": hours_ago(2), "models": "gpt-5.4-2026-03-05"}
    by_hour = totals(api.completions(**window, bucket_width="1h", group_by=FULL))
    assert totals(api.completions(**window, bucket_width="1m", limit=120)) == by_hour
    page = api.completions(start_time=hours_ago(1), bucket_width="1h", group_by=FULL)
    rows = page["data"][0]["results"]
    loaded = [row for row in rows if (row["project_id"] or "").startswith("proj_load")]
    assert len(loaded) == 40
    for row in loaded:
        assert row["input_tokens"] == row["input_cached_tokens"] + row["input_uncached_tokens"]


def test_equal_seeds_answer_with_equal_bytes():
    window = {"start_time": hours_ago(6), "bucket_width": "1h", "group_by": ["project_id"]}
    first = caller_of(series=3).answer(COMPLETIONS, **window)
    assert first == caller_of(series=3).answer(COMPLETIONS, **window)
    assert json.loads(first.body)["data"][0]["results"] != []
