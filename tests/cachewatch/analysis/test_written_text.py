"""What counts as blank."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.written_text import written


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        " \t\n",
        "\u00a0",
        "\u200b",
        "\ufeff \u2060",
        "\u202e",
        "\u3164",
        "\u2800",
        "\ufe0f",
    ],
)
def test_what_cannot_be_seen_is_blank(text: str | None) -> None:
    assert written(text) == ""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (" small ", "small"),
        ("0", "0"),
        ("-", "-"),
        ("\U0001f44d", "\U0001f44d"),
        ("\u00e9", "\u00e9"),
    ],
)
def test_what_can_be_seen_loses_only_the_space_around_it(text: str, kept: str) -> None:
    assert written(text) == kept


@given(st.text())
def test_it_is_the_same_when_taken_twice(text: str) -> None:
    assert written(written(text)) == written(text)
