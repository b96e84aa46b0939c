"""Decisions of 28 days: when windows end, which minutes are read, when a finding counts as open."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from cachewatch.analysis.daily_decision import Decision
from tests.accuracy import families
from tests.accuracy.decisions import (
    Course,
    Followed,
    can_be_followed,
    daily_ends,
    follow,
    followed,
)
from tests.accuracy.judges import UsageSeen
from tests.accuracy.minutes_again import MinutesAgain
from tests.accuracy.report import decided, wrongly_open
from tests.accuracy.series import LabelledSeries, labelled_series
from tests.accuracy.truth import Loss, Truth

SCATTER = "load-correlated-misses"


@pytest.fixture(scope="module")
def expiring() -> LabelledSeries:
    """28 days of tenants whose entries expire, which hours alone take for scatter."""
    return labelled_series(families.BY_NAME["tenants-expire"], 1)


def standing(one: LabelledSeries, busy: float, *, began: int = 0) -> LabelledSeries:
    truth = Truth(Loss(busy, 0.0, busy, 0.5, 1.0), (), 168)
    return replace(one, truth=truth, current_from=one.first_hour + began)


def decision(*, finding: bool, confirmed: bool) -> Decision:
    day = date(2026, 3, 1)
    code = SCATTER if finding else "healthy"
    return Decision(code, finding, day, day, confirmed, 1, 1, "", None, 0)


CALM = decision(finding=False, confirmed=True)
OPEN = decision(finding=True, confirmed=False)
CONFIRMED = decision(finding=True, confirmed=True)


def days_of(one: LabelledSeries, *decided_on: Decision) -> tuple[float | None, float | None]:
    ends = [one.first_hour + 168 + 24 * place for place in range(len(decided_on))]
    found = followed(Course(one, ends, MinutesAgain(one), decided=list(decided_on)))
    return found.open_days, found.confirmed_days


def test_a_day_served_again_is_the_day_of_the_file(expiring):
    kept = expiring.minutes
    start = int(kept.time.min()) // 1440 * 24
    again = MinutesAgain(expiring).day(start)
    for name in UsageSeen._fields[:-1]:
        assert np.array_equal(getattr(again, name), getattr(kept, name))


def test_only_28_days_of_the_guilty_and_of_the_steadily_innocent_are_followed(expiring):
    assert can_be_followed(standing(expiring, 0.0))
    assert can_be_followed(standing(expiring, 0.3))
    assert can_be_followed(standing(expiring, 0.3, began=100))
    assert not can_be_followed(standing(expiring, 0.0, began=100))
    assert not can_be_followed(standing(expiring, 0.05))
    assert not can_be_followed(replace(expiring, first_hour=expiring.first_hour + 24))


def test_daily_windows_are_whole_and_end_once_a_day_at_the_quietest_hour(expiring):
    ends = daily_ends(expiring)
    assert ends[0] - 168 >= expiring.first_hour
    assert ends[-1] <= expiring.end_hour
    assert [(end - 1) // 24 for end in ends] == list(
        range((ends[0] - 1) // 24, (ends[0] - 1) // 24 + len(ends))
    )
    busiest = np.bincount(expiring.hours.time % 24, expiring.hours.requests).argmax()
    assert all(6 <= (end - busiest) % 24 <= 18 for end in ends)


def test_days_are_counted_from_the_first_daily_window(expiring):
    guilty = standing(expiring, 0.3)
    assert days_of(guilty, OPEN, CONFIRMED) == (0.0, 1.0)
    assert days_of(guilty, CALM, OPEN, CALM) == (1.0, None)
    assert days_of(guilty, CALM, CALM) == (None, None)


def test_days_are_counted_from_an_onset_inside_the_history(expiring):
    guilty = standing(expiring, 0.3, began=168 + 12)
    assert days_of(guilty, CONFIRMED, CALM, OPEN, CONFIRMED) == (1.5, 2.5)


def test_minutes_keep_a_finding_shut_that_hours_alone_open(expiring):
    assert expiring.truth.standing == "innocent"
    (by_hours,) = follow([expiring], by_minutes=False)
    (by_minutes,) = follow([expiring], by_minutes=True)
    assert (by_hours.open_days, by_hours.confirmed_days) == (0.0, 1.0)
    assert (by_minutes.open_days, by_minutes.confirmed_days) == (None, None)


def test_nothing_is_followed_where_no_series_is_long_enough(expiring):
    assert follow([replace(expiring, first_hour=expiring.first_hour + 24)], by_minutes=True) == []


def test_the_tables_tell_innocent_from_guilty_and_old_from_new():
    ones = [
        Followed("tenants-expire", 1, False, False, 2.0, None),
        Followed("tenants-expire", 2, False, False, None, None),
        Followed("scatter-begins", 3, True, True, 2.0, 3.0),
        Followed("scatter-begins", 4, True, True, 4.0, None),
    ]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in decided({"full": ones})[2:]
    ]
    assert rows == [
        ["full", "innocent", "50.0 % (9.5 to 90.5) of 2", "0.0 % (0.0 to 65.8) of 2", "2.0, 2.0", "-"],
        ["full", "guilty from the start", "-", "-", "-", "-"],
        ["full", "guilty, began later", "100.0 % (34.2 to 100.0) of 2", "50.0 % (9.5 to 90.5) of 2", "3.0, 3.8", "3.0, 3.0"],
    ]  # fmt: skip
    assert wrongly_open({"full": ones})[2] == ("| full  | tenants-expire 1 of 2                  |")
