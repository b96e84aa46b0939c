"""Text for people: made from the numbers, in the vocabulary of the interface."""

from __future__ import annotations

import doctest
import importlib
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from cachewatch.analysis import cache_generation, figures, rank_correlation, series
from cachewatch.analysis.cache_generation import key_improves_routing
from cachewatch.analysis.classify import classify
from cachewatch.analysis.controls.every import say
from cachewatch.analysis.distances import distances
from cachewatch.analysis.explain import (
    detail,
    distance_sentence,
    excluded_sentence,
    nearest_sentence,
    sentence,
    short,
    third_reason,
)
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.handoff import handoff
from cachewatch.analysis.lede import lede
from cachewatch.analysis.repairs import repairs
from cachewatch.analysis.verdict_codes import VERDICTS
from cachewatch.analysis.vocabulary import GROUPS, VOCABULARY, action_class, verdict_word
from tests.cachewatch.analysis.series_of import (
    BURSTY,
    FLAT,
    RISING,
    SCATTER,
    STEADY,
    ZERO,
    batch_of,
    hour_row,
)
from tests.cachewatch.analysis.test_published_rule import hours_of_a_series, in_turn, rows_of

WEEKS = (SCATTER, FLAT, RISING, ZERO, STEADY, BURSTY, in_turn(0.6, 0.37, 60), SCATTER[:12])


def evidence(rows):
    return evidence_of(classify(batch_of(rows)), 0)


def published(rows):
    return evidence_of(classify(batch_of(rows), rules="published"), 0)


@pytest.mark.parametrize("module", [figures, cache_generation, rank_correlation, series])
def test_the_examples_in_the_docstrings_hold(module):
    result = doctest.testmod(importlib.import_module(module.__name__), extraglobs={})
    assert result.attempted > 0
    assert result.failed == 0


def test_every_verdict_has_its_word():
    assert set(VOCABULARY) == set(VERDICTS)
    assert sorted(code for group in GROUPS for code in group.codes) == sorted(VERDICTS)
    assert [verdict_word(code) for code in ("healthy", "inconclusive", "mix-shift")] == [
        *("No finding", "Cannot tell", "Traffic mix changes with load")
    ]


@pytest.mark.parametrize(
    ("rows", "heading", "under_it"),
    [
        (
            SCATTER,
            "Cached share falls from 68% when quiet to 16% when busy",
            "rho \u22121.00, 167 linked hours",
        ),
        (FLAT, "Cached share is 10%, low at every load", "10% quiet, 10% busy"),
        (
            RISING,
            "Cached share rises from 14% when quiet to 66% when busy",
            "rho +1.00, 167 linked hours",
        ),
        (
            ZERO,
            "Not one of 512M input tokens was read from the prompt cache",
            "mean input 2,000 tokens a request, near the minimum: no finding",
        ),
        (
            STEADY,
            "Load does not vary: about 1,000 requests in every linked hour",
            "about 1,000 requests in every linked hour",
        ),
        (
            BURSTY,
            "Cached share is 70% while traffic runs and 0% in the first hour after a gap",
            "70% linked, 0% in 20 hours after a gap",
        ),
        (
            in_turn(0.6, 0.57, 60),
            "No finding: cached share is 60% when quiet and 57% when busy",
            "the share falls by 3 points inside the day, a finding starts at a fall of 5 points",
        ),
        (
            SCATTER[:12],
            "Too few linked hours for a verdict: 11 of 24 linked hours",
            "11 of 24 linked hours",
        ),
    ],
)
def test_the_heading_and_the_line_under_the_verdict(rows, heading, under_it):
    assert (sentence(evidence(rows)), short(evidence(rows))) == (heading, under_it)


def test_a_number_beside_its_threshold_is_printed_apart_from_it():
    near = published(in_turn(0.5, 0.302, 60))
    assert nearest_sentence(near) == "busy is 60.4% of quiet, a finding starts at 60%"


def test_the_nearest_threshold_says_how_many_others_are_not_reached():
    assert nearest_sentence(published(in_turn(0.5, 0.5, 60))) == (
        "busy is 100% of quiet, a finding starts at 60%; 1 more threshold is not reached"
    )


def test_where_no_day_falls_the_nearest_threshold_is_the_fall_itself():
    found = evidence_of(classify(batch_of(in_turn(0.60, 0.61, 60))), 0)
    (closest,) = [row for row in distances(found) if row.closest]
    assert closest.name == "gap_points"
    assert nearest_sentence(found) == (
        "the share rises by 0.2 points inside the day, a finding starts at a fall of 5 points; "
        "1 more threshold is not reached"
    )


def test_the_tokens_of_a_heading_are_those_of_the_share_beside_it():
    found = evidence(ZERO)
    assert figures.tokens(found.pooled.input_tokens) in sentence(found)
    assert "511,300,000 input tokens in 167 linked hours, not one cached" in detail(found)
    after_a_gap = replace(found, pooled=replace(found.pooled, cached_tokens=5000))
    assert sentence(after_a_gap) == (
        "Not one of 511M input tokens of the linked hours was read from the prompt cache"
    )


def test_thresholds_in_words():
    assert [distance_sentence(row) for row in distances(published(SCATTER))] == [
        "rank correlation is \u22121.00, a finding starts at \u22120.40",
        "quiet share is 68%, a finding starts at 15%",
        "busy is 24% of quiet, a finding starts at 60%",
        "167 linked hours, a verdict needs 24",
    ]
    assert distance_sentence(distances(published(STEADY))[0]) == (
        "rank correlation is N/A, a finding starts at \u22120.40"
    )


def test_thresholds_of_the_rules_in_force_in_words():
    found = evidence_of(classify(batch_of(SCATTER)), 0)
    assert [distance_sentence(row) for row in distances(found)] == [
        "the share falls by 52 points inside the day, a finding starts at a fall of 5 points",
        "every day falls, a finding needs 75% of the days to fall",
        "quiet share is 68%, a finding starts at 15%",
        "prompt length leaves all of the fall, a finding needs 50%",
        "hours of equal load differ by 0.0 times what chance brings, a finding needs less than 1.6 times",
        "N/A of the slope is left at the same clock hour, a finding needs 25%",
        "167 linked hours, a verdict needs 24",
    ]


def test_hours_left_out_are_named_with_their_reason():
    assert excluded_sentence(evidence(BURSTY)) == (
        "42 hours used; left out: 20 after a gap, 1 after an hour that was not read"
    )
    result = classify(batch_of(BURSTY), rules="published")
    assert excluded_sentence(evidence_of(result, 0)) == "42 hours used; left out: 21 after a gap"


def test_why_there_are_no_thirds():
    assert third_reason(evidence(STEADY)) == "one load only"
    assert third_reason(evidence(SCATTER[:12])) == "too few hours to split: 11 of 24 linked hours"
    assert third_reason(evidence(SCATTER)) is None


@pytest.mark.parametrize("model", ["gpt-5.6-terra", "gpt-6.1-sol", "other-model", None])
def test_from_gpt_5_6_nothing_speaks_of_routing(model):
    found = evidence(SCATTER)
    steps = repairs(found.verdict, model, found.mean_input)
    said = [part for one in found.controls for part in say(one)]
    words = " ".join([lede(found, model), *said, *(" ".join(step) for step in steps)]).lower()
    assert "rout" not in words.replace("routes ", "").replace("route ", "")
    assert "machine" not in words
    assert "prompt_cache_key=" not in words


def test_a_verdict_that_differs_from_the_published_rule_says_so():
    batch = batch_of(BURSTY, covered=[row[0] for row in BURSTY])
    assert lede(evidence_of(classify(batch), 0), None).endswith(
        "The published rule would say: cold only after idle."
    )


def test_a_key_is_recommended_before_gpt_5_6_and_a_breakpoint_from_there_on():
    before = [step.step for step in repairs("load-correlated-misses", "gpt-5.4-2026-03-05", 2000)]
    after = [step.step for step in repairs("load-correlated-misses", "gpt-5.6-terra", 2000)]
    assert "Set a stable prompt_cache_key (models before GPT-5.6)" in before
    assert "Put an explicit breakpoint after the static part (GPT-5.6 and later)" in after
    assert not set(before) & {step for step in after if "GPT-5.6" in step}


@pytest.mark.parametrize(
    ("model", "improves"),
    [
        ("gpt-4o-mini-2024-07-18", True),
        ("gpt-4.1", True),
        ("gpt-5-2025-08-07", True),
        ("gpt-5.5-pro", True),
        ("gpt-5.6-luna", False),
        ("gpt-6-astra", False),
        ("gpt-10", False),
        ("ft:gpt-4o-2024-08-06:acme::abc", True),
        ("o3-2025-04-16", True),
        ("o4-mini", True),
        ("o5", False),
        ("claude-5", False),
        (None, False),
    ],
)
def test_which_models_route_by_key(model, improves):
    assert key_improves_routing(model) is improves


@pytest.mark.parametrize(
    ("mean_input", "first_step", "whose"),
    [
        (640, "Count the tokens with tools and schema", "none"),
        (2000, "Count the shared prefix of ten requests", "watch"),
        (4000, "Read the usage field of a raw response at the provider's edge", "yours to fix"),
        (None, "Count the shared prefix of ten requests", "watch"),
    ],
)
def test_no_cached_tokens_depends_on_the_size_of_the_prompt(mean_input, first_step, whose):
    assert repairs("no-cached-tokens", "gpt-5.4", mean_input)[0].step == first_step
    assert action_class("no-cached-tokens", mean_input) == whose


def test_handoff_notes_go_to_the_owners_of_prompt_and_retention_only():
    owners = [note and note.verdict_owner for note in (handoff(evidence(rows)) for rows in WEEKS)]
    assert owners == [None, "prefix", None, "eligibility", None, "retention", None, None]
    assert "70% cached (41.2M / 58.8M)" in handoff(evidence(BURSTY)).text


def texts(found, model):
    note = handoff(found)
    steps = repairs(found.verdict, model, found.mean_input)
    yield from (sentence(found), short(found), lede(found, model), excluded_sentence(found))
    yield from (distance_sentence(row) for row in distances(found))
    yield from (part for one in found.controls for part in say(one))
    yield from (note.text,) if note else ()
    for step in steps:
        yield from step


@pytest.mark.parametrize("model", ["gpt-5.4", "gpt-5.6-terra"])
@pytest.mark.parametrize("rows", WEEKS)
def test_text_keeps_the_wording_rules(rows, model):
    for text in texts(evidence(rows), model):
        assert "!" not in text
        assert not re.search(r"(?<!prompt )\bcaches?\b", text), text
        assert not re.search(r"prompt-cach", text), text
        assert not re.search(r"(^|\s)-\d", text), text
        assert not re.search(r"\d{4,}", re.sub(r"\d+-\d+-\d+", "", text)), text
        assert "healthy" not in text.lower()


@given(hours_of_a_series)
@settings(max_examples=150, deadline=None)
def test_any_series_has_words_and_none_of_them_is_nan_or_none(steps):
    for rules in ("full", "published"):
        found = evidence_of(classify(batch_of(rows_of(steps)), rules=rules), 0)
        said = [part for one in found.controls for part in say(one)]
        for text in (*texts(found, "gpt-5.4"), *said, detail(found)):
            assert text
            assert not re.search(r"\b(nan|None|inf)\b", text), text


def test_a_share_that_rounds_to_zero_keeps_a_digit():
    rows = [hour_row(i, 100 + i % 3 * 50, 0.002) for i in range(60)]
    assert sentence(evidence(rows)) == "Cached share is 0.2%, low at every load"
