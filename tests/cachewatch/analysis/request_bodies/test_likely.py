"""What parts two texts, told from the place where they part."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.request_bodies.likely import likely_kind, parting

UUIDS = "7c9e6679-7425-40de-944b-e07fc1f90ae7", "7c9e6679-7425-40de-944b-e07fc1f90ae8"


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Today is 2026-11-29.", "Today is 2026-11-30.", "time"),
        ("Now: 2026-11-29T10:00:00Z", "Now: 2026-11-29T10:00:01Z", "time"),
        ("It is Monday", "It is Tuesday", "time"),
        ("29 November 2026", "30 November 2026", "time"),
        ("Nov 29, 2026", "Dec 2, 2026", "time"),
        ("at 1796000000 s", "at 1796000060 s", "time"),
        (f"run {UUIDS[0]} of", f"run {UUIDS[1]} of", "id"),
        ("session sess_4fa812bc9d", "session sess_9ba812bc9d", "id"),
        ("sha 9f86d081884c7d65", "sha 9f86d081884c7d66", "id"),
        ("You have 3 credits", "You have 12 credits", "number"),
        ("a: 1.5", "a: 1.7", "number"),
        ('Context {"b": 1, "a": 2} end', 'Context {"a": 2, "b": 1} end', "json-key-order"),
        ('{"a": {"x": 1, "y": 2}, "n": 5}', '{"a": {"y": 2, "x": 1}, "n": 6}', "json-key-order"),
        ("line one\nline two", "line one\n\nline two", "whitespace"),
        ("the end", "the end\n", "whitespace"),
        ("at 12:01", "at 12:01 and so on", "extended"),
        ("You are kind", "You are stern", "other"),
    ],
)
def test_what_differs_is_told_by_its_shape(a, b, kind):
    assert likely_kind(a, b) == kind
    assert likely_kind(b, a) == kind


def test_a_time_far_from_the_place_does_not_name_the_difference():
    assert likely_kind("2026-11-29 you are kind", "2026-11-29 you are stern") == "other"


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=20))
def test_texts_part_where_their_first_characters_differ(start, a, b):
    at = parting(start + a, start + b)
    assert at >= len(start)
    assert (start + a)[:at] == (start + b)[:at]
    assert (start + a)[at : at + 1] != (start + b)[at : at + 1] or at == len(start + a) == len(
        start + b
    )


@given(st.text(), st.text())
def test_any_two_texts_have_a_kind_that_does_not_depend_on_their_order(a, b):
    assert likely_kind(a, b) == likely_kind(b, a)
