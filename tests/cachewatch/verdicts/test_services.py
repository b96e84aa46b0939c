"""One verdict per series and day, of what was settled then; history with its flips."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from cachewatch.verdicts.models import ThresholdOverride, Verdict
from cachewatch.verdicts.services import classify_past_days, classify_stale
from cachewatch.verdicts.thresholds import set_thresholds
from tests.cachewatch.verdicts.histories import days, falling, flat_low, only_series, store_hours
from tests.factories import HOUR, at, make_source

MONDAY = date(2026, 11, 2)
SCATTER, FLAT_LOW = "load-correlated-misses", "flat-low-share"


def in_history():
    return list(Verdict.objects.order_by("series", "day"))


@pytest.mark.django_db
def test_a_week_that_falls_with_load_is_found_with_its_figures(source):
    store_hours(source, days(0, 7), falling)
    assert classify_stale([source], now=at(HOUR + 24 * 7 + 3)) == 1
    (verdict,) = in_history()
    assert (verdict.code, verdict.published_state) == (SCATTER, SCATTER)
    assert (verdict.window_start_hour, verdict.window_end_hour) == (HOUR, HOUR + 168)
    assert verdict.day == MONDAY + timedelta(days=6)
    assert (round(verdict.quiet_share, 2), round(verdict.busy_share, 2)) == (0.68, 0.16)
    assert verdict.linked_hours == 167
    assert verdict.excluded["unknown_before"] == 1
    assert verdict.is_newest
    assert verdict.evidence["numbers"]["verdict"] == SCATTER
    assert len(verdict.evidence["points"]) == 28


@pytest.mark.django_db
def test_a_second_call_finds_nothing_stale(source):
    store_hours(source, days(0, 7), falling)
    now = at(HOUR + 24 * 7 + 3)
    assert classify_stale([source], now=now) == 1
    (before,) = in_history()
    assert classify_stale([source], now=now + timedelta(minutes=5)) == 0
    assert in_history() == [before]


@pytest.mark.django_db
def test_a_restated_hour_makes_the_verdict_stale(source):
    store_hours(source, days(0, 7), falling)
    now = at(HOUR + 24 * 7 + 3)
    classify_stale([source], now=now)
    store_hours(source, days(0, 7), flat_low, read_at_hour=HOUR + 24 * 7 + 3)
    assert classify_stale([source], now=now) == 1
    (verdict,) = in_history()
    assert verdict.code == FLAT_LOW


@pytest.mark.django_db
def test_an_hour_is_not_classified_before_it_was_read_settled(source):
    store_hours(source, days(0, 7), falling, read_at_hour=HOUR + 168)
    classify_stale([source], now=at(HOUR + 168))
    (verdict,) = in_history()
    # Read at the end of the last hour, so the last two hours had not ended an hour before.
    assert verdict.window_end_hour == HOUR + 166


@pytest.mark.django_db
def test_a_later_settled_hour_rewrites_the_row_of_the_same_day_only(source):
    store_hours(source, range(HOUR, HOUR + 160), falling)
    classify_stale([source], now=at(HOUR + 163))
    store_hours(source, range(HOUR + 160, HOUR + 162), falling)
    assert classify_stale([source], now=at(HOUR + 165)) == 1
    (verdict,) = in_history()
    assert verdict.window_end_hour == HOUR + 162
    store_hours(source, range(HOUR + 162, HOUR + 169), falling)
    classify_stale([source], now=at(HOUR + 172))
    first, second = in_history()
    assert (first.window_end_hour, second.window_end_hour) == (HOUR + 162, HOUR + 169)
    assert (first.day, second.day) == (MONDAY + timedelta(days=6), MONDAY + timedelta(days=7))
    assert (first.is_newest, second.is_newest) == (False, True)


@pytest.mark.django_db
def test_past_days_get_their_rows_once_their_windows_are_read(source):
    store_hours(source, days(0, 10), falling)
    now = at(HOUR + 24 * 10 + 3)
    classify_stale([source], now=now)
    assert classify_past_days([source], now=now) == 3
    assert [row.day for row in in_history()] == [MONDAY + timedelta(days=n) for n in (6, 7, 8, 9)]
    assert {row.since_day for row in in_history()} == {MONDAY + timedelta(days=6)}
    assert [row.is_newest for row in in_history()] == [False, False, False, True]
    assert classify_past_days([source], now=now) == 0


@pytest.mark.django_db
def test_past_days_are_filled_newest_first_and_a_bounded_number_at_a_time(source):
    store_hours(source, days(0, 12), falling)
    now = at(HOUR + 24 * 12 + 3)
    classify_stale([source], now=now)
    assert classify_past_days([source], now=now, max_days=2) == 2
    assert [row.day.day for row in in_history()] == [11, 12, 13]
    assert classify_past_days([source], now=now, max_days=2) == 2
    assert [row.day.day for row in in_history()] == [9, 10, 11, 12, 13]


@pytest.mark.django_db
@pytest.mark.parametrize("last_day", [10, 20])
def test_a_filled_history_is_found_so_by_one_query_however_long_it_is(source, last_day):
    store_hours(source, days(0, last_day), falling)
    now = at(HOUR + 24 * last_day + 3)
    classify_stale([source], now=now)
    assert classify_past_days([source], now=now) == last_day - 7
    with CaptureQueriesContext(connection) as asked:
        assert classify_past_days([source], now=now) == 0
    assert len(asked) == 3  # up to where the source is read, days without a row, decisions due


@pytest.mark.django_db
def test_a_day_with_an_unread_hour_in_its_window_gets_no_row(source):
    missing = HOUR + 24 * 3 + 5
    store_hours(source, [hour for hour in days(0, 12) if hour != missing], falling)
    now = at(HOUR + 24 * 12 + 3)
    classify_stale([source], now=now)
    classify_past_days([source], now=now)
    # The windows of 8 to 11 November all hold the unread hour of 5 November.
    assert [row.day.day for row in in_history()] == [12, 13]


@pytest.mark.django_db
def test_flips_and_the_newest_row_keep_their_evidence(source):
    store_hours(source, days(0, 8), falling)
    store_hours(source, days(8, 22), flat_low)
    now = at(HOUR + 24 * 22 + 3)
    classify_stale([source], now=now)
    classify_past_days([source], now=now)
    rows = in_history()
    flips = [row for row in rows if row.flipped_from]
    assert flips
    for row in rows:
        assert (row.evidence is not None) == (row.is_newest or row.since_day == row.day)
    newest = rows[-1]
    assert newest.code == FLAT_LOW
    assert newest.since_day == flips[-1].day
    assert rows[0].since_day == rows[0].day


@pytest.mark.django_db
def test_a_day_without_a_row_ends_a_run(source):
    store_hours(source, days(0, 7), falling)
    classify_stale([source], now=at(HOUR + 24 * 7 + 3))
    store_hours(source, days(7, 9), falling)
    classify_stale([source], now=at(HOUR + 24 * 9 + 3))
    first, second = in_history()
    assert (first.day.day, second.day.day) == (8, 10)
    assert (second.since_day, second.flipped_from) == (second.day, "")


@pytest.mark.django_db
def test_changed_thresholds_make_the_series_of_their_source_stale(source):
    store_hours(source, days(0, 7), falling)
    now = at(HOUR + 24 * 7 + 3)
    classify_stale([source], now=now)
    set_thresholds(source, None, {"ratio_floor": 0.1}, by=None, now=now)
    assert classify_stale([source], now=now) == 1
    (verdict,) = in_history()
    assert verdict.code == "healthy"
    set_thresholds(source, only_series(source), {"ratio_floor": 0.5}, by=None, now=now)
    assert classify_stale([source], now=now) == 1
    assert in_history()[0].code == SCATTER
    ThresholdOverride.objects.all().delete()
    assert classify_stale([source], now=now) == 1


@pytest.mark.django_db
def test_each_series_has_its_own_row_and_sources_do_not_mix(source):
    other = make_source("other")
    store_hours(source, days(0, 7), falling, none=flat_low)
    store_hours(other, days(0, 7), flat_low)
    assert classify_stale([source, other], now=at(HOUR + 24 * 7 + 3)) == 3
    assert {(v.series.source.slug, v.series.project_id): v.code for v in in_history()} == {
        ("acme", "proj_a"): SCATTER,
        ("acme", None): FLAT_LOW,
        ("other", "proj_a"): FLAT_LOW,
    }
