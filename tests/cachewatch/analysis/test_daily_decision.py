"""What a run of daily windows decides: nothing opens, closes or flips by one of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.daily_decision import (
    NOT_TOLD,
    DailyWindow,
    Decision,
    Judged,
    decision_of,
)
from cachewatch.analysis.newest_day import DayValue, NewestDays

FIRST = date(2026, 11, 2)
SCATTER, FLAT_LOW, HEALTHY = "load-correlated-misses", "flat-low-share", "healthy"
TOO_FEW, SPARSE = "too-few-linked-hours", "sparse-traffic-retention"


def window(
    day: int,
    code: str = HEALTHY,
    fall: float | None = None,
    *,
    new: float | None = 0.3,
    share: float = 0.1,
    cut: int = 4,
    rules: str = "full-4",
    thresholds: str = "default",
    by_minutes: bool = False,
) -> DailyWindow:
    """The window that ends at the cut of a day; `new`: the fall of its newest service day alone."""
    end = 24 * day + cut
    start = end - 24
    return DailyWindow(
        day=FIRST + timedelta(days=day),
        end_hour=end,
        first_hour=end - 168,
        code=code,
        is_finding=code in (SCATTER, FLAT_LOW, SPARSE),
        fall=0.3 if fall is None and code == SCATTER else fall,
        newest=NewestDays(None if new is None else DayValue(start, new), DayValue(start, share)),
        judged=Judged(rules, thresholds, by_minutes),
    )


def after(*windows: DailyWindow) -> Decision:
    return decision_of(windows)


def days_from(day: int, *codes: str) -> list[DailyWindow]:
    return [window(day + place, code) for place, code in enumerate(codes)]


def test_without_a_window_there_is_nothing_to_decide():
    with pytest.raises(ValueError, match="a decision needs a daily window"):
        decision_of([])


def test_a_first_finding_opens_at_once_and_is_provisional_until_the_next_day():
    found = after(window(0, SCATTER))
    assert (found.code, found.is_finding, found.confirmed) == (SCATTER, True, False)
    assert (found.since, found.decided_on) == (FIRST, FIRST)
    assert found.may_be_confirmed_on == FIRST + timedelta(days=1)
    assert found.may_change_on(window(0, SCATTER)) == found.may_be_confirmed_on
    confirmed = after(*days_from(0, SCATTER, SCATTER))
    assert (confirmed.confirmed, confirmed.since) == (True, FIRST)
    assert (confirmed.agreeing, confirmed.windows) == (2, 2)
    assert confirmed.may_change_on(window(1, SCATTER)) is None


def test_one_window_neither_opens_nor_clears_a_finding():
    healthy = days_from(0, HEALTHY, HEALTHY, HEALTHY)
    pending = after(*healthy, window(3, SCATTER))
    assert (pending.code, pending.is_finding, pending.pending) == (HEALTHY, False, SCATTER)
    assert pending.may_change_on(window(3, SCATTER)) == FIRST + timedelta(days=4)
    assert pending.may_be_confirmed_on is None
    guilty = days_from(0, SCATTER, SCATTER, SCATTER)
    still = after(*guilty, window(3, HEALTHY))
    assert (still.code, still.is_finding, still.pending) == (SCATTER, True, HEALTHY)


@pytest.mark.parametrize(
    "codes", [(SCATTER, SCATTER), (SCATTER, HEALTHY, SCATTER)], ids=["in a row", "2 of 3"]
)
def test_a_flip_counts_when_two_of_three_windows_agree(codes):
    found = after(*days_from(0, HEALTHY, HEALTHY, HEALTHY, *codes))
    assert (found.code, found.is_finding, found.confirmed) == (SCATTER, True, True)
    assert (found.since, found.agreeing) == (FIRST + timedelta(days=3), 2)
    assert found.first_hour == 24 * (2 + len(codes)) + 4 - 168


def test_a_finding_clears_when_two_of_three_windows_say_none():
    found = after(*days_from(0, SCATTER, SCATTER, SCATTER, HEALTHY, "mix-shift"))
    assert (found.code, found.is_finding, found.confirmed) == ("mix-shift", False, True)
    assert found.since == FIRST + timedelta(days=3)


def test_two_windows_of_different_findings_do_not_agree():
    found = after(*days_from(0, HEALTHY, HEALTHY, SCATTER, FLAT_LOW))
    assert (found.is_finding, found.pending) == (False, FLAT_LOW)


def test_a_fall_opens_at_eight_points_and_closes_below_four():
    low = [window(day, SCATTER, 0.079) for day in range(5)]
    not_opened = after(*low)
    assert (not_opened.code, not_opened.is_finding) == (SCATTER, False)
    opened = [window(0, SCATTER, 0.08), window(1, SCATTER, 0.08)]
    between = [window(day, SCATTER, 0.041) for day in range(2, 9)]
    assert after(*opened, *between).is_finding
    closed = [window(day, SCATTER, 0.039) for day in (9, 10)]
    assert not after(*opened, *between, *closed).is_finding


def test_a_flip_is_confirmed_by_a_day_that_the_first_window_does_not_hold():
    healthy = days_from(0, HEALTHY, HEALTHY, HEALTHY)
    shown = window(3, SCATTER)
    assert not after(*healthy, shown, window(4, SCATTER, new=0.02)).is_finding
    assert not after(*healthy, shown, window(4, SCATTER, new=None)).is_finding
    found = after(*healthy, shown, window(4, SCATTER, new=0.02), window(5, SCATTER, new=0.2))
    assert (found.is_finding, found.since) == (True, FIRST + timedelta(days=3))


def test_a_weekend_that_cannot_be_compared_confirms_nothing_and_monday_does():
    healthy = days_from(0, HEALTHY, HEALTHY, HEALTHY, HEALTHY)
    friday, saturday, sunday = (
        window(4, SCATTER),
        *(window(day, SCATTER, new=None) for day in (5, 6)),
    )
    weekend = after(*healthy, friday, saturday, sunday)
    assert (weekend.is_finding, weekend.pending) == (False, SCATTER)
    monday = after(*healthy, friday, saturday, sunday, window(7, SCATTER))
    assert (monday.is_finding, monday.since) == (True, FIRST + timedelta(days=4))


def test_a_flat_low_share_is_confirmed_by_a_low_day_of_its_own():
    healthy = days_from(0, HEALTHY, HEALTHY, HEALTHY)
    shown = window(3, FLAT_LOW)
    assert not after(*healthy, shown, window(4, FLAT_LOW, share=0.4)).is_finding
    assert after(*healthy, shown, window(4, FLAT_LOW, share=0.1)).is_finding


def test_windows_whose_days_are_not_known_are_told_by_themselves():
    unknown = [replace(one, newest=NOT_TOLD) for one in days_from(3, SCATTER, SCATTER)]
    assert after(*days_from(0, HEALTHY, HEALTHY, HEALTHY), *unknown).is_finding


def test_a_window_a_few_hours_after_another_is_not_asked():
    first = window(0, SCATTER, cut=0)
    soon = replace(first, day=first.day + timedelta(days=1), end_hour=first.end_hour + 10)
    healthy = replace(soon, code=HEALTHY, is_finding=False)
    assert after(first, soon) == after(first, healthy) == after(first)


def test_windows_that_share_no_hour_with_the_one_before_decide_anew():
    found = after(*days_from(0, SCATTER, SCATTER), window(8, HEALTHY))
    assert (found.code, found.confirmed, found.cause) == (HEALTHY, False, "")


@pytest.mark.parametrize(
    ("changed", "cause"),
    [
        ({"rules": "full-9"}, "rules"),
        ({"thresholds": "own"}, "thresholds"),
        ({"by_minutes": True}, "minutes"),
    ],
)
def test_what_is_judged_otherwise_decides_anew_and_says_why(changed, cause):
    guilty = days_from(0, SCATTER, SCATTER, SCATTER)
    flipped = after(*guilty, window(3, HEALTHY, **changed))
    assert (flipped.is_finding, flipped.confirmed, flipped.cause) == (False, False, cause)
    assert flipped.since == FIRST + timedelta(days=3)
    same = after(*guilty, window(3, SCATTER, **changed))
    assert (same.is_finding, same.confirmed, same.cause) == (True, True, "")
    assert (same.since, same.agreeing, same.windows) == (FIRST, 3, 3)


def test_no_window_that_other_rules_judged_speaks_for_a_flip():
    older = days_from(0, SCATTER, SCATTER, HEALTHY)
    kept = window(3, SCATTER, rules="full-9")
    assert after(*older, kept, window(4, HEALTHY, rules="full-9")).is_finding
    later = window(5, HEALTHY, rules="full-9")
    assert not after(*older, kept, window(4, HEALTHY, rules="full-9"), later).is_finding


def test_minutes_that_lapse_are_no_reason_to_decide_anew():
    windows = [window(0, by_minutes=True), window(1, by_minutes=True), window(2, SCATTER)]
    assert not after(*windows).is_finding


def test_too_few_hours_begin_nothing_and_end_a_finding_like_any_other_verdict():
    first = after(*days_from(0, TOO_FEW, TOO_FEW, SCATTER))
    assert (first.is_finding, first.since) == (True, FIRST + timedelta(days=2))
    assert after(*days_from(0, TOO_FEW, TOO_FEW)).code == TOO_FEW
    ended = after(*days_from(0, SCATTER, SCATTER, TOO_FEW, TOO_FEW))
    assert (ended.code, ended.is_finding) == (TOO_FEW, False)


codes = st.sampled_from([SCATTER, FLAT_LOW, SPARSE, HEALTHY, "mix-shift"])
daily = st.lists(
    st.builds(
        dict,
        code=codes,
        fall=st.floats(0.0, 0.3),
        new=st.one_of(st.none(), st.floats(-0.1, 0.3)),
        share=st.floats(0.0, 1.0),
    ),
    min_size=1,
    max_size=14,
).map(lambda rows: [window(day, **row) for day, row in enumerate(rows)])


@given(daily)
def test_every_flip_of_a_confirmed_decision_has_two_of_three_windows_behind_it(windows):
    decided = [after(*windows[: place + 1]) for place in range(len(windows))]
    for place, (before, now) in enumerate(pairwise(decided), 1):
        if before.finding == now.finding:
            assert now.since == before.since
            continue
        last = windows[max(0, place - 2) : place + 1]
        assert sum(one.says(before.finding) == now.finding for one in last) >= 2
        assert windows[place].says(before.finding) == now.finding
        assert now.confirmed


@given(daily)
def test_between_two_flips_lie_two_windows_at_least(windows):
    stands = [after(*windows[: place + 1]).finding for place in range(len(windows))]
    flips = [place for place, (one, two) in enumerate(pairwise(stands)) if one != two]
    assert all(later - earlier >= 2 for earlier, later in pairwise(flips))


@given(st.lists(st.floats(0.04, 0.0799), min_size=1, max_size=20), st.booleans())
def test_a_fall_between_the_limits_leaves_things_as_they_are(falls, is_open):
    start = [
        window(0, SCATTER, 0.2 if is_open else 0.05),
        window(1, SCATTER, 0.2 if is_open else 0.05),
    ]
    between = [window(day, SCATTER, fall) for day, fall in enumerate(falls, 2)]
    assert after(*start, *between).is_finding == is_open


@given(daily, st.randoms())
def test_the_order_in_which_windows_come_and_a_second_time_change_nothing(windows, random):
    shuffled = [*windows, windows[-1]]
    random.shuffle(shuffled)
    assert decision_of(shuffled) == decision_of(windows)


@given(daily)
def test_a_decision_says_when_it_may_change_only_where_something_is_provisional(windows):
    found = after(*windows)
    when = found.may_change_on(windows[-1])
    settled = found.confirmed and found.pending is None
    assert (when is None) == settled
    assert when is None or when > found.decided_on
    assert found.agreeing <= found.windows <= 3
