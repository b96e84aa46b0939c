"""Checks say what was compared, in the unit of the measure; what was not compared is not "ok"."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student_t

from cachewatch.analysis.readout_words import check_sentence, detectable_sentence
from cachewatch.analysis.readouts.effect import Effect
from cachewatch.analysis.readouts.kinds import Kind
from cachewatch.analysis.readouts.result import Check, Readout
from tests.cachewatch.analysis.readouts.weeks import Totals, read, two_weeks

STEADY = Totals(60_000, 480_000_000, 240_000_000)
WORSE = Totals(60_000, 480_000_000, 120_000_000)
USD = (2.0, 0.2, 2.5)


def check(found: Readout, name: str) -> Check | None:
    return next((one for one in found.checks if one.name == name), None)


@pytest.mark.parametrize("kind", ["breakpoint", "prefix", "retention", "warm-call", "writes"])
def test_quiet_hours_are_asked_of_a_key_alone(kind: Kind):
    assert check(read(two_weeks(STEADY, WORSE), kind=kind, usd=USD), "quiet_hours") is None


def test_quiet_hours_that_fell_with_the_busy_ones_are_not_called_ok():
    found = check(read(two_weeks(STEADY, WORSE), kind="key"), "quiet_hours")
    assert found is not None
    assert found.ok is None
    sentence = check_sentence(found, "busy_share")
    assert sentence.startswith(
        "The quiet-hour share went from 50% to 25%; it is held against a gain"
    )


def test_what_length_could_do_to_the_cost_is_part_of_the_cost_and_no_points_of_share():
    before = Totals(60_000, 480_000_000, 240_000_000, 20_000_000)
    after = Totals(60_000, 264_000_000, 132_000_000, 11_000_000)
    found = read(two_weeks(before, after), kind="writes", usd=USD, model="gpt-5.6-terra")
    length = check(found, "input_per_request")
    assert length is not None
    assert check_sentence(length, found.primary) == (
        "Input per request went from 8,000 to 4,400 tokens; that alone could move the cost by "
        "\u221245.0%."
    )
    assert {"net_cost", "control_series", "same_clock_hours"}.isdisjoint(
        one.name for one in found.checks
    )


def test_what_was_not_compared_is_neither_ok_nor_differs():
    found = read(two_weeks(STEADY, STEADY), two_weeks(STEADY, STEADY, seed=8), kind="breakpoint")
    texts = {one.name: check_sentence(one, found.primary) for one in found.checks if one.ok is None}
    assert texts == {
        "parts_add_up": "Cached, written and uncached tokens are reported together in no hour.",
        "control_series": "1 untouched series fits, 3 are needed to be held against.",
        "within_cells": "All traffic has one API key, tier and model: nothing to tell apart.",
        "net_cost": "Net input cost per request: N/A.",
    }


@given(
    error=st.floats(0.001, 0.2),
    degrees=st.floats(2.0, 40.0),
    confidence=st.sampled_from([0.9, 0.96, 0.98]),
)
def test_the_detectable_change_is_called_one_in_80_percent_of_cases(error, degrees, confidence):
    effect = Effect(0.0, 0.0, error, degrees, 1, 0.05)
    true = effect.detectable(confidence)
    off_zero = float(student_t.ppf(0.5 + confidence / 2.0, degrees)) * error
    seen = student_t.sf((max(0.05, off_zero) - true) / error, degrees)
    assert seen == pytest.approx(0.8)


def test_the_sentence_names_the_true_change():
    found = read(two_weeks(STEADY, STEADY), kind="breakpoint")
    assert found.minimum_detectable is not None
    assert found.minimum_detectable > found.minimum_effect
    assert detectable_sentence(found) == (
        f"A true change of {found.minimum_detectable * 100:.1f} points or more would have been "
        "seen in 80% of cases."
    )
