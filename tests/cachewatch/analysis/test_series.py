"""Rows into hours, hours into windows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cachewatch.analysis.series import UsageColumns, batch_from_rows, follows, settled_until_hour
from cachewatch.analysis.share import HourNumbers
from tests.cachewatch.analysis.series_of import BASE_HOUR, FLAT, SCATTER, batch_of

NOT_REPORTED = np.nan


def batch(*rows, series_count=1, covered=(), settled_until=1000):
    columns = zip(*rows, strict=True) if rows else [[]] * 6
    return batch_from_rows(
        UsageColumns(*map(list, columns)),
        series_count=series_count,
        covered_hours=list(covered),
        settled_until=settled_until,
    )


def test_slices_of_one_hour_add_up():
    made = batch((0, 7, 10, 1000, 300, 50), (0, 7, 5, 500, 100, 20), (0, 8, 1, 100, 0, 0))
    assert made.hour.tolist() == [7, 8]
    assert made.requests.tolist() == [15, 1]
    assert made.input_tokens.tolist() == [1500, 100]
    assert made.cached_tokens.tolist() == [400, 0]
    assert made.cache_write_tokens.tolist() == [70, 0]


def test_one_slice_that_does_not_report_cached_tokens_makes_the_hour_not_reported():
    made = batch((0, 7, 10, 1000, 300, 0), (0, 7, 5, 500, NOT_REPORTED, 0))
    assert np.isnan(made.cached_tokens).tolist() == [True]
    assert made.reported.cached_tokens.tolist() == [300]
    assert made.input_tokens.tolist() == [1500]


def test_a_slice_without_input_has_no_cached_tokens_to_report():
    made = batch((0, 7, 10, 1000, 300, 0), (0, 7, 0, 0, NOT_REPORTED, NOT_REPORTED))
    assert made.cached_tokens.tolist() == [300]
    assert made.cache_write_tokens.tolist() == [0]


def test_one_slice_without_a_request_count_makes_the_hours_count_unknown():
    made = batch((0, 7, 10, 1000, 300, 0), (0, 7, NOT_REPORTED, 500, 100, 0))
    assert np.isnan(made.requests).tolist() == [True]
    assert made.had_traffic.tolist() == [True]


def test_rows_may_come_in_any_order_and_a_series_may_have_none():
    made = batch(
        (2, 8, 1, 1, 1, 0),
        (0, 9, 2, 2, 2, 0),
        (2, 7, 3, 3, 3, 0),
        (0, 8, 4, 4, 4, 0),
        series_count=4,
    )
    assert made.offsets.tolist() == [0, 2, 2, 4, 4]
    assert made.hour.tolist() == [8, 9, 7, 8]
    assert made.requests.tolist() == [4, 2, 3, 1]
    assert made.ids.tolist() == [0, 0, 2, 2]


def test_the_hour_before_is_known_if_it_was_read_or_the_series_has_a_row_of_it():
    made = batch(
        (0, 7, 1, 1, 1, 0), (0, 8, 1, 1, 1, 0), (0, 11, 1, 1, 1, 0), covered=[7, 8, 10, 11]
    )
    assert made.known_before.tolist() == [False, True, True]
    assert batch((0, 7, 1, 1, 1, 0), (0, 8, 1, 1, 1, 0)).known_before.tolist() == [False, True]


def test_the_hours_of_another_series_link_nothing():
    made = batch((0, 7, 1, 1, 1, 0), (1, 8, 1, 1, 1, 0), series_count=2)
    assert follows(made, made.had_traffic).tolist() == [False, False]


def test_rows_that_are_sums_bring_what_was_reported_of_them():
    unknown = [NOT_REPORTED, NOT_REPORTED]
    made = batch_from_rows(
        UsageColumns(
            [0, 0], [8, 7], unknown, unknown, unknown, unknown,
            HourNumbers(np.array([5, 3]), np.array([0, 100]), np.array([0, 40])),
        ),
        series_count=1,
        covered_hours=[],
        settled_until=1000,
    )  # fmt: skip
    assert np.isnan([made.requests, made.input_tokens, made.cached_tokens]).all()
    assert made.hour.tolist() == [7, 8]
    assert [values.tolist() for values in made.reported] == [[3, 5], [100, 0], [40, 0]]
    assert made.had_traffic.tolist() == [True, True]


def test_hours_below_the_settled_one_are_settled():
    made = batch((0, 7, 1, 1, 1, 0), (0, 8, 1, 1, 1, 0), settled_until=8)
    assert made.settled.tolist() == [True, False]


@pytest.mark.parametrize(
    ("now_hour", "extra_seconds", "minutes", "until"),
    [
        (10, 0, 60, 8),
        (10, 1, 60, 9),
        (10, 3599, 60, 9),
        (10, 0, 0, 9),
        (10, 1, 0, 10),
        (10, 0, 15, 9),
    ],
)
def test_an_hour_is_settled_when_it_ended_more_than_the_settle_time_ago(
    now_hour, extra_seconds, minutes, until
):
    assert settled_until_hour(now_hour * 3600 + extra_seconds, minutes) == until


def test_a_window_forgets_what_lies_before_it():
    made = batch_of(SCATTER, FLAT).within(BASE_HOUR + 10, BASE_HOUR + 13)
    assert made.hour.tolist() == [BASE_HOUR + 10, BASE_HOUR + 11, BASE_HOUR + 12] * 2
    assert made.known_before.tolist() == [False, True, True] * 2
    assert made.offsets.tolist() == [0, 3, 6]


def test_one_series_of_a_batch_is_a_batch_of_one():
    alone, taken = batch_of(FLAT), batch_of(SCATTER, FLAT).one(1)
    assert len(taken) == 1
    for name in ("hour", "requests", "cached_tokens", "known_before", "settled"):
        assert getattr(taken, name).tolist() == getattr(alone, name).tolist()


row = st.tuples(
    st.integers(0, 2),
    st.integers(0, 5),
    *[st.one_of(st.just(NOT_REPORTED), st.integers(0, 9).map(float)) for _ in range(4)],
)


@given(st.lists(row, max_size=30))
@settings(max_examples=200, deadline=None)
def test_no_token_is_lost_or_made_up_when_rows_become_hours(rows):
    made = batch(*rows, series_count=3)
    for column, name in ((2, "requests"), (3, "input_tokens"), (4, "cached_tokens")):
        reported = sum(row[column] for row in rows if not np.isnan(row[column]))
        assert getattr(made.reported, name).sum() == reported
        known = getattr(made, name)[~np.isnan(getattr(made, name))]
        assert known.sum() <= reported
    assert len(made.hour) == len({row[:2] for row in rows})
    assert (np.diff(made.hour)[np.diff(made.ids) == 0] > 0).all()
