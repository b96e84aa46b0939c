"""Hour by hour, and six hours to a point."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.hours import (
    TIMELINE_STATES,
    SeriesHour,
    TimeRange,
    hour_timeline,
    six_hour_points,
)
from tests.cachewatch.analysis.series_of import BASE_HOUR, BURSTY, SCATTER, batch_of, hour_row
from tests.cachewatch.analysis.test_published_rule import in_turn

WEEK = TimeRange(BASE_HOUR, BASE_HOUR + 168)


def timeline(rows, shown=WEEK, window=WEEK, *, covered=None, now_hour=BASE_HOUR + 200):
    covered = range(*shown) if covered is None else covered
    batch = batch_of(rows, covered=list(covered), settled_until=now_hour - 1)
    return hour_timeline(
        batch,
        shown,
        window,
        covered_hours=set(covered),
        now_seconds=now_hour * 3600 + 1,
        settle_minutes=60,
    )


def states(rows, *offsets, **reading):
    hours = timeline(rows, **reading)
    return [hours[offset].state for offset in offsets]


def test_used_hours_idle_hours_and_the_first_hours_after_a_gap():
    assert states(BURSTY, 0, 1, 2, 3, 7, 8, 9) == [
        *("unknown_before", "used", "used", "no_traffic", "no_traffic", "after_gap", "used")
    ]


def test_an_hour_carries_its_numbers_and_its_third():
    hours = timeline(in_turn(0.6, 0.3, hours=168))
    assert hours[2] == SeriesHour(BASE_HOUR + 2, "used", 100, 200_000, 120_000, None, 0.6, "quiet")
    assert hours[-1].third == "busy"
    assert sum(hour.third == "quiet" for hour in hours) == 55


def test_an_idle_hour_that_was_read_has_zeros_and_one_that_was_not_has_nothing():
    hours = timeline(BURSTY, covered=[hour for hour in range(*WEEK) if hour != BASE_HOUR + 5])
    assert hours[4] == SeriesHour(BASE_HOUR + 4, "no_traffic", 0, 0, 0, 0, None, None)
    assert hours[5] == SeriesHour(BASE_HOUR + 5, "missing", None, None, None, None, None, None)


def test_the_last_hours_settle_or_are_still_open():
    shown = TimeRange(BASE_HOUR, BASE_HOUR + 168)
    now = BASE_HOUR + 166
    assert states(SCATTER, 163, 164, 165, 166, shown=shown, now_hour=now) == [
        *("used", "used", "settling", "open")
    ]
    assert states(SCATTER[:100], 164, 165, 166, shown=shown, now_hour=now) == [
        *("no_traffic", "settling", "open")
    ]


def test_hours_that_lack_a_number_say_which():
    rows = in_turn(0.6, 0.3, hours=10)
    rows[3] = (rows[3][0], 0, 500, 10)
    rows[5] = (rows[5][0], 7, 0, 0)
    rows[7] = (rows[7][0], 7, 700, None)
    assert states(rows, 3, 5, 7) == ["no_requests", "no_input", "not_reported"]
    assert timeline(rows)[7].share is None


def test_hours_before_the_window_are_shown_and_the_windows_first_one_is_unknown():
    window = TimeRange(BASE_HOUR + 24, BASE_HOUR + 168)
    assert states(SCATTER, 10, 24, 25, window=window) == ["used", "unknown_before", "used"]
    assert timeline(SCATTER, window=window)[10].third is None


def test_an_hour_that_was_read_in_part_is_neither_idle_nor_missing_and_has_no_number():
    hours = hour_timeline(
        batch_of(SCATTER[:100]),
        TimeRange(BASE_HOUR + 99, BASE_HOUR + 103),
        WEEK,
        covered_hours={BASE_HOUR + 102},
        now_seconds=(BASE_HOUR + 200) * 3600,
        settle_minutes=60,
        hours_in_part={BASE_HOUR + 100},
    )
    assert [one.state for one in hours] == ["used", "in_part", "missing", "no_traffic"]
    assert (hours[1].requests, hours[1].input_tokens, hours[1].share) == (None, None, None)


def test_every_state_of_the_timeline_is_known_to_the_api():
    assert set(TIMELINE_STATES) == {
        *("used", "after_gap", "unknown_before", "settling", "open"),
        *("no_traffic", "missing", "in_part", "no_input", "no_requests", "not_reported"),
    }


def test_six_hours_are_pooled_to_a_point():
    rows = [hour_row(0, 100, 0.5), hour_row(3, 300, 0.1), hour_row(6, 100, 0.2)]
    points = six_hour_points(batch_of(rows), BASE_HOUR + 12, points=3)
    assert (points.start_hour - BASE_HOUR).tolist() == [-6, 0, 6]
    assert points.input_tokens[0, 1:].tolist() == [800_000, 200_000]
    assert points.cached_tokens[0, 1:].tolist() == [160_000, 40_000]
    assert points.share[0, 1:].tolist() == [0.2, 0.2]
    assert np.isnan([column[0, 0] for column in points[1:]]).all()


def test_points_hold_only_settled_hours_with_reported_cached_tokens():
    rows = [hour_row(0, 100, 0.5), (BASE_HOUR + 1, 100, 200_000, None), hour_row(2, 100, 0.0)]
    batch = batch_of(rows, SCATTER, settled_until=BASE_HOUR + 2)
    points = six_hour_points(batch, BASE_HOUR + 6, points=1)
    assert points.input_tokens[:, 0].tolist() == [200_000, 700_000]
    assert points.share[0].tolist() == [0.5]
