"""Every part of the bench runs and prints JSON with raw seconds beside each ratio."""

import pytest

from bench.__main__ import PARTS
from bench.timing import Cost, Step, Target, in_turn, seconds_of, speed_ratio, time_ratio
from tests.bench.parts import tiny


def test_reference_and_subject_are_run_in_turn_after_an_unmeasured_round():
    done = []
    steps = {name: Step(lambda name=name: done.append(name)) for name in ("one", "two")}
    costs = in_turn(steps, runs=2)
    assert done == ["two", "one", "one", "two", "two", "one"]
    assert {name: len(one) for name, one in costs.items()} == {"one": 2, "two": 2}


def test_a_ratio_is_one_of_medians_with_wall_and_processor_apart():
    reference = [Cost(3.0, 2.0), Cost(9.0, 8.0), Cost(4.0, 4.0)]
    subject = [Cost(1.0, 1.0), Cost(2.0, 2.0), Cost(7.0, 9.0)]
    faster = speed_ratio(reference, subject, Target("at_least", 3.0), work_ratio=2.0)
    assert faster == {"ratio": 4.0, "cpu_ratio": 4.0, "target": {"at_least": 3.0}, "met": True}
    slower = time_ratio(reference, subject, Target("at_most", 0.4))
    assert slower == {"ratio": 0.5, "cpu_ratio": 0.5, "target": {"at_most": 0.4}, "met": False}
    assert seconds_of(reference)["median_wall_seconds"] == 4.0


def test_the_diagnosis_has_its_ratios_and_a_cost_for_every_control():
    found = tiny("diagnosis")["168_hours"]
    assert set(found["seconds"]) >= {"plain_python", "published_rule", "all_controls"}
    assert found["published_rule"]["target"] == {"at_least": 25.0}
    assert found["all_controls"]["target"] == {"at_least": 8.0}
    assert len(found["milliseconds_by_control"]["records"]) > 10


@pytest.mark.stack
@pytest.mark.timeout(900)
def test_classification_touches_only_stale_series():
    found = tiny("classify")
    assert found["verdicts_written"] == found["series"] == 20
    assert found["few_stale"] == {"stale": 1, "touched": [1]}


@pytest.mark.stack
@pytest.mark.timeout(900)
def test_ingest_compares_the_same_rows():
    found = tiny("ingest")
    assert found["rows"]["new"] >= 5 * 24 * 3
    assert found["rows"]["unchanged"] == 5 * 48
    assert {"new", "unchanged"} <= set(found)


@pytest.mark.stack
@pytest.mark.timeout(900)
def test_growth_counts_bytes_and_its_plans_leave_old_partitions_alone():
    found = tiny("growth")["1k_week"]
    assert found["slice_hours"] == 5 * 5 * 168
    window = found["partitions_read"]["window of 1,000 series"]
    assert 1 <= len(window) < found["partitions"]


def test_the_parts_are_those_of_the_command():
    assert len(set(PARTS)) == len(PARTS) == 9
