"""What a person knows besides takes the place of what was measured, and of nothing else."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from cachewatch.analysis.key_advice.advice import KeyAdvice, Traffic
from cachewatch.analysis.key_advice.assumptions import Assumptions, planned_assuming
from cachewatch.analysis.key_advice.load import Load
from cachewatch.analysis.key_advice.plan import heading, plan_of
from cachewatch.analysis.key_advice.units import UnitFacts
from cachewatch.analysis.key_advice.usage import (
    PlannedSeries,
    UsageHours,
    UsageMinutes,
    planned_of_usage,
)
from cachewatch.analysis.key_plan import PeakLoad

HOURS = np.arange(490_000, 490_048)
LOAD = Load(PeakLoad(60.0, by_minute=True, quiet_requests_per_hour=400.0), 80.0, 0.1)
TRAFFIC = Traffic(
    "gpt-4o",  # its entries live 5 minutes
    date(2026, 11, 20),
    LOAD,
    (UnitFacts("template", 1, 1.0, 60.0, True),),
    requests=50_000,
    mean_input_tokens=7000.0,
)
SERIES = PlannedSeries("proj_a", "gpt-4o", TRAFFIC, "minutes")


def told(**given) -> tuple[PlannedSeries, KeyAdvice]:
    return planned_assuming(SERIES, Assumptions(**given))


def hours_of(requests) -> UsageHours:
    values = np.array(requests, dtype=np.float64)
    return UsageHours(HOURS[: len(values)], values, values * 7000)


def test_without_anything_given_the_plan_is_that_of_the_traffic():
    one, advice = told()
    assert one == SERIES
    assert (advice.helps, heading(advice)) == (
        "unknown",
        (
            "Whether a key helps depends on how many prefixes there are; the plan is for a key per "
            "template, over 4 to 6 shards"
        ),
    )


def test_many_prefixes_that_somebody_knows_of_make_a_key_help():
    one, advice = told(prefixes=12)
    assert (advice.helps, one.traffic.prefixes) == ("yes", 12)
    assert heading(advice) == "Send a key per template, over 4 to 6 shards"
    assert "they have 12 prefixes" in advice.reasons[0]


def test_one_prefix_that_somebody_knows_of_makes_keys_useless():
    _, advice = told(prefixes=1)
    assert (advice.helps, advice.unit) == ("no", None)
    assert heading(advice) == "Send no key: it does not help here"


def test_a_rate_that_is_known_better_is_a_rate_of_minutes_whose_busiest_is_not_known():
    one, advice = told(prefixes=12, requests_per_minute=100.0)
    assert one.traffic.load == Load(PeakLoad(100.0, True, 400.0))
    assert tuple(advice.shards or ()) == (7, None, 7, 11)
    assert "At least 7 shards; single minutes may need more." in advice.reasons
    assert heading(advice) == "Send a key per template, over at least 7 shards"
    assert plan_of(one, advice)["requests_per_minute"] == 100.0


def test_a_rate_that_fits_on_one_machine_leaves_one_key():
    _, advice = told(requests_per_minute=9.0)
    assert advice.helps == "little"
    assert heading(advice) == "A key changes little here; one per template is enough"


def test_a_unit_of_ones_own_is_planned_for_and_said_to_be_unknown():
    _, advice = told(unit="conversation")
    assert (advice.unit, advice.shards) == ("conversation", None)
    assert heading(advice) == (
        "Whether a key helps is not known; the plan is for a key per conversation"
    )
    assert "Whether a conversation repeats within the lifetime is not known here." in advice.reasons


def test_hours_in_which_a_cell_reports_no_requests_are_not_reported():
    hours = UsageHours(
        np.array([490_000, 490_000, 490_001]),
        np.array([5.0, np.nan, 90.0]),
        np.array([1.0, 70_000.0, 630_000.0]),
    )
    one = planned_of_usage("proj_a", "gpt-4o", hours)
    assert (one.traffic.requests, one.basis) == (90, "hours")
    assert one.traffic.load.peak == PeakLoad(1.5)
    assert one.traffic.mean_input_tokens == pytest.approx(630_001 / 95)


def test_no_hour_at_all_says_that_nothing_is_known():
    one, advice = planned_assuming(planned_of_usage("p", "gpt-4o", hours_of([])), Assumptions())
    assert (one.traffic.requests, advice.helps, advice.unit) == (None, "unknown", None)
    assert advice.reasons == (
        "Requests are not reported, so nothing is known of busy minutes or of what repeats.",
    )
    assert heading(advice) == "Whether a key helps is not known"


def test_the_quiet_hour_is_that_of_the_hours_also_where_minutes_are_known():
    minutes = UsageMinutes(np.array([29_400_000]), np.array([40.0]))
    one = planned_of_usage("p", "gpt-4o", hours_of([60.0] * 24 + [600.0] * 24), minutes)
    assert one.basis == "minutes"
    assert one.traffic.load.peak.quiet_requests_per_hour == 60.0
    assert one.traffic.load.busiest_minute == 40.0


def test_a_day_of_minutes_without_a_request_leaves_the_hours():
    minutes = UsageMinutes(np.array([], dtype=np.int64), np.array([]))
    assert planned_of_usage("p", "gpt-4o", hours_of([60.0] * 24), minutes).basis == "hours"
