"""A JSON text is cut into the same records whatever pieces it comes in."""

from __future__ import annotations

import json
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.request_logs import cutting

SCALAR = st.none() | st.booleans() | st.integers() | st.text(alphabet='a"\\{}[], é\n', max_size=8)
VALUE = st.recursive(
    SCALAR,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(alphabet='ab"\\[{', max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
RECORD = st.dictionaries(st.text(alphabet='ab"\\[{', max_size=4), VALUE, max_size=3)


class Dripping(BytesIO):
    """Gives at most so many bytes at once."""

    most = 1

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size or 0, self.most))


def cut(text: str, most: int) -> list[object]:
    stream = Dripping(text.encode())
    stream.most = most
    found = list(cutting.pieces(stream))
    assert all(piece.text is not None for piece in found), found
    return [json.loads(piece.text or b"") for piece in found]


@given(st.lists(RECORD, max_size=5), st.sampled_from([None, 1]), st.integers(1, 40), st.booleans())
@settings(max_examples=80, deadline=None)
def test_a_list_is_cut_into_its_items(records, indent, most, ascii_only):
    text = json.dumps(records, indent=indent, ensure_ascii=ascii_only)
    assert cut(text, most) == records


@given(st.lists(RECORD, max_size=4), RECORD, st.sampled_from([None, 2]), st.integers(1, 40))
@settings(max_examples=80, deadline=None)
def test_a_list_under_a_known_name_is_cut_and_what_stands_beside_it_is_not(
    records, beside, indent, most
):
    holder = {"before": beside, "data": records, "after": [beside], "more": "x"}
    assert cut(json.dumps(holder, indent=indent), most) == records


@given(st.lists(RECORD, max_size=4), st.sampled_from(["", "\n", " \n "]), st.integers(1, 40))
@settings(max_examples=80, deadline=None)
def test_objects_after_one_another_are_cut_one_by_one(records, between, most):
    assert cut(between.join(json.dumps(record) for record in records), most) == records


def test_both_lists_of_an_otlp_document_are_cut():
    document = {"resourceSpans": [{"a": 1}], "resourceLogs": [{"b": 2}, {"c": [3]}]}
    stream = BytesIO(json.dumps(document).encode())
    assert [(piece.wrapper, piece.number, piece.text) for piece in cutting.pieces(stream)] == [
        ("resourceSpans", 1, b'{"a": 1}'),
        ("resourceLogs", 1, b'{"b": 2}'),
        ("resourceLogs", 2, b'{"c": [3]}'),
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[{"a": 1}', ["the file ends before its list does"]),
        ('[{"a": 1', ["the file ends within it"]),
        ('[{"a": "1', ["the file ends within it"]),
        ('{"data": [{"a": 1}', ["the file ends before its list does"]),
        ("}", ["a bracket is closed that was never opened: not JSON from here on"]),
        ("[] x", ["not an object"]),
    ],
)
def test_what_is_torn_or_does_not_fit_is_said(text, why):
    told = [piece.why for piece in cutting.pieces(BytesIO(text.encode())) if piece.text is None]
    assert told == why
