"""The numbers behind a verdict: distances, findings, and the trip through storage."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from hypothesis import given, settings

from cachewatch.analysis.classify import classify
from cachewatch.analysis.distances import distances
from cachewatch.analysis.evidence import evidence_from_record, is_finding
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.thresholds import Thresholds
from cachewatch.analysis.verdict_codes import VERDICTS
from tests.cachewatch.analysis.series_of import BURSTY, SCATTER, STEADY, batch_of
from tests.cachewatch.analysis.test_published_rule import hours_of_a_series, in_turn, rows_of


def evidence(rows, **thresholds):
    return evidence_of(classify(batch_of(rows), Thresholds(**thresholds)), 0)


def published(rows):
    return evidence_of(classify(batch_of(rows), rules="published"), 0)


def passes(found):
    return {row.name: (row.passes, row.closest) for row in distances(found)}


def test_a_finding_passes_all_thresholds_and_the_nearest_one_is_closest():
    assert passes(published(in_turn(0.6, 0.35, hours=60))) == {
        "rho_floor": (True, False),
        "quiet_floor": (True, False),
        "ratio_floor": (True, True),  # 58.3% of quiet against 60%
        "min_hours": (True, False),
    }


def test_where_there_is_no_finding_the_closest_is_the_nearest_of_those_not_passed():
    assert passes(published(in_turn(0.6, 0.37, hours=60))) == {
        "rho_floor": (True, False),
        "quiet_floor": (True, False),
        "ratio_floor": (False, True),
        "min_hours": (True, False),
    }


def test_an_undefined_number_neither_passes_nor_fails():
    assert passes(published(STEADY)) == {
        "rho_floor": (None, False),
        "quiet_floor": (None, False),
        "ratio_floor": (None, False),
        "min_hours": (True, True),
    }


def test_a_quiet_share_of_zero_has_no_ratio():
    ratio = next(
        row for row in distances(published(in_turn(0.0, 0.3))) if row.name == "ratio_floor"
    )
    assert (ratio.value, ratio.passes) == (None, None)


def test_the_side_of_every_threshold_is_the_side_of_a_finding():
    assert [(row.name, row.side, row.limit) for row in distances(published(SCATTER))] == [
        ("rho_floor", "at or below", -0.4),
        ("quiet_floor", "at or above", 0.15),
        ("ratio_floor", "at or below", 0.6),
        ("min_hours", "at or above", 24),
    ]


def test_under_the_rules_in_force_the_distances_are_those_of_the_contrast_inside_the_day():
    rows = {row.name: row for row in distances(evidence(SCATTER))}
    assert list(rows) == [
        *("gap_points", "gap_days_agree", "quiet_floor", "beyond_length"),
        *("noise_ratio", "clock_fraction", "min_hours"),
    ]
    fall = rows["gap_points"]
    assert (round(fall.value, 3), fall.limit, fall.side, fall.passes) == (
        *(0.518, 0.05, "at or above"),
        True,
    )
    assert round(fall.margin, 1) == 9.4
    # Every day brings the same load at the same hour: the clock cannot be told from the load.
    assert (rows["clock_fraction"].value, rows["clock_fraction"].passes) == (None, None)
    assert rows["clock_fraction"].margin == float("inf")


def test_own_limits_tighter_than_the_default_are_among_the_distances():
    tighter = {"rho_floor": -0.9, "ratio_floor": 0.5}
    names = [row.name for row in distances(evidence(SCATTER, **tighter))]
    assert names[-2:] == ["rho_floor", "ratio_floor"]


def test_thresholds_may_differ_from_series_to_series():
    strict, loose = Thresholds(ratio_floor=0.2), Thresholds()
    result = classify(batch_of(SCATTER, SCATTER), [strict, loose])
    assert [evidence_of(result, index).verdict for index in (0, 1)] == [
        "healthy",
        "load-correlated-misses",
    ]
    with pytest.raises(ValueError, match="1 thresholds for 2 series"):
        classify(batch_of(SCATTER, SCATTER), [strict])


def test_what_is_a_finding_under_full():
    always = {code for code in VERDICTS if is_finding(code, None, "full")}
    assert always == {
        "load-correlated-misses",
        "flat-low-share",
        "cold-only-after-idle",
        "sparse-traffic-retention",
    }


@pytest.mark.parametrize(
    ("mean_input", "finding"), [(None, False), (640, False), (2999, False), (3000, True)]
)
def test_no_cached_tokens_is_a_finding_where_the_mean_input_clearly_reaches_the_minimum(
    mean_input, finding
):
    assert is_finding("no-cached-tokens", mean_input, "full") is finding


def test_under_the_published_rules_only_misses_under_load_are_a_finding():
    found = {code for code in VERDICTS if is_finding(code, 5000, "published")}
    assert found == {"load-correlated-misses"}


def test_the_mean_input_is_that_of_all_counted_hours():
    assert evidence(BURSTY).mean_input == 2000
    assert evidence([]).mean_input is None


@given(hours_of_a_series)
@settings(max_examples=100, deadline=None)
def test_evidence_comes_back_from_json_as_it_was(steps):
    before = evidence(rows_of(steps))
    text = json.dumps(asdict(before), allow_nan=False)
    assert evidence_from_record(json.loads(text)) == before
