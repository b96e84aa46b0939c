"""Thresholds: where they come from, what a team may set."""

from __future__ import annotations

import math

import pytest

from cachewatch.analysis.decision_thresholds import DECISION_THRESHOLDS
from cachewatch.analysis.readout_thresholds import READOUT_THRESHOLDS
from cachewatch.analysis.thresholds import SETTABLE, THRESHOLDS, ThresholdError, Thresholds


def test_every_threshold_has_a_name_a_unit_and_a_source():
    every = (*THRESHOLDS, *DECISION_THRESHOLDS, *READOUT_THRESHOLDS)
    assert len({threshold.name for threshold in every}) == len(every)
    assert all(threshold.label and threshold.unit and threshold.source for threshold in every)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("provider_same_load", 1.2),
        ("provider_share", 0.15),
        ("provider_witnesses", 200),
        ("found_when_quiet", 0.95),
        ("background_quietest", 0.02),
        ("shape_hours", 8),
        ("key_length", 64),
        ("key_rate", 15),
        ("warm_repeats", 3),
    ],
)
def test_numbers_of_causes_and_planned_keys_stand_in_the_list(name, value):
    assert {one.name: one.default for one in THRESHOLDS}[name] == value


def test_the_defaults_are_those_of_the_published_rule():
    assert Thresholds().as_dict() == {
        "rho_floor": -0.4,
        "ratio_floor": 0.6,
        "quiet_floor": 0.15,
        "min_hours": 24,
    }
    assert list(SETTABLE) == list(Thresholds().as_dict())


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("rho_floor", 0.1, "rho_floor must be from -1 to 0, not 0.1"),
        ("rho_floor", math.nan, "rho_floor must be from -1 to 0, not nan"),
        ("ratio_floor", 0, "ratio_floor must be from 0.05 to 1, not 0"),
        ("quiet_floor", "0.2", "quiet_floor must be a number, not '0.2'"),
        ("quiet_floor", None, "quiet_floor must be a number, not None"),
        ("min_hours", 24.0, "min_hours must be a whole number, not 24.0"),
        ("min_hours", True, "min_hours must be a whole number, not True"),
        ("min_hours", 169, "min_hours must be from 8 to 168, not 169"),
        ("tempo", 1, "there is no threshold 'tempo' to set"),
    ],
)
def test_a_value_out_of_range_is_refused_in_words(name, value, sentence):
    with pytest.raises(ThresholdError) as refused:
        Thresholds().with_overrides({name: value})
    assert (str(refused.value), refused.value.name) == (sentence, name)


def test_overrides_replace_only_what_they_name():
    changed = Thresholds(rho_floor=-0.5).with_overrides({"min_hours": 48})
    assert changed == Thresholds(rho_floor=-0.5, min_hours=48)


def test_keys_differ_where_values_differ_and_only_there():
    assert Thresholds().key == Thresholds(quiet_floor=0.15).key
    assert Thresholds(ratio_floor=1).key == Thresholds(ratio_floor=1.0).key
    assert (
        len({Thresholds().key, Thresholds(min_hours=25).key, Thresholds(rho_floor=-0.5).key}) == 3
    )
    assert len(Thresholds().key) == 16
