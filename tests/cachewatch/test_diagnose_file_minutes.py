"""`cachewatch diagnose` with 1-minute pages: the files' own minutes judge what the hours accuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.diagnose.file_minutes import busiest_day
from tests.cachewatch.analysis.series_of import BASE_HOUR, DAY
from tests.cachewatch.usage_pages import buckets, page, result, write

NOW = str((BASE_HOUR + 200) * 3600)
TOKENS = 6_200
Run = Callable[..., tuple[int, str, str]]
SharesOfMinutes = Callable[[int], list[tuple[int, float]]]


def minute_page(days: range, minutes_of: SharesOfMinutes) -> dict[str, Any]:
    """All minutes of these days; `minutes_of` gives (requests, share) of the first ones of an hour."""
    data = []
    for hour in range(BASE_HOUR + days.start * 24, BASE_HOUR + days.stop * 24):
        held = minutes_of(DAY[hour % 24])
        for minute in range(60):
            requests, share = held[minute] if minute < len(held) else (0, 0.0)
            tokens = requests * TOKENS
            row = result((hour, requests, tokens, round(tokens * share)))
            start = hour * 3600 + minute * 60
            rows = [row] if requests else []
            data.append(
                {"object": "bucket", "start_time": start, "end_time": start + 60, "results": rows}
            )
    return page(data)


def fan_out(load: int) -> list[tuple[int, float]]:
    """Every request of the hour in its first minute: 27% are read at night, 9% at noon."""
    return [(load, 0.27 - 0.18 * (load - 100) / 3800)]


def overflow(load: int) -> list[tuple[int, float]]:
    """Minutes of uneven load: the busier the minute, the less is read."""
    loads = [max(load // 60 * factor // 4, 1) for factor in (2, 3, 4, 5, 6)]
    return [(loads[at % 5], 0.8 - 0.5 * min(loads[at % 5] / 100, 1.0)) for at in range(60)]


def series_of(out: str) -> dict[str, Any]:
    (series,) = json.loads(out)["series"]
    return dict(series)


def control(series: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [one for one in series["controls"] if one["name"] == name]
    return dict(found)


def test_an_hourly_fan_out_in_minute_pages_is_a_fan_out_and_no_misses_under_load(
    tmp_path: Path, run: Run
) -> None:
    week = write(tmp_path / "week.json", minute_page(range(7), fan_out))
    _, out, err = run(week, "--now", NOW, "--json", "--show-all")
    series = series_of(out)
    assert series["verdict"] == "inconclusive"
    assert "as it does when workers start together" in series["detail"]
    assert control(series, "fan-out")["status"] == "fired"
    assert control(series, "minutes")["numbers"]["hours"] == 12
    assert "minutes of the files: 1 series judged by their busiest complete day" in err


def test_minutes_in_which_busier_ones_read_less_confirm_the_accusation(
    tmp_path: Path, run: Run
) -> None:
    week = write(tmp_path / "week.json", minute_page(range(7), overflow))
    status, out, _ = run(week, "--now", NOW, "--json")
    series = series_of(out)
    assert (status, series["verdict"]) == (1, "load-correlated-misses")
    assert control(series, "minutes")["status"] == "fired"


def test_hours_of_the_week_and_minutes_of_one_of_its_days_go_together(
    tmp_path: Path, run: Run
) -> None:
    hours = []
    for offset in range(168):
        ((requests, share),) = fan_out(DAY[offset % 24])
        tokens = requests * TOKENS
        hours.append((BASE_HOUR + offset, requests, tokens, round(tokens * share)))
    week = write(tmp_path / "week.json", page(buckets({("proj_a", "gpt-5.4"): hours})))
    day = write(tmp_path / "day.json", minute_page(range(3, 4), fan_out))
    _, out, _ = run(week, day, "--now", NOW, "--json")
    assert control(series_of(out), "minutes")["numbers"]["hours"] == 12
    _, out, _ = run(day, week, "--now", NOW, "--json")
    assert control(series_of(out), "minutes")["numbers"]["hours"] == 12


def test_without_a_whole_day_of_minutes_the_hours_stand_and_that_is_said(
    tmp_path: Path, run: Run
) -> None:
    sent = minute_page(range(7), overflow)
    sent["data"] = [one for one in sent["data"] if one["start_time"] % 86_400 >= 3_600]
    path = write(tmp_path / "gaps.json", sent)
    status, out, err = run(path, "--now", NOW, "--json")
    assert status == 1
    assert control(series_of(out), "minutes")["status"] == "not_testable"
    assert "of 1 the files hold no complete day" in err


def test_the_published_rule_takes_no_notice_of_minutes(tmp_path: Path, run: Run) -> None:
    week = write(tmp_path / "week.json", minute_page(range(7), fan_out))
    _, out, err = run(week, "--json", "--rules", "published")
    assert series_of(out)["verdict"] == "load-correlated-misses"
    assert "minutes of the files" not in err


def test_a_service_day_goes_before_a_busier_stretch_of_24_hours() -> None:
    hours = {hour: float(hour) for hour in range(100, 160)}
    assert busiest_day(hours, 108 % 24) == 132
    assert busiest_day(dict.fromkeys(range(100, 124), 1.0), 7) == 100
    assert busiest_day(dict.fromkeys(range(100, 123), 1.0), 4) is None
    assert busiest_day(dict.fromkeys(range(100, 148), 0.0), 4) is None


@given(st.dictionaries(st.integers(0, 80), st.floats(0, 1e6)), st.integers(0, 23))
def test_a_busiest_day_is_always_there_whole(hours: dict[int, float], cut: int) -> None:
    first = busiest_day(hours, cut)
    if first is not None:
        assert all(hour in hours for hour in range(first, first + 24))


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_exports_the_minutes_given_last_count(tmp_path: Path, run: Run, order: int) -> None:
    names = [
        write(tmp_path / "fan_out.json", minute_page(range(7), fan_out)),
        write(tmp_path / "overflow.json", minute_page(range(7), overflow)),
    ][::order]
    _, out, _ = run(*names, "--now", NOW, "--json")
    expected = "load-correlated-misses" if order == 1 else "inconclusive"
    assert series_of(out)["verdict"] == expected
