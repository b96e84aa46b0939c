"""Service days begin at the series' own quietest hour; thirds are cut inside them."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.contrast import (
    BUSY,
    MIDDLE,
    NO_THIRD,
    QUIET,
    contrast,
    day_thirds,
    nanmedian,
)
from cachewatch.analysis.service_days import quietest_clock_hour, service_days
from tests.cachewatch.analysis.series_of import BASE_HOUR, DAY, batch_of, hour_row, week


def days_of_rows(rows):
    batch = batch_of(rows)
    return service_days(batch, batch.requests > 0)


def test_a_service_day_begins_in_the_quietest_hour_of_the_clock():
    assert quietest_clock_hour(batch_of(week(lambda _: 0.5))).tolist() == [3]
    later = [(hour + 9, *rest) for hour, *rest in week(lambda _: 0.5)]
    assert quietest_clock_hour(batch_of(later)).tolist() == [12]


def test_one_idle_hour_does_not_move_the_cut():
    rows = [row for row in week(lambda _: 0.5) if row[0] % 24 != 14]
    assert quietest_clock_hour(batch_of(rows)).tolist() == [3]


def test_hours_before_the_first_cut_are_a_day_of_their_own():
    days = days_of_rows(week(lambda _: 0.5))
    assert days.days == 8
    assert np.bincount(days.day).tolist() == [3, 24, 24, 24, 24, 24, 24, 21]
    assert days.start_hour()[0, :2].tolist() == [BASE_HOUR - 21, BASE_HOUR + 3]


def test_a_weekend_day_is_one_whose_middle_lies_on_it():
    # BASE_HOUR is a Monday.
    assert days_of_rows(week(lambda _: 0.5)).is_weekend()[0].tolist() == [
        *(True, False, False, False, False, False, True, True),
    ]


def test_thirds_are_the_quiet_the_middle_and_the_busy_hours_of_the_day():
    days = days_of_rows(week(lambda _: 0.5))
    third = day_thirds(days).third
    assert third[:3].tolist() == [NO_THIRD] * 3  # three hours are no day
    first = third[3:27]
    assert [int((first == code).sum()) for code in (QUIET, MIDDLE, BUSY)] == [8, 8, 8]
    assert days.requests[3:27][first == BUSY].min() >= days.requests[3:27][first == MIDDLE].max()


def test_pools_add_up_by_series_and_day():
    batch = batch_of(
        [hour_row(i, 10, 0.5) for i in range(48)], [hour_row(i, 4, 0.25) for i in range(48)]
    )
    days = service_days(batch, batch.requests > 0)
    pools = days.pools()
    assert pools.hours.sum(axis=1).tolist() == [48, 48]
    assert pools.total.share.tolist() == [0.5, 0.25]
    assert pools.total.size.tolist() == [2000.0, 2000.0]


def test_days_whose_busy_hours_are_hardly_busier_do_not_count():
    rows = [hour_row(i, 100 + i % 24, 0.5) for i in range(168)]
    found = contrast(day_thirds(days_of_rows(rows)))
    assert not found.kept.any()
    assert found.varies.tolist() == [False]


def test_days_with_far_less_traffic_than_the_median_day_do_not_count():
    rows = [hour_row(i, DAY[i % 24] // (10 if i // 24 in (5, 6) else 1), 0.5) for i in range(168)]
    kept = contrast(day_thirds(days_of_rows(rows))).kept[0]
    assert kept.tolist() == [False, True, True, True, True, True, False, False]


def test_the_middle_third_is_the_reference_where_the_other_days_read_more_there():
    def share(load: int) -> float:
        return 0.3 if load < 300 else 0.8 if load < 1500 else 0.4

    found = contrast(day_thirds(days_of_rows(week(share))))
    assert found.reference_is_middle[0][found.kept[0]].all()
    assert found.reference_share[0] > 0.55


def test_a_median_over_nothing_is_unknown():
    assert np.isnan(nanmedian(np.array([[np.nan, np.nan]]))[0])
    assert nanmedian(np.array([[3.0, np.nan, 1.0], [4.0, 1.0, 2.0]])).tolist() == [2.0, 2.0]
