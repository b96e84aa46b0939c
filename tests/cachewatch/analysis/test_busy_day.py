"""Which day is read by the minute."""

from __future__ import annotations

from cachewatch.analysis.busy_day import busiest_days
from tests.cachewatch.analysis.series_of import BASE_HOUR, DAY, Row, batch_of, hour_row

START, END = BASE_HOUR, BASE_HOUR + 168
QUIETEST = 3  # clock hour around which DAY has the fewest requests


def week_of(weights: list[int]) -> list[Row]:
    """Days of the daily load, each times its weight."""
    return [hour_row(i, DAY[i % 24] * weights[i // 24], 0.5) for i in range(24 * len(weights))]


def first_hour(day: int) -> int:
    return BASE_HOUR + 24 * day + QUIETEST


def test_the_busiest_service_day_begins_at_the_quietest_hour() -> None:
    batch = batch_of(week_of([1, 1, 5, 1, 1, 1, 1]), week_of([1, 1, 1, 1, 2, 1, 1]))
    assert busiest_days(batch, {0: START, 1: START}, END) == {0: first_hour(2), 1: first_hour(4)}
    assert busiest_days(batch, {1: START}, END) == {1: first_hour(4)}


def test_of_equally_busy_days_the_newest_is_taken() -> None:
    assert busiest_days(batch_of(week_of([1] * 7)), {0: START}, END) == {0: first_hour(5)}


def test_a_day_that_the_window_cuts_is_not_complete() -> None:
    batch = batch_of(week_of([1, 1, 1, 1, 2, 1, 9]))
    assert busiest_days(batch, {0: START}, END) == {0: first_hour(4)}
    assert busiest_days(batch, {0: START}, first_hour(7)) == {0: first_hour(6)}


def test_a_day_with_an_unsettled_or_unreported_hour_is_not_complete() -> None:
    rows = week_of([1, 3, 2, 1, 1, 9, 1])
    hour, _, tokens, cached = rows[24 + 12]
    rows[24 + 12] = (hour, None, tokens, cached)
    batch = batch_of(rows, settled_until=first_hour(5) + 20)
    assert busiest_days(batch, {0: START}, END) == {0: first_hour(2)}


def test_days_before_the_earliest_hour_of_a_series_are_passed_over() -> None:
    batch = batch_of(week_of([1, 9, 1, 4, 1, 1, 1]))
    assert busiest_days(batch, {0: first_hour(1)}, END) == {0: first_hour(1)}
    assert busiest_days(batch, {0: first_hour(1) + 1}, END) == {0: first_hour(3)}
    assert busiest_days(batch, {0: first_hour(6)}, END) == {}


def test_a_series_without_a_complete_day_is_absent() -> None:
    idle = [(BASE_HOUR + i, 0, 0, 0) for i in range(168)]
    batch = batch_of(week_of([1]), [], idle)
    assert busiest_days(batch, dict.fromkeys(range(3), START), START + 24) == {}
