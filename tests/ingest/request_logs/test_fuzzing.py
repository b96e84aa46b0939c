"""Whatever a log holds: no traceback, no wrong zero, no content.

Rows of every format are damaged at random: a value is replaced, a field taken out or added, a line
cut. A zero may only be told where a zero was sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.request_logs import FORMATS, LoggedRequest, LogRefused, Rejected, read, read_values
from tests.ingest.request_logs.logs import stream
from tests.ingest.request_logs.sample_rows import ROWS

READABLE = [entry.name for entry in FORMATS if not entry.refusal]
TEXT = st.text(max_size=12)
# No zero, no false, no "0", and no number that could become one.
ODD = st.recursive(
    st.one_of(
        st.none(),
        st.just(True),
        st.integers(min_value=1, max_value=10**30),
        st.integers(max_value=-1),
        st.floats(min_value=1, allow_nan=False),
        st.sampled_from(["NaN", "-1", "1e400", "abc", "\x00", "\ud800", "7", "٣", " ", "x" * 600]),
        TEXT.filter(lambda text: not any(c.isdigit() for c in text)),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=4,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from places(item, (*path, key))


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy with another value at a path."""
    copy = json.loads(json.dumps(value))
    holder = copy
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = new
    return copy


@st.composite
def damaged(draw: st.DrawFn, name: str) -> Any:
    row = ROWS[name]
    for _ in range(draw(st.integers(1, 3))):
        row = replaced(row, draw(st.sampled_from(list(places(row)))), draw(ODD))
    return row


def without_wrong_zeros(outcomes: Any) -> None:
    for outcome in outcomes:
        if isinstance(outcome, LoggedRequest):
            counts = (outcome.input_tokens, outcome.cached_input_tokens, outcome.cache_write_tokens)
            assert 0 not in counts
            assert all(count is None or count > 0 for count in counts)
            assert outcome.time is None or outcome.time >= 0


def test_every_format_has_a_row_here():
    assert ROWS.keys() == set(READABLE)


@pytest.mark.parametrize("name", READABLE)
def test_a_whole_row_is_recognised_as_its_format_and_told(name):
    outcomes = list(read([stream(json.dumps(ROWS[name]) + "\n")]))
    assert outcomes[0].format == name
    if name not in ("codex-exec", "hermes"):
        (request,) = (item for item in outcomes if isinstance(item, LoggedRequest))
        assert (request.cached_input_tokens or 0) > 0
    without_wrong_zeros(outcomes)


@pytest.mark.parametrize("name", READABLE)
@given(rows=st.data())
@settings(max_examples=80, deadline=None)
def test_a_damaged_row_is_told_rejected_or_left_out_and_never_a_zero(name, rows):
    values = rows.draw(st.lists(damaged(name), min_size=1, max_size=3))
    without_wrong_zeros(read_values(values, name))


def told_in_words(content: bytes | str, *formats: str) -> None:
    for name in formats:
        try:
            outcomes = list(read([stream(content)], name))
        except LogRefused as refused:
            outcomes = [Rejected(refused.where, refused.reason)]
        without_wrong_zeros(outcomes)
        assert all(item.why for item in outcomes if isinstance(item, Rejected))


@pytest.mark.parametrize("name", READABLE)
@given(rows=st.data())
@settings(max_examples=30, deadline=None)
def test_a_damaged_file_is_read_or_refused_in_words(name, rows):
    kept = [json.dumps(row) for row in rows.draw(st.lists(damaged(name), min_size=1, max_size=3))]
    text = "\n".join([json.dumps(ROWS[name]), *kept]).encode("utf-8", "surrogatepass")
    told_in_words(text[: rows.draw(st.integers(0, len(text)))], "auto", name)


@given(content=st.binary(max_size=200) | TEXT.map(str.encode))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_read_or_refused_in_words(content):
    told_in_words(content, "auto", "generic", "otlp")


BRACKETS = st.text(alphabet='{}[]",:\\ \n1a', max_size=60)


@given(content=BRACKETS)
@settings(max_examples=300, deadline=None)
def test_any_brackets_are_read_or_refused_in_words(content):
    told_in_words(content, "generic")


@given(value=ODD)
@settings(max_examples=100, deadline=None)
def test_any_json_value_pushed_is_told_in_words(value):
    for name in READABLE:
        without_wrong_zeros(read_values([value, {"a": value}, [value]], name))


CELL = st.text(max_size=8).filter(lambda text: "0" not in text)


@given(cells=st.lists(st.lists(CELL, min_size=2, max_size=3), min_size=1, max_size=4))
@settings(max_examples=200, deadline=None)
def test_any_csv_is_read_without_a_wrong_zero(cells):
    text = "input_tokens,cached_input_tokens\n" + "\n".join(",".join(row) for row in cells)
    without_wrong_zeros(read([stream(text.encode("utf-8", "replace"))], "generic"))
