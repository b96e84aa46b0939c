"""The quiet and the busy third."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cachewatch.analysis.load_split import BUSY, NO_THIRD, QUIET, split_by_load
from cachewatch.analysis.share import HourNumbers


def split(*series: list[int]):
    requests = np.array([value for values in series for value in values], float)
    offsets = np.cumsum([0, *map(len, series)])
    return split_by_load(HourNumbers(requests, requests * 10, requests), offsets)


def test_a_third_is_a_third_of_the_hours_rounded_down_and_never_under_two():
    made = split(list(range(1, 7)), list(range(1, 11)), list(range(1, 26)))
    assert made.quiet.hours.tolist() == [2, 3, 8]
    assert made.busy.hours.tolist() == [2, 3, 8]


def test_equal_loads_keep_their_order_in_time():
    made = split([5, 5, 5, 5, 5, 5])
    assert made.third.tolist() == [QUIET, QUIET, NO_THIRD, NO_THIRD, BUSY, BUSY]


def test_hours_without_requests_belong_to_no_third():
    made = split([0, 9, 1, 8, 2, 7, 3, 0])
    assert made.third.tolist() == [0, BUSY, QUIET, BUSY, QUIET, 0, 0, 0]
    assert (made.quiet_low.tolist(), made.quiet_high.tolist()) == ([1], [2])
    assert (made.busy_low.tolist(), made.busy_high.tolist()) == ([8], [9])


def test_five_hours_with_requests_are_not_split():
    made = split([1, 2, 3, 4, 5, 0])
    assert made.third.tolist() == [NO_THIRD] * 6
    assert np.isnan([made.quiet.share[0], made.busy.share[0], made.quiet_low[0]]).all()


@given(st.lists(st.lists(st.integers(0, 9), max_size=40), min_size=1, max_size=4))
@settings(max_examples=200, deadline=None)
def test_no_quiet_hour_is_busier_than_a_busy_one(series):
    made = split(*series)
    start = 0
    for index, values in enumerate(series):
        third = made.third[start : start + len(values)]
        quiet = [q for q, code in zip(values, third, strict=True) if code == QUIET]
        busy = [q for q, code in zip(values, third, strict=True) if code == BUSY]
        assert len(quiet) == len(busy) == made.quiet.hours[index]
        if quiet:
            assert max(quiet) <= min(busy)
            assert (min(quiet), max(busy)) == (made.quiet_low[index], made.busy_high[index])
        start += len(values)
