"""What comes from outside is shown and stored without what cannot be printed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.openai_usage.errors import BadAnswer, GroupingRefused, UsageError
from ingest.openai_usage.plain_text import plain_text
from tests.ingest.openai_usage.provider import (
    HOUR,
    Script,
    answer,
    bucket,
    client,
    error,
    page,
    result,
)

KEY = "a-key-of-a-gateway-9876"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("plain, as it is: ä 漢 😀", "plain, as it is: ä 漢 😀"),
        ("two  spaces", "two  spaces"),
        ("a\x00b", "ab"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\x9b2J", "2J"),
        ("line\r\nnext\ttab\xa0end", "line  next tab end"),
        ("half \ud800 of a pair", "half  of a pair"),
        ("abc\u202ecba", "abccba"),
    ],
)
def test_only_what_can_be_printed_is_kept(sent: str, kept: str) -> None:
    assert plain_text(sent) == kept


@given(st.text())
def test_any_text_becomes_one_that_can_be_stored_and_printed(sent: str) -> None:
    kept = plain_text(sent)
    assert kept.isprintable()
    assert kept.encode().decode() == kept
    assert plain_text(kept) == kept


def test_an_error_holds_nothing_that_cannot_be_printed() -> None:
    problem = BadAnswer("us\x1b[2Jage\udcff.json", "it is\x00 bad")
    assert (problem.place, problem.reason) == ("us[2Jage.json", "it is bad")
    assert str(problem) == problem.sentence == "us[2Jage.json: it is bad"
    assert str(UsageError("no\x00")) == "no"


def refused(play: Script, **options: Any) -> UsageError:
    with client(play, **options) as usage, pytest.raises(UsageError) as caught:
        usage.walk_hours(HOUR, HOUR + 1)
    return caught.value


def test_the_providers_words_are_told_without_escapes_and_nul() -> None:
    problem = refused(Script([error(418, "no \x00\x1b]0;owned\x07 tea")]))
    assert problem.sentence == "The provider refused the request (418: no ]0;owned tea)."


def test_a_refused_grouping_is_noticed_without_escapes_and_nul() -> None:
    refusal = error(400, "Unsupported group_by \x00\x1b[1mbatch", "x")
    play = Script([refusal, answer(page(bucket(HOUR)))])
    with client(play) as usage:
        walk = usage.walk_hours(HOUR, HOUR + 1, ["batch"])
    (notice,) = walk.notices
    assert notice == (
        "The provider refused to group by batch: read without it. The provider refused the "
        "grouping (400: Unsupported group_by [1mbatch)."
    )
    assert isinstance(refused(Script([refusal])), GroupingRefused)


def test_the_name_of_another_object_is_told_without_escapes() -> None:
    problem = refused(Script([answer(page(bucket(HOUR, result(object="\x9b31mred"))))]))
    assert problem.sentence.endswith('not a usage page of completions: it holds "31mred"')


@pytest.mark.parametrize("key", [KEY, "sk-admin-0123456789abcdef"])
def test_a_key_cut_up_by_characters_that_cannot_be_printed_is_not_put_together_again(
    key: str,
) -> None:
    cut_up = f"{key[:6]}\x00{key[6:]}"
    problem = refused(Script([error(418, f"no {cut_up}")]), admin_key=key)
    assert key not in problem.sentence
    assert key[7:] not in problem.sentence
