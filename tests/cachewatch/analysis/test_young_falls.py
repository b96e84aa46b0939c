"""A fall that began a day or two ago is told at once, and accuses nobody."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.lede import lede
from cachewatch.analysis.onset import find_young
from cachewatch.analysis.sentences import sentence
from tests.cachewatch.analysis.cells_of import days_of, verdict_of
from tests.cachewatch.analysis.series_of import BASE_HOUR

NAN = float("nan")
YOUNG = ("inconclusive", "young-fall")
# 2026-08-17 is a Monday; service days are cut at 03:00.
FRIDAY = 4


def series(begins, days, change=0.5, quiet=0.8):
    """Flat until hour `begins`; from then on busy hours lose up to `change`."""

    def cached(load, place):
        loses = change * min(max((load - 600) / 3000, 0.0), 1.0) if place >= begins else 0.0
        level = quiet if place >= begins else 0.8
        return 4000 * (level - loses)

    return verdict_of({"key_a": days_of(cached, days=days)})


def found(evidence):
    return evidence.verdict, evidence.reason


@pytest.mark.parametrize(
    ("falls", "day"),
    [
        ([0.01, 0.0, 0.02, 0.01, 0.30], 4),
        ([0.01, 0.0, 0.02, 0.30, 0.28], 3),
        ([0.01, NAN, 0.02, 0.0, NAN, 0.28], 5),  # days that do not count are passed over
        ([0.01, 0.02, 0.30], 0),  # two days before say too little
        ([0.01, 0.0, 0.02, 0.30, 0.02], 0),  # it is over
        ([0.30, 0.0, 0.25, 0.01, 0.30], 0),  # such days came before
        ([0.06, 0.07, 0.06, 0.07, 0.30], 0),  # it fell before as well
        ([0.01, 0.0, 0.02, 0.01, 0.07], 0),  # seven points are no onset
    ],
)
def test_the_last_one_or_two_days_stand_clear_of_those_before(falls, day):
    values = np.array([falls])
    assert find_young(values, ~np.isnan(values)).day.tolist() == [day]


def test_days_of_unusual_traffic_alone_begin_nothing():
    values = np.array([[0.01, 0.0, 0.02, 0.30, 0.28]])
    usual = np.array([[True, True, True, False, False]])
    assert find_young(values, usual).day.tolist() == [0]


@pytest.mark.parametrize("days_since", [1, 2])
def test_a_fall_since_one_or_two_days_cannot_be_told_yet_and_says_since_when(days_since):
    begins = 24 * (FRIDAY + 1 - days_since) + 3
    evidence = series(begins, days=FRIDAY + 1)
    assert found(evidence) == YOUNG
    assert (evidence.fall.days, evidence.provisional) == (days_since, True)
    first_busy_hour = BASE_HOUR + 24 * (FRIDAY + 1 - days_since) + 9
    assert evidence.since_hour == first_busy_hour
    assert not evidence.is_finding
    assert evidence.control("share-over-load").status == "open"
    assert evidence.control("fan-out").status == "open"
    assert sentence(evidence) == (
        "Cached share falls from 80% when quiet to 32% when busy, on too few days to tell why"
    )
    told, days = lede(evidence, "gpt-5.4"), f"{days_since} of {days_since} service days."
    assert told.startswith(
        f"Inside the day the share falls by 48 points (from 80% to 32%), on {days}"
    )
    assert "provisional until three service days have passed" in told


def test_a_series_of_two_days_that_fall_cannot_be_told_yet():
    evidence = series(0, days=2)
    assert found(evidence) == YOUNG
    assert (evidence.fall.days, evidence.since_hour, evidence.provisional) == (2, None, False)


@pytest.mark.parametrize("end", [57, 60, 63, 66, 72, 75])
def test_a_fall_after_a_quiet_weekend_began_on_its_own_day(end):
    """The fall begins on a Monday at 09:00; windows of a week end on the Wednesday after it."""
    monday = 24 * 7

    def cached(load, place):
        loses = 0.5 * min(max((load - 600) / 3000, 0.0), 1.0) if place >= monday + 9 else 0.0
        return 4000 * (0.8 - loses)

    quiet_weekend = lambda day: 0.2 if day % 7 >= 5 else 1.0  # noqa: E731
    rows = days_of(cached, days=11, day_factor=quiet_weekend)[monday + end - 168 : monday + end]
    evidence = verdict_of({"key_a": rows})
    assert evidence.since_hour == BASE_HOUR + monday + 9


def test_three_days_make_it_an_accusation_that_says_since_when():
    evidence = series(24 * 2 + 3, days=FRIDAY + 1)
    assert (evidence.verdict, evidence.provisional) == ("load-correlated-misses", False)
    assert evidence.since_hour == BASE_HOUR + 24 * 2 + 9


def test_a_fall_that_begins_in_the_middle_of_a_day_has_the_hour():
    evidence = series(24 * 1 + 14, days=FRIDAY + 1)
    assert evidence.verdict == "load-correlated-misses"
    assert evidence.since_hour == BASE_HOUR + 24 * 1 + 14


def test_where_quiet_hours_lose_as_much_the_level_moved():
    evidence = series(24 * 3 + 3, days=FRIDAY + 1, change=0.1, quiet=0.4)
    assert evidence.verdict == "level-shift-mid-window"
