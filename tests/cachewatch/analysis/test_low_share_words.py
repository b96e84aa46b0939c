"""A share that is low at every load and still moves with it: the words follow the numbers."""

from __future__ import annotations

import re

import pytest

from cachewatch.analysis.classify import classify
from cachewatch.analysis.controls.every import say
from cachewatch.analysis.distances import distances
from cachewatch.analysis.explain import detail, distance_sentence
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.handoff import handoff
from cachewatch.analysis.lede import lede
from cachewatch.analysis.sentences import sentence, short
from tests.cachewatch.analysis.series_of import FLAT, batch_of, week

RISING_LOW = week(lambda load: 0.01 + 0.00003 * load)  # a key on every request over a fixed pool
FALLING_LOW = week(lambda load: 0.13 - 0.00002 * load)


def evidence(rows):
    found = evidence_of(classify(batch_of(rows)), 0)
    assert found.verdict == "flat-low-share"
    return found


def said(found):
    yield from (sentence(found), short(found), detail(found), lede(found, "gpt-5.5"))
    yield handoff(found).text
    yield from (distance_sentence(row) for row in distances(found))
    yield from (part for one in found.controls for part in say(one))


def test_a_low_share_that_rises_is_said_to_rise_with_its_likely_cause():
    found = evidence(RISING_LOW)
    assert sentence(found) == (
        "Cached share is low at every load and rises from 2% when quiet to 11% when busy"
    )
    assert detail(found).endswith(
        "rank correlation 1.00 with load: low at every load, and rising with load"
    )
    assert "rises with load from 2% when quiet to 11% when busy" in handoff(found).text
    assert "which keys are sent" in handoff(found).text
    assert "A low share that rises with load is what a key made on every request" in lede(
        found, "gpt-5.5"
    )


def test_from_gpt_5_6_on_a_low_share_that_rises_is_no_matter_of_a_pool():
    words = lede(evidence(RISING_LOW), "gpt-5.6-terra")
    assert "pool" not in words
    assert "keys or prefixes that are too fine" in words


def test_a_low_share_that_falls_is_said_to_be_low_when_quiet_already():
    found = evidence(FALLING_LOW)
    assert detail(found).endswith("low at every load, and lower under load")
    assert "low when quiet already; it falls from 13% when quiet to 6% when busy" in (
        handoff(found).text
    )
    assert "the larger part of the fault does not come from load" in lede(found, "gpt-5.5")


def test_a_low_share_that_stays_level_does_not_depend_on_load():
    found = evidence(FLAT)
    assert detail(found).endswith("low at every load, not only under load")
    assert "does not depend on load" in handoff(found).text


def test_a_low_share_of_prompts_near_the_minimum_says_so_to_the_owner_of_the_prompt():
    found = evidence(RISING_LOW)
    for text in (handoff(found).text, lede(found, "gpt-5.5")):
        assert (
            "A mean input of 2,000 tokens a request is too close to the minimum of about 1,024 "
            "tokens to tell: measure." in text
        )


@pytest.mark.parametrize("rows", [RISING_LOW, FALLING_LOW, FLAT])
def test_no_rise_is_told_as_a_negative_fall(rows):
    for text in said(evidence(rows)):
        assert not re.search("fall[a-z]*( by| of| is)? [\u2212-]", text), text
        assert not re.search("[\u2212-]\\d[\\d.]* points?", text), text


def test_what_a_rise_says_of_single_days_and_of_scatter():
    found = evidence(RISING_LOW)
    words = {one.name: say(one).statement for one in found.controls}
    assert words["one-day-or-hour"] == (
        "On the median day the share rises by 7 points without the busiest hour, and rises by "
        "7 points without the day that changes this most."
    )
    assert words["share-over-load"] == (
        "Inside the day the share rises by 7 points (from 5% to 11%), and falls by 2 points "
        "or more on 0 of 7 service days. Scatter does not rise; a key made on every request, or one "
        "that is too fine, does, "
        "and total scatter may lie beneath it."
    )
