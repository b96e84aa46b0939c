"""One bad value costs that value, never the page, and never becomes a zero."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.normalise import BucketWidthError, RejectedValue, UsageMerge
from ingest.openai_usage.errors import BadAnswer
from ingest.openai_usage.page import decode_page
from tests.ingest.openai_usage.provider import HOUR, RESULT_OBJECT, bucket, encoded, page, result

PLACE = "page 1, bucket 2025-11-24T16:00Z"
SERIES = "project_id=proj_a, model=gpt-5.5"


def read(*buckets: Any) -> Any:
    return decode_page(encoded(page(*buckets)), "page 1")


def only_bucket(**fields: Any) -> Any:
    (read_bucket,) = read(bucket(HOUR, result(**fields))).buckets
    return read_bucket


@pytest.mark.parametrize(
    ("sent", "reason", "shown"),
    [
        ("1000", "it is a text, not a whole number", '"1000"'),
        (True, "it is true or false, not a whole number", "true"),
        (1.5, "it is a fraction, not a whole number", "1.5"),
        (-1, "it is negative", "-1"),
        (2**53 + 1, "it is larger than 9,007,199,254,740,992", "9007199254740993"),
        (10**30, "it is larger than 9,007,199,254,740,992", str(10**30)),
        ([1], "it is a list, not a whole number", "[1]"),
        ({}, "it is an object, not a whole number", "{}"),
    ],
)
def test_a_count_that_is_none_is_refused_and_the_rest_of_the_row_kept(
    sent: Any, reason: str, shown: str
) -> None:
    read_bucket = only_bucket(input_cached_tokens=sent)
    (row,) = read_bucket.rows
    assert row.cached_tokens is None
    assert (row.requests, row.input_tokens, row.output_tokens) == (10, 1_000, 50)
    assert read_bucket.unplaced_rows == 0
    assert read_bucket.rejects == [
        RejectedValue(HOUR, SERIES, "input_cached_tokens", f"{PLACE}, row 1", reason, shown)
    ]


@pytest.mark.parametrize("sent", [1_000.0, 0.0])
def test_a_whole_number_written_with_a_point_is_that_number(sent: float) -> None:
    read_bucket = only_bucket(input_tokens=sent)
    assert read_bucket.rows[0].input_tokens == int(sent)
    assert read_bucket.rejects == []


@pytest.mark.parametrize("sent", [None, 0, 2**53])
def test_null_zero_and_the_largest_count_are_read_as_sent(sent: int | None) -> None:
    read_bucket = only_bucket(input_cached_tokens=sent)
    assert read_bucket.rows[0].cached_tokens == sent
    assert read_bucket.rejects == []


def test_a_field_that_is_absent_is_not_reported() -> None:
    bare = {"object": RESULT_OBJECT, "model": "gpt-5.5"}
    (row,) = read(bucket(HOUR, bare)).buckets[0].rows
    assert row[6:] == (None,) * 9
    assert row.project_id is None


def test_every_field_lands_under_its_own_name() -> None:
    sent = result(
        service_tier="flex",
        api_key_id="key_1",
        batch=True,
        input_cache_write_tokens=60,
        input_cache_write_30m_tokens=20,
        input_cache_write_12h_tokens=40,
        input_uncached_tokens=540,
    )
    (row,) = read(bucket(HOUR, sent)).buckets[0].rows
    assert row._asdict() == {
        "hour": HOUR,
        "project_id": "proj_a",
        "model": "gpt-5.5",
        "api_key_id": "key_1",
        "service_tier": "flex",
        "batch": True,
        "requests": 10,
        "input_tokens": 1_000,
        "cached_tokens": 400,
        "cache_write_tokens": 60,
        "cache_write_30m_tokens": 20,
        "cache_write_12h_tokens": 40,
        "uncached_tokens": 540,
        "output_tokens": 50,
        "reported": None,
    }


def test_more_cached_than_input_is_kept_as_sent() -> None:
    read_bucket = only_bucket(input_tokens=2_101_003, input_cached_tokens=2_204_160)
    assert read_bucket.rows[0].cached_tokens == 2_204_160
    assert read_bucket.rejects == []


def test_unknown_fields_are_passed_over_whatever_they_hold() -> None:
    odd = {"input_moon_tokens": "many", "user_id": 7, "api_source": ["x"]}
    sent = page(bucket(HOUR, result(**odd)) | {"colour": 1}) | {"pages_left": "three"}
    (read_bucket,) = decode_page(encoded(sent), "page 1").buckets
    assert len(read_bucket.rows) == 1
    assert read_bucket.rejects == []


@pytest.mark.parametrize(
    ("sent", "batch"),
    [(True, True), (False, False), ("true", True), ("False", False), (None, None)],
)
def test_batch_comes_as_true_or_as_a_text_or_as_null(sent: Any, batch: bool | None) -> None:
    read_bucket = only_bucket(batch=sent)
    assert read_bucket.rows[0].batch is batch
    assert read_bucket.rejects == []


@pytest.mark.parametrize(
    ("field", "sent", "reason"),
    [
        ("batch", "maybe", "it is a text other than true and false"),
        ("batch", 1, "it is a number"),
        ("api_key_id", 7, "it is a number, not a text"),
        ("service_tier", "x" * 65, "it is longer than 64 characters"),
    ],
)
def test_a_dimension_below_the_series_that_cannot_be_read_is_null_and_the_counts_stay(
    field: str, sent: Any, reason: str
) -> None:
    read_bucket = only_bucket(**{field: sent})
    (row,) = read_bucket.rows
    assert getattr(row, field) is None
    assert row.input_tokens == 1_000
    assert [(value.field, value.reason) for value in read_bucket.rejects] == [(field, reason)]


@pytest.mark.parametrize(
    ("field", "sent", "reason"),
    [
        ("project_id", 7, "it is a number, not a text"),
        ("project_id", "p" * 201, "it is longer than 200 characters"),
        ("model", ["gpt-5.5"], "it is a list, not a text"),
        ("model", "m" * 301, "it is longer than 300 characters"),
        ("model", "gpt\0", "it holds a NUL character"),
    ],
)
def test_a_row_whose_series_cannot_be_read_is_left_out_and_counted(
    field: str, sent: Any, reason: str
) -> None:
    read_bucket = only_bucket(**{field: sent})
    assert read_bucket.rows == []
    assert read_bucket.unplaced_rows == 1
    ((hour, dimensions, rejected, place, why, _),) = read_bucket.rejects
    assert (hour, rejected, place, why) == (HOUR, field, f"{PLACE}, row 1", reason)
    assert field not in dimensions


def test_a_row_that_is_no_object_is_left_out_and_its_neighbours_keep_their_numbers() -> None:
    (read_bucket,) = read(bucket(HOUR, result(), "row", result(input_tokens=-1))).buckets
    assert len(read_bucket.rows) == 2
    assert read_bucket.unplaced_rows == 1
    assert [(value.place, value.field) for value in read_bucket.rejects] == [
        (f"{PLACE}, row 2", "results"),
        (f"{PLACE}, row 3", "input_tokens"),
    ]


def test_an_hour_with_a_row_that_has_no_place_is_partly_read() -> None:
    sent = read(bucket(HOUR, result(), result(model=5)), bucket(HOUR + 1, result()))
    merge = UsageMerge()
    merge.add(sent.buckets, sent.rejects)
    usage = merge.finish()
    assert usage.covered_hours == [HOUR + 1]
    assert usage.partly_read_hours == [HOUR]
    assert [row.hour for row in usage.rows] == [HOUR, HOUR + 1]


@pytest.mark.parametrize(
    ("bad", "hour", "field", "place"),
    [
        ({"start_time": "noon"}, None, "start_time", "page 1, bucket 1"),
        ({"start_time": 10**15}, None, "start_time", "page 1, bucket 1"),
        ({"end_time": None}, HOUR, "end_time", PLACE),
        ({"results": None}, HOUR, "results", PLACE),
        ({"results": {}}, HOUR, "results", PLACE),
    ],
)
def test_a_bucket_that_cannot_be_read_is_unknown_and_the_others_stay(
    bad: dict[str, Any], hour: int | None, field: str, place: str
) -> None:
    sent = read(bucket(HOUR, result()) | bad, bucket(HOUR + 1, result()))
    assert [b.start_s // 3_600 for b in sent.buckets] == [HOUR + 1]
    assert [(v.hour, v.field, v.place) for v in sent.rejects] == [(hour, field, place)]


def test_a_bucket_without_results_is_unknown_and_not_idle() -> None:
    bare = bucket(HOUR)
    del bare["results"]
    sent = read(bare, bucket(HOUR + 1))
    assert [(v.field, v.reason) for v in sent.rejects] == [("results", "it is missing")]


@pytest.mark.parametrize(
    "name", ["organization.costs.result", "organization.usage.decisions.result"]
)
def test_results_of_another_kind_are_no_usage_of_completions(name: str) -> None:
    with pytest.raises(BadAnswer, match=f'not a usage page of completions: it holds "{name}"'):
        only_bucket(object=name)


def test_what_was_sent_is_shown_shortened() -> None:
    (value,) = only_bucket(input_tokens="9" * 500).rejects
    assert len(value.sent) == 120
    assert value.sent.endswith("...")


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
NAMES = [
    "input_tokens",
    "input_cached_tokens",
    "num_model_requests",
    "project_id",
    "model",
    "batch",
]
odd_results = st.dictionaries(st.sampled_from([*NAMES, "object"]), anything, max_size=6) | anything
odd_buckets = st.fixed_dictionaries(
    {},
    optional={
        "start_time": anything | st.sampled_from([HOUR * 3_600]),
        "end_time": anything | st.sampled_from([HOUR * 3_600 + 3_600]),
        "results": st.lists(odd_results, max_size=3) | anything,
    },
)
odd_pages = st.fixed_dictionaries(
    {},
    optional={
        "object": st.just("page") | anything,
        "data": st.lists(odd_buckets | anything, max_size=3) | anything,
        "has_more": st.booleans() | anything,
        "next_page": st.text(max_size=3) | anything,
    },
)


@settings(deadline=None)
@given(document=odd_pages | anything)
def test_no_document_fails_with_anything_but_our_own_error(document: Any) -> None:
    with suppress(BadAnswer, BucketWidthError):
        sent = decode_page(encoded(document), "page 1")
        sent.cursor()
        merge = UsageMerge()
        merge.add(sent.buckets, sent.rejects)
        assert all(value.reason and value.place for value in merge.finish().rejects)


@settings(deadline=None)
@given(body=st.binary(max_size=60))
def test_no_bytes_fail_with_anything_but_our_own_error(body: bytes) -> None:
    with pytest.raises(BadAnswer):
        decode_page(body, "page 1")


@settings(deadline=None)
@given(values=st.lists(st.none() | st.integers(0, 2**53), min_size=3, max_size=3), bad=anything)
def test_the_slow_way_and_the_quick_way_read_the_same(values: list[int | None], bad: Any) -> None:
    names = ("input_tokens", "input_cached_tokens", "num_model_requests")
    good = result(**dict(zip(names, values, strict=True)))
    quick = read(bucket(HOUR, good)).buckets[0]
    slow = read(bucket(HOUR, good, {"output_tokens": "bad", "note": bad})).buckets[0]
    assert slow.rows[0] == quick.rows[0]
