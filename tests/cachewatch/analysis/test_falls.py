"""The shapes of a fall: over the clock, over doubled load, over days."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.clock import clock_tests
from cachewatch.analysis.doubling import doubling_slopes
from cachewatch.analysis.level import best_split
from cachewatch.analysis.levelling import top_slopes
from cachewatch.analysis.load_hours import LoadHours
from cachewatch.analysis.onset import find_onset
from tests.cachewatch.analysis.series_of import DAY

NAN = float("nan")


def clock_test(hours, rates, fall):
    return clock_tests(hours, tuple(np.array([rate]) for rate in rates), np.array([fall]))[0]


def doubling_slope(hours):
    return doubling_slopes(hours)[0]


def top_slope(hours, rates, shares):
    return top_slopes(hours, *(tuple(np.array([one]) for one in pair) for pair in (rates, shares)))[
        0
    ]


def load_hours(share, factors=(0.7, 1.3, 0.9, 1.6, 0.8, 1.1, 1.0)) -> LoadHours:
    """Seven days; `share` takes the requests and the clock hour."""
    clock = np.tile(np.arange(24), len(factors))
    day = np.repeat(np.arange(len(factors)), 24)
    requests = np.array(DAY * len(factors)) * np.array(factors)[day]
    cached = np.array([share(q, c) for q, c in zip(requests, clock, strict=True)])
    return LoadHours(clock, day, requests, requests * 1000, cached * requests * 1000)


def test_a_share_that_is_a_function_of_load_keeps_its_slope_at_fixed_clock_hours():
    hours = load_hours(lambda q, _c: 0.9 - 0.1 * np.log(q / 100))
    test = clock_test(hours, (200.0, 3600.0), 0.1 * np.log(18))
    assert test.fraction == pytest.approx(1.0, abs=0.01)
    assert (test.follows_load, test.follows_clock) == (True, False)


def test_a_share_that_is_a_function_of_the_clock_keeps_nothing_of_it():
    hours = load_hours(lambda _q, c: 0.8 if c < 8 or c > 18 else 0.4)
    test = clock_test(hours, (200.0, 3600.0), 0.4)
    assert test.fraction == pytest.approx(0.0, abs=0.01)
    assert (test.follows_load, test.follows_clock) == (False, True)


@pytest.mark.parametrize(
    ("factors", "rates", "fall"),
    [
        ((1.0,) * 7, (200.0, 3600.0), 0.4),  # every day the same
        ((0.7, 1.3), (200.0, 3600.0), 0.4),  # two days
        ((0.7, 1.3, 0.9), (200.0, 240.0), 0.4),  # hardly busier
        ((0.7, 1.3, 0.9), (200.0, 3600.0), -0.1),  # no fall
    ],
)
def test_where_days_do_not_differ_the_clock_cannot_be_told_from_the_load(factors, rates, fall):
    test = clock_test(load_hours(lambda _q, _c: 0.5, factors), rates, fall)
    assert (test.fraction, test.follows_clock, test.follows_load) == (None, False, False)


def test_the_doubling_slope_of_a_power_is_its_exponent_and_does_not_bend():
    found = doubling_slope(load_hours(lambda q, _c: 0.25 * (q / 100) ** -0.35))
    assert found.slope == pytest.approx(-0.35, abs=1e-6)
    assert found.bend == pytest.approx(0.0, abs=1e-6)
    assert found.looks_like_fan_out(0.22, 1.0)
    assert not found.looks_like_fan_out(0.6, 1.0)
    assert not found.looks_like_fan_out(0.6, NAN)


def test_a_bend_within_two_standard_errors_may_be_a_straight_line():
    noise = np.random.default_rng(3).normal(0, 0.4, 168)
    hours = load_hours(lambda q, _c: 0.2 * (q / 100) ** -0.35)
    noisy = LoadHours(
        hours.clock,
        hours.day,
        hours.requests,
        hours.input_tokens,
        hours.cached_tokens * np.exp(noise),
    )
    found = doubling_slope(noisy)
    assert found.bend_error == pytest.approx(0.19, abs=0.01)
    assert doubling_slope(hours).bend_error == pytest.approx(0.0, abs=1e-6)
    bent = found._replace(bend=1.9 * found.bend_error)
    assert bent.looks_like_fan_out(0.2, 1.0)
    assert not found._replace(bend=2.1 * found.bend_error).looks_like_fan_out(0.2, 1.0)


def test_at_any_level_a_straight_fall_with_hours_more_alike_than_chance_is_a_fan_out():
    found = doubling_slope(load_hours(lambda q, _c: 0.6 * (q / 100) ** -0.35))
    assert found.looks_like_fan_out(0.6, 0.1)


def test_a_fall_that_begins_at_a_limit_bends():
    found = doubling_slope(load_hours(lambda q, _c: 0.25 * min(1.0, 900 / q)))
    assert found.bend < -0.3
    assert not found.looks_like_fan_out(0.22, 0.1)


RATES = (200.0, 3600.0)


def test_a_fall_that_goes_on_to_a_limit_grows_steeper_in_the_busiest_hours():
    hours = load_hours(lambda q, _c: 0.8 * min(1.0, 900 / q))
    found = top_slope(hours, RATES, (0.8, 0.2))
    assert found.part == pytest.approx(2.08, abs=0.01)  # -1 over ln(0.2/0.8) / ln(18)
    assert (found.levels_off(1.0), found.hours) == (False, 56)


def test_a_fall_that_ends_before_the_busiest_hours_levels_off():
    hours = load_hours(lambda q, _c: 0.8 * (min(q, 1500) / 100) ** -0.5)
    found = top_slope(hours, RATES, (0.57, 0.21))
    assert found.part == pytest.approx(0.0, abs=0.01)
    assert found.levels_off(1.0)


def test_hours_more_alike_than_chance_show_a_limit_wherever_the_fall_ends():
    found = top_slope(
        load_hours(lambda q, _c: 0.8 * (min(q, 1500) / 100) ** -0.5), RATES, (0.57, 0.21)
    )
    assert not found.levels_off(0.9)
    assert not found.levels_off(NAN)


def test_a_share_that_rises_again_when_busy_does_not_level_off():
    hours = load_hours(lambda q, _c: 0.4 * (max(q, 1500) / 1500) ** 0.9)
    found = top_slope(hours, RATES, (0.57, 0.21))
    assert found.part < -1.0
    assert not found.levels_off(1.0)


def test_noise_in_the_busiest_hours_never_makes_a_fall_level_off():
    noise = np.random.default_rng(1).normal(0, 0.15, 168)
    hours = load_hours(lambda _q, _c: 0.4)
    noisy = LoadHours(
        hours.clock,
        hours.day,
        hours.requests,
        hours.input_tokens,
        (0.4 + noise) * hours.input_tokens,
    )
    found = top_slope(noisy, RATES, (0.45, 0.4))
    assert found.high > 0.5
    assert not found.levels_off(1.0)


@pytest.mark.parametrize(
    ("rates", "shares", "factors"),
    [
        ((200.0, 240.0), (0.8, 0.2), (1.0, 1.2, 0.8)),  # hardly busier
        (RATES, (0.2, 0.8), (1.0, 1.2, 0.8)),  # no fall
        (RATES, (0.8, 0.0), (1.0, 1.2, 0.8)),  # nothing is read when busy
        (RATES, (0.8, 0.2), ()),  # no hours
    ],
)
def test_without_busy_hours_of_different_load_nobody_can_say_whether_a_fall_levels_off(
    rates, shares, factors
):
    assert top_slope(load_hours(lambda _q, _c: 0.5, factors), rates, shares) is None


def test_busiest_hours_of_one_load_show_no_slope():
    hours = load_hours(lambda _q, _c: 0.5)
    one_load = np.minimum(hours.requests, 900.0)
    capped = LoadHours(hours.clock, hours.day, one_load, one_load * 1000, one_load * 500)
    assert top_slope(capped, RATES, (0.8, 0.2)) is None


def test_an_onset_is_the_first_day_of_the_present_run():
    falls = np.array(
        [
            [0.01, 0.0, 0.02, 0.30, 0.33, 0.31],
            [0.30, 0.31, 0.29, 0.30, 0.32, 0.31],
            [0.01, 0.0, NAN, NAN, 0.31, 0.33],
            [0.0, 0.01, 0.0, 0.01, 0.0, 0.40],  # one day is no run
        ]
    )
    found = find_onset(falls)
    assert found.day.tolist() == [3, 0, 4, 0]  # a day that counts
    assert found.change[0] == pytest.approx(0.3033, abs=1e-3)


def test_a_level_must_move_clear_of_the_days_own_spread():
    weekdays = np.zeros((2, 6), dtype=bool)
    values = np.array([[0.8, 0.82, 0.81, 0.4, 0.41, 0.39], [0.8, 0.4, 0.75, 0.45, 0.8, 0.4]])
    found = best_split(values, np.ones((2, 6)), weekdays)
    assert (found.shifted.tolist(), found.day.tolist()[0]) == ([True, False], 3)
    assert (round(found.split.before[0], 2), round(found.split.after[0], 2)) == (0.81, 0.4)


def test_a_weekend_of_less_traffic_and_a_lower_share_is_density():
    weekend = np.array([[False] * 4 + [True] * 2 + [False]])
    values, quieter = (
        np.array([[0.8, 0.81, 0.8, 0.82, 0.4, 0.41, 0.8]]),
        np.array([[9.0] * 4 + [2.0] * 2 + [9.0]]),
    )
    assert not best_split(values, quieter, weekend).by_weekend[0]
    higher = np.array([[0.4, 0.41, 0.4, 0.42, 0.8, 0.81, 0.4]])
    assert best_split(higher, quieter, weekend).by_weekend[0]


def test_a_weekend_at_the_end_of_the_window_is_no_more_than_its_last_days():
    weekend = np.array([[False] * 4 + [True] * 2])
    values = np.array([[0.4, 0.41, 0.4, 0.42, 0.8, 0.81]])
    rates = np.array([[9.0] * 4 + [2.0] * 2])
    found = best_split(values, rates, weekend)
    assert (bool(found.by_weekend[0]), bool(found.shifted[0]), int(found.day[0])) == (
        False,
        True,
        4,
    )
