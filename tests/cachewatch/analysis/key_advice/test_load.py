"""Busy minutes, quiet hours, and what repeats inside one lifetime."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.key_advice.load import (
    NO_LOAD,
    load_of_hours,
    load_of_minutes,
    load_of_times,
    peak_of_units,
    quiet_hour,
)
from cachewatch.analysis.key_advice.units import units_of
from tests.cachewatch.analysis.requests.log_of import log_of

HOUR = 490_000 * 3600.0


def requests(inputs, seconds, sessions):
    return log_of(inputs, [0] * len(inputs), seconds=seconds, session=list(sessions))


def test_minutes_without_requests_count_in_hours_with_traffic():
    load = load_of_times(np.array([HOUR] * 30 + [HOUR + 61.0]))
    assert load.busiest_minute == 30
    assert load.peak.requests_per_minute == pytest.approx(30 - 29 * 0.59)
    assert load.peak.by_minute


def test_a_burst_after_an_idle_minute_is_told_from_a_busy_hour():
    every_hour = np.concatenate([HOUR + 3600 * n + np.arange(40) for n in range(24)])
    assert load_of_times(every_hour).after_idle == 1.0
    steady = HOUR + np.arange(0, 24 * 3600, 2.0)
    assert load_of_times(steady).after_idle < 0.01


def test_hours_give_the_mean_minute_of_the_busiest_one():
    load = load_of_hours(np.array([60.0, np.nan, 600.0]))
    assert (load.peak.requests_per_minute, load.peak.by_minute) == (10.0, False)
    assert load.busiest_minute is None


def test_nothing_known_is_no_load_and_never_zero():
    assert load_of_times(np.array([np.nan])) == NO_LOAD
    assert load_of_hours(np.array([np.nan])) == NO_LOAD
    assert peak_of_units(np.array([-1]), np.array([HOUR])) is None


def test_a_quiet_hour_is_the_mean_of_the_quietest_third_with_traffic():
    assert quiet_hour(np.array([0, 10, 20, 30, 40, 50, 60.0])) == 10.0
    assert quiet_hour(np.array([10.0, 20.0])) is None


def test_the_peak_of_a_unit_counts_its_own_requests():
    unit = np.repeat([0, 1], [20, 2])
    assert peak_of_units(unit, np.full(22, HOUR)) == 19.82


def test_three_of_a_unit_inside_one_lifetime_repeat():
    minutes = (0, 2, 4, 6, 20, 40)
    spread = requests([2000] * 6, [HOUR + 60 * n for n in minutes], "aaabbb")
    conversation, template = units_of(spread, 5.0)
    assert (conversation.distinct, conversation.repeating_share) == (2, 0.5)
    assert (template.granularity, template.repeating_share) == ("template", pytest.approx(4 / 6))


def test_conversations_that_grow_hold_the_long_part_and_short_ones_do_not():
    times = [HOUR + 10 * n for n in range(20)]
    sessions = "a" * 10 + "b" * 10
    grown = requests([2000 * (n % 10 + 1) for n in range(20)], times, sessions)
    assert units_of(grown, 5.0)[0].holds_long_part is True
    level = requests([6000 + 10 * n for n in range(20)], times, sessions)
    assert units_of(level, 5.0)[0].holds_long_part is False


def test_a_unit_that_few_requests_name_is_none():
    few = log_of(2000, [0] * 4, session=["a", None, None, None])
    assert [one.granularity for one in units_of(few, 5.0)] == ["template"]


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 200)), min_size=1))
def test_no_minute_is_busier_than_the_busiest(rows):
    minute, requests = (np.array(column) for column in zip(*rows, strict=True))
    load = load_of_minutes(minute + 29_400_000, requests.astype(float))
    assert 0 <= load.peak.requests_per_minute <= load.busiest_minute
    assert 0 <= load.after_idle <= 1
