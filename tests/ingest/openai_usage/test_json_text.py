"""Values that are JSON and yet no text and no number: each costs itself, not the page."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ingest.openai_usage.errors import BadAnswer
from ingest.openai_usage.json_text import decoded
from ingest.openai_usage.page import ReadPage, decode_page
from tests.ingest.openai_usage.provider import HOUR, bucket, encoded, page, result

HALF_A_PAIR = "it holds half of a surrogate pair, which is no character"


def with_value(name: str, json_value: str) -> ReadPage:
    """A page of two rows, of which the first has this JSON for the field."""
    sent = page(bucket(HOUR, result(**{name: "HERE"}), result(project_id="proj_b")))
    return decode_page(encoded(sent).replace(b'"HERE"', json_value.encode()), "page 1")


@pytest.mark.parametrize(
    ("json_value", "reason", "shown"),
    [
        ("1e400", "it is larger than 9,007,199,254,740,992", "Infinity"),
        ("-1e400", "it is negative", "-Infinity"),
        ("9" * 5_000, "it is larger than 9,007,199,254,740,992", "Infinity"),
    ],
)
def test_a_number_beyond_every_float_costs_that_number(
    json_value: str, reason: str, shown: str
) -> None:
    (read_bucket,) = with_value("input_tokens", json_value).buckets
    assert [row.input_tokens for row in read_bucket.rows] == [None, 1_000]
    (reject,) = read_bucket.rejects
    assert (reject.field, reject.reason, reject.sent) == ("input_tokens", reason, shown)
    assert reject.place.endswith(", row 1")


@pytest.mark.parametrize("half", [r'"\ud800"', r'"gpt\udc00"'])
def test_half_a_surrogate_pair_costs_the_row_whose_model_it_is(half: str) -> None:
    (read_bucket,) = with_value("model", half).buckets
    assert [row.project_id for row in read_bucket.rows] == ["proj_b"]
    assert read_bucket.unplaced_rows == 1
    (reject,) = read_bucket.rejects
    assert (reject.field, reject.reason, reject.sent) == ("model", HALF_A_PAIR, half)


def test_half_a_surrogate_pair_in_another_field_costs_that_field() -> None:
    (read_bucket,) = with_value("api_key_id", r'"\ud800"').buckets
    assert [(row.project_id, row.api_key_id) for row in read_bucket.rows] == [
        ("proj_a", None),
        ("proj_b", None),
    ]
    assert [reject.field for reject in read_bucket.rejects] == ["api_key_id"]


def test_half_a_surrogate_pair_in_a_field_that_nobody_reads_costs_nothing() -> None:
    (read_bucket,) = with_value("note", r'"\ud800"').buckets
    assert (len(read_bucket.rows), read_bucket.rejects) == (2, [])


def test_a_whole_surrogate_pair_is_one_character() -> None:
    (read_bucket,) = with_value("model", r'"\ud83d\ude00"').buckets
    assert read_bucket.rows[0].model == "\U0001f600"
    assert read_bucket.rejects == []


def test_half_a_surrogate_pair_as_a_cursor_is_refused() -> None:
    sent = encoded(page(bucket(HOUR), next_page="HERE")).replace(b"HERE", rb"\ud800")
    with pytest.raises(BadAnswer, match=r'next_page is "\\ud800", which holds no whole character'):
        decode_page(sent, "page 1")


@pytest.mark.parametrize("text", [b"NaN", b"[Infinity]", b'{"a": 1e400', b'"\xed\xa0\x80"', b"x"])
def test_what_is_no_json_stays_refused(text: bytes) -> None:
    with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError)):
        decoded(text)


def test_a_document_reads_the_same_in_both_ways() -> None:
    plain: Any = {"a": [1, -2, 2.5, True, None, "ü", 10**30], "b": {"c": ""}}
    text = msgspec.json.encode(plain)
    assert decoded(text) == plain
    assert decoded(text[:-1] + rb',"odd":"\ud800"}') == plain | {"odd": "\ud800"}
