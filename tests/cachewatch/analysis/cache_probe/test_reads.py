"""The requests of a trial, and what their reads mean."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.cache_generation import generation_of
from cachewatch.analysis.cache_probe.calls import STEPS, Trial, arm_for, calls_of
from cachewatch.analysis.cache_probe.reads import Read, meaning, steps_of

NEW, OLD = generation_of("gpt-5.6-terra"), generation_of("gpt-4o")


def reads_of(identical, tail):
    """One arm, one round a value; None = not reported."""
    pairs = [
        ("first", 0, identical),
        ("identical", identical, identical),
        ("changed tail", tail, tail),
    ]
    return [
        Read(number + 1, "plain", step, 4000, value, None, 0.1)
        for step, values, rounds in pairs
        for number, value in enumerate(values if values else [0] * len(rounds))
    ]


@pytest.mark.parametrize(
    ("identical", "tail", "generation", "says"),
    [
        ([3840, 3840], [3840, 3840], OLD, "with another tail too"),
        ([4000, 4000], [0, 0], NEW, "missing breakpoint"),
        ([3840, 3840], [0, 0], OLD, "look at retention and minimum"),
        ([0, 0], [0, 0], NEW, "Nothing is read"),
        ([3840, 0], [3840, 3840], OLD, "Some calls read and some do not"),
        ([0, 0], [3840, 3840], OLD, "Some calls read and some do not"),
        ([None, None], [0, 0], OLD, "not reported"),
    ],
)
def test_the_two_pairs_say_what_it_is(identical, tail, generation, says):
    steps = steps_of(reads_of(identical, tail))
    assert says in meaning(steps, "plain", generation)


def test_an_arm_that_was_not_finished_means_nothing():
    assert "ended before" in meaning(steps_of(reads_of([1], [1])[:2]), "plain", OLD)


def test_tokens_are_pooled_over_answers_that_report_them():
    steps = {one.step: one for one in steps_of(reads_of([3840, None], [0, 3840]))}
    identical, tail = steps["identical"], steps["changed tail"]
    assert (identical.n, identical.reported, identical.hits) == (2, 1, 1)
    assert (identical.cached_tokens, identical.input_tokens) == (3840, 4000)
    assert (tail.cached_tokens, tail.input_tokens, tail.outcome) == (3840, 8000, "mixed")
    assert tail.write_tokens is None


def test_what_is_tried_follows_the_generation():
    assert (arm_for(OLD), arm_for(NEW), arm_for(generation_of(None))) == (
        *("key", "breakpoint", "breakpoint"),
    )


@given(st.integers(1, 5), st.integers(1, 300), st.sampled_from(["key", "breakpoint"]))
def test_calls_of_an_arm_differ_in_the_tail_alone_and_arms_share_nothing(rounds, tokens, arm):
    trial = Trial("gpt-5.4", ("plain", arm), tokens, rounds)
    calls = calls_of(trial, [f"n{number}" for number in range(2 * rounds)])
    assert len(calls) == trial.calls
    texts = set()
    for number, one in itertools.product(range(1, rounds + 1), trial.arms):
        first, identical, tail = (
            call.body for call in calls if (call.round, call.arm) == (number, one)
        )
        assert first == identical
        assert first["input"][0] == tail["input"][0]
        assert first["input"][1] != tail["input"][1]
        texts.add(first["input"][0]["content"][0]["text"])
    assert len(texts) == 2 * rounds
    assert [call.step for call in calls if call.round == 1 and call.arm == "plain"] == list(STEPS)
