"""What the minutes of a busy day change in a verdict: of which cell, and of which days."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cachewatch.analysis.minutes import CONFIRMED, MinuteDay
from tests.cachewatch.analysis.cells_of import days_of, share_of_load, verdict_of
from tests.cachewatch.analysis.series_of import BASE_HOUR, DAY

MINUTES = 24 * 60
SCATTER = "load-correlated-misses"


def by_clock(place: int) -> float:
    """High at night, low by day."""
    return 0.8 if place % 24 < 8 or place % 24 > 18 else 0.4


def factor(day: int) -> float:
    """Days differ, so that the clock and the load can be told apart."""
    return (0.7, 1.3, 0.9, 1.6, 0.8, 1.1, 1.0)[day]


def cell(requests, share, place, *, first_day=0, seed=1):
    """One cell's minutes of one day."""
    hits = np.random.default_rng(seed).binomial(requests, np.clip(share, 0, 1))
    minute = (BASE_HOUR + 24 * first_day) * 60 + np.arange(MINUTES)
    where = np.full(MINUTES, place)
    return MinuteDay.of(minute, where, requests, requests * 4000, hits * 4000)


def joined(*days):
    names = ("minute", "cell", "requests", "input_tokens", "cached_tokens")
    return MinuteDay.of(*(np.concatenate([getattr(one, name) for one in days]) for name in names))


def requests(seed, lumps=True):
    """A minute's requests: a quarter of the daily load; in lumps, a third of the minutes has most."""
    rng = np.random.default_rng(seed)
    mean = np.repeat(np.array(DAY) / 60, 60) / 4
    return rng.poisson(np.where(rng.random(MINUTES) < 1 / 3, 2 * mean, mean / 2) if lumps else mean)


CLOCK_KEY = days_of(lambda _load, place: 4000 * by_clock(place), day_factor=factor)
NEVER_CACHED = days_of(lambda _load, _place: 0.0, day_factor=factor)
SHARE_OF_DAY = np.repeat([by_clock(hour) for hour in range(24)], 60)


@pytest.mark.parametrize("with_minutes", [False, True])
def test_a_key_that_follows_the_clock_is_not_accused_for_another_that_is_never_cached(with_minutes):
    even, lumpy = requests(1, lumps=False), requests(2)
    minutes = joined(cell(even, SHARE_OF_DAY, 0), cell(lumpy, np.zeros(MINUTES), 1))
    added_up = replace(minutes, cell=np.zeros_like(minutes.cell)).test()
    assert added_up.says(-0.1) == CONFIRMED  # keys added up would accuse
    series = {"key_a": CLOCK_KEY, "key_b": NEVER_CACHED}
    found = verdict_of(series, minutes={0: minutes} if with_minutes else {})
    assert found.verdict == "inconclusive"
    assert found.reason == ("no-minute-effect" if with_minutes else "time-of-day")


def overflowing(load):
    return np.minimum(1.0, 10 / np.maximum(load, 1))


def test_a_key_that_scatters_is_judged_by_its_own_minutes_and_named():
    scatters = share_of_load(lambda load: 0.9 - 0.1 * np.log(load / 100), day_factor=factor)
    steady = days_of(lambda _load, _place: 2400.0, day_factor=factor)
    own, other = requests(3), requests(4)
    minutes = joined(
        cell(own, overflowing(own), 0), cell(other, np.clip(other / 40, 0, 1), 1, seed=2)
    )
    found = verdict_of({"key_a": scatters, "key_b": steady}, minutes={0: minutes})
    assert (found.verdict, found.cell.api_key_id) == (SCATTER, "key_a")
    assert found.control("minutes").status == "fired"
    acquitted = joined(
        cell(own, np.full(MINUTES, 0.5), 0), cell(other, np.clip(other / 40, 0, 1), 1, seed=2)
    )
    assert (
        verdict_of({"key_a": scatters, "key_b": steady}, minutes={0: acquitted}).verdict != SCATTER
    )


def test_minutes_that_do_not_tell_the_keys_apart_leave_the_verdict_to_the_hours():
    series = {"key_a": CLOCK_KEY, "key_b": NEVER_CACHED}
    load = requests(1)
    merged = cell(load, overflowing(load), 2)  # neither of the two
    found = verdict_of(series, minutes={0: merged})
    assert (found.verdict, found.reason) == ("inconclusive", "time-of-day")
    assert found.control("minutes").status == "not_testable"
    alone = share_of_load(lambda load: 0.9 - 0.1 * np.log(load / 100), day_factor=factor)
    assert verdict_of({"key_a": alone}, minutes={0: merged}).control("minutes").status == "fired"


# Nothing falls for three days, then the share falls with load.
BROKEN = days_of(
    lambda load, place: 3200.0 if place < 72 else 4000.0 * (0.9 - 0.14 * np.log(load / 100)),
    day_factor=factor,
)


@pytest.mark.parametrize(
    ("day", "verdict"), [(1, SCATTER), (2, SCATTER), (4, "inconclusive"), (6, "inconclusive")]
)
def test_minutes_from_before_the_fall_began_do_not_acquit_it(day, verdict):
    without = verdict_of({"key_a": BROKEN})
    assert (without.verdict, without.since_hour) == (SCATTER, BASE_HOUR + 81)
    steady = cell(requests(5), np.full(MINUTES, 0.5), 0, first_day=day)
    found = verdict_of({"key_a": BROKEN}, minutes={0: steady})
    assert (found.verdict, found.since_hour) == (verdict, without.since_hour)


def test_what_the_minutes_say_is_the_same_in_the_verdict_and_beside_it():
    series = {
        "key_a": share_of_load(lambda load: 0.9 - 0.1 * np.log(load / 100), day_factor=factor)
    }
    load = requests(6)
    for share, verdict, status in (
        (overflowing(load), SCATTER, "fired"),
        (np.full(MINUTES, 0.5), "inconclusive", "ruled_out"),
    ):
        found = verdict_of(series, minutes={0: cell(load, share, 0)})
        assert (found.verdict, found.control("minutes").status) == (verdict, status)


def test_a_key_whose_own_minutes_do_not_decide_is_acquitted_by_all_and_never_accused_by_them():
    falls = share_of_load(lambda load: 0.9 - 0.1 * np.log(load / 100), day_factor=factor)
    series = {"key_a": falls, "key_b": falls}
    even, lumpy = requests(7, lumps=False), requests(8)
    undecided = cell(even, np.full(MINUTES, 0.5), 0, seed=4)
    assert undecided.test().says(-0.1) == "minutes-undecided"
    both = joined(undecided, cell(lumpy, np.full(MINUTES, 0.5), 1, seed=2))
    found = verdict_of(series, minutes={0: both})
    assert (found.verdict, found.reason) == ("inconclusive", "no-minute-effect")
