"""What is shown of a verdict is made from its stored numbers, and the same numbers give the words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from cachewatch.analysis.thresholds import ThresholdError
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.presenting import present
from cachewatch.verdicts.queries import series_hours
from cachewatch.verdicts.services import classify_stale
from cachewatch.verdicts.thresholds import (
    clear_thresholds,
    set_thresholds,
    thresholds_in_force,
)
from ingest.store import store_usage
from tests.cachewatch.verdicts.histories import days, falling, only_series, store_hours
from tests.factories import HOUR, at, hourly_usage, make_run, usage_row

NOW = at(HOUR + 24 * 7 + 3)


@pytest.mark.django_db
def test_a_verdict_is_put_into_words_from_its_numbers(source):
    store_hours(source, days(0, 7), falling)
    classify_stale([source], now=NOW)
    verdict = Verdict.objects.get()
    shown = present(verdict, only_series(source))
    assert shown["sentence"] == "Cached share falls from 68% when quiet to 16% when busy"
    assert (shown["word"], shown["action_class"]) == ("Misses rise with load", "yours to fix")
    assert shown["is_finding"] is True
    assert shown["quiet"]["hours"] == shown["busy"]["hours"] == 55
    assert shown["requests_per_day"] == verdict.requests / 7
    assert [row["name"] for row in shown["thresholds"]] == [
        *("gap_points", "gap_days_agree", "quiet_floor", "beyond_length"),
        *("noise_ratio", "clock_fraction", "min_hours"),
    ]
    assert all(row["passes"] is not False for row in shown["thresholds"])
    assert [step["step"] for step in shown["repairs"]]


@pytest.mark.django_db
def test_without_a_finding_the_thresholds_of_other_findings_are_named(source):
    store_hours(source, days(0, 7), lambda _load: 0.152)
    classify_stale([source], now=NOW)
    shown = present(Verdict.objects.get(), only_series(source))
    assert (shown["word"], shown["near_threshold"]) == ("No finding", True)
    assert shown["nearest"] == 'share of all hours is 15.2%, "Flat low share" starts below 15%'
    named = {row["name"]: row["finding"] for row in shown["thresholds"]}
    assert (named["gap_points"], named["flat_floor"]) == ("", "Flat low share")
    assert [row["name"] for row in shown["thresholds"] if row["closest"]] == ["flat_floor"]


@pytest.mark.django_db
def test_points_are_six_hours_pooled_with_their_tokens(source):
    store_hours(source, days(0, 7), falling)
    classify_stale([source], now=NOW)
    points = present(Verdict.objects.get(), only_series(source))["points"]
    assert len(points) == 28
    assert points[0]["t"] == datetime(2026, 11, 2, tzinfo=UTC)
    assert points[-1]["t"] == datetime(2026, 11, 8, 18, tzinfo=UTC)
    for point in points:
        assert point["share"] == point["cached_tokens"] / point["input_tokens"]


@pytest.mark.django_db
def test_hours_of_a_series_have_states_and_thirds(source):
    store_hours(source, days(0, 7), falling)
    classify_stale([source], now=NOW)
    hours = series_hours(only_series(source), HOUR - 1, HOUR + 24 * 7 + 4, now=NOW)
    states = [hour.state for hour in hours]
    assert len(hours) == 173
    assert states[0] == "missing"
    assert states[1] == "unknown_before"
    assert set(states[2:169]) == {"used"}
    assert states[169:] == ["missing", "settling", "settling", "open"]
    assert sum(hour.third == "busy" for hour in hours) == 55
    noon = hours[1 + 12]
    assert (noon.requests, noon.share, noon.third) == (3_900, pytest.approx(0.096), "busy")


@pytest.mark.django_db
def test_the_first_hour_shown_knows_the_hour_before_it(source):
    store_hours(source, days(0, 3), falling)
    shown = series_hours(only_series(source), HOUR + 30, HOUR + 32, now=NOW)
    assert [hour.state for hour in shown] == ["used", "used"]


@pytest.mark.django_db
def test_an_hour_whose_cached_tokens_are_not_reported_has_no_share(source):
    rows = [usage_row(HOUR), usage_row(HOUR + 1, cached_tokens=None), usage_row(HOUR + 2)]
    store_usage(
        source,
        hourly_usage(rows),
        run=make_run(source),
        grouping=("api_key_id", "batch", "service_tier"),
        now=at(HOUR + 9),
    )
    hours = series_hours(only_series(source), HOUR, HOUR + 3, now=at(HOUR + 9))
    assert [(hour.state, hour.cached_tokens, hour.share) for hour in hours] == [
        ("unknown_before", 400, 0.4),
        ("not_reported", None, None),
        ("used", 400, 0.4),
    ]


@pytest.mark.django_db
def test_thresholds_of_a_series_win_over_those_of_its_source(source):
    store_hours(source, days(0, 1), falling)
    series = only_series(source)
    assert thresholds_in_force(series)[1] == "default"
    set_thresholds(source, None, {"rho_floor": -0.5, "min_hours": 30}, by=None, now=NOW)
    values, set_by = thresholds_in_force(series)
    assert (values.rho_floor, values.min_hours, set_by) == (-0.5, 30, "source")
    set_thresholds(source, series, {"rho_floor": -0.6}, by=None, now=NOW)
    values, set_by = thresholds_in_force(series)
    assert (values.rho_floor, values.min_hours, set_by) == (-0.6, 30, "series")
    clear_thresholds(source, series)
    assert thresholds_in_force(series)[0].rho_floor == -0.5


@pytest.mark.django_db
def test_a_threshold_out_of_its_range_is_refused_in_words(source):
    with pytest.raises(ThresholdError, match=r"rho_floor must be from -1 to 0, not 0\.5"):
        set_thresholds(source, None, {"rho_floor": 0.5}, by=None, now=NOW)
