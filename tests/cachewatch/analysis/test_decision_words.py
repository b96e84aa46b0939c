"""The decision in one sentence that a person can act on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cachewatch.analysis.daily_decision import decision_of
from cachewatch.analysis.decision_words import decision_sentence
from tests.cachewatch.analysis.test_daily_decision import (
    HEALTHY,
    SCATTER,
    TOO_FEW,
    days_from,
    window,
)


def test_a_confirmed_decision_names_its_day_its_windows_and_since_when():
    windows = days_from(0, HEALTHY, HEALTHY, HEALTHY, SCATTER, SCATTER)
    assert decision_sentence(decision_of(windows), windows[-1]) == (
        "Decided on Fri 6 Nov; confirmed by 2 of 3 daily windows, first seen on Thu 5 Nov."
    )


def test_a_first_finding_is_provisional_until_a_day():
    windows = days_from(0, SCATTER)
    assert decision_sentence(decision_of(windows), windows[0]) == (
        "Provisional: first seen on Mon 2 Nov; confirmed on Tue 3 Nov at the earliest, by a day "
        "that is not in the first window."
    )


def test_where_the_verdict_names_another_day_than_the_decision_both_are_said():
    windows = days_from(0, HEALTHY, HEALTHY, HEALTHY, SCATTER, SCATTER)
    decision, newest = decision_of(windows), windows[-1]
    same = decision_sentence(decision, newest)
    assert decision_sentence(decision, newest, decision.since) == same
    assert decision_sentence(decision, newest, windows[2].day) == (
        f"{same} The verdict of every day says so since Wed 4 Nov; a decision counts from the "
        "first daily window that agrees with it."
    )


def test_windows_without_a_finding_agree_in_that_whatever_their_verdicts():
    windows = days_from(0, HEALTHY, HEALTHY, "level-shift-mid-window")
    decision, newest = decision_of(windows), windows[-1]
    assert decision_sentence(decision, newest, newest.day) == (
        "Decided on Wed 4 Nov; confirmed by 3 of 3 daily windows, no finding since Mon 2 Nov."
    )


def test_the_since_of_a_verdict_that_was_not_decided_on_is_not_beside_the_decision():
    windows = days_from(0, HEALTHY, HEALTHY, HEALTHY)
    newest = window(2, SCATTER, 0.12, cut=9)
    decision = decision_of(windows)
    assert decision_sentence(decision, newest, newest.day) == decision_sentence(decision, newest)


def test_newest_hours_that_differ_are_called_provisional_with_their_fall():
    windows = days_from(0, HEALTHY, HEALTHY, HEALTHY)
    newest = window(2, SCATTER, 0.12, cut=9)
    assert decision_sentence(decision_of(windows), newest) == (
        "Provisional: the hours since say misses rise with load, by 12 points. The decision of "
        "Wed 4 Nov stands, no finding, until daily windows confirm another, on Fri 6 Nov at the "
        "earliest."
    )


def test_a_fall_below_the_opening_limit_is_said_to_open_no_finding():
    windows = [window(day, SCATTER, 0.06) for day in range(3)]
    assert decision_sentence(decision_of(windows), windows[-1]) == (
        "Decided on Wed 4 Nov; confirmed by 3 of 3 daily windows, no finding since Mon 2 Nov. "
        "One opens at a fall of 8 points and closes below 4 points."
    )


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rules": "full-9"}, " The rules changed, not the traffic."),
        ({"thresholds": "own"}, " The thresholds changed, not the traffic."),
        ({"by_minutes": True}, " A day was read by the minute, the traffic did not change."),
    ],
)
def test_a_flip_that_is_not_of_the_traffic_says_of_what(changed, said):
    newest = window(3, HEALTHY, **changed)
    windows = [*days_from(0, SCATTER, SCATTER, SCATTER), newest]
    assert decision_sentence(decision_of(windows), newest).endswith(said)


def test_too_few_hours_are_no_decision():
    windows = days_from(0, TOO_FEW)
    assert decision_sentence(decision_of(windows), windows[0]) == (
        "Not decided yet: no daily window has linked hours enough."
    )
    still = replace(windows[0], code=HEALTHY)
    assert decision_sentence(decision_of(windows), still).startswith("Not decided yet")
