"""Days of minutes behind a verdict: which series, which day, and what they say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import F

from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.minutes import MinuteTest
from cachewatch.verdicts.arrays import load_batch, load_cells
from cachewatch.verdicts.minute_tests import RENEWAL_HOURS, load_minute_days
from cachewatch.verdicts.minutes import (
    AskedJustNowError,
    NoCompleteDayError,
    ask_for_accused,
    ask_for_series,
)
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.services import classify_stale
from ingest.models import Series, SeriesMinutes, Source, UsageBucket
from tests.cachewatch.verdicts.histories import days, falling, flat_low, store_hours
from tests.cachewatch.verdicts.minutes_of import falling_by_minute, same_by_minute, store_minutes_of
from tests.factories import HOUR, at

END = HOUR + 168
WINDOW = (HOUR, END)
NOW = at(END + 3, 5)
LAST_DAY = HOUR + 5 * 24 + 3  # of equal days the newest; it begins when the night is quietest
BEFORE_LAST_DAY = LAST_DAY - 24


@pytest.fixture
def series(source: Source) -> Series:
    """proj_a, accused; proj_b is not."""
    store_hours(source, days(0, 7), falling, proj_b=flat_low)
    classify_stale([source], now=NOW)
    Verdict.objects.update(code="flat-low-share")
    accused = Series.objects.get(project_id="proj_a")
    accuse(accused)
    return accused


def accuse(series: Series, code: str = "load-correlated-misses", reason: str = "") -> None:
    verdict = Verdict.objects.get(series=series)
    verdict.code = code
    verdict.evidence["numbers"]["reason"] = reason
    verdict.save()


def asked(source: Source, hours_later: float = 0) -> list[tuple[int, int]]:
    """(series, first hour) of what is asked for."""
    found = ask_for_accused(source, now=NOW + timedelta(hours=hours_later))
    return [(one.series_id, one.start_hour) for one in found]


def refuse(code: str, state: str = "refused") -> None:
    SeriesMinutes.objects.filter(state="queued").update(state=state, reason_code=code)


def test_the_minutes_of_the_busiest_day_are_asked_for_where_a_series_is_accused(
    source: Source, series: Series
) -> None:
    assert asked(source) == [(series.pk, LAST_DAY)]
    stored = SeriesMinutes.objects.get()
    assert (stored.state, stored.end_hour, stored.asked_at) == ("queued", LAST_DAY + 24, NOW)


def test_what_waits_or_was_read_is_not_asked_for_again(source: Source, series: Series) -> None:
    asked(source)
    assert asked(source) == []
    SeriesMinutes.objects.update(state="fetched")
    assert asked(source, hours_later=2) == []


def test_minutes_are_renewed_when_their_day_has_left_the_window(
    source: Source, series: Series
) -> None:
    old = store_minutes_of(series, HOUR - 1, falling_by_minute)
    assert asked(source) == [(series.pk, LAST_DAY)]
    SeriesMinutes.objects.exclude(pk=old.pk).delete()
    accuse(series, "inconclusive")  # the old minutes may have done that
    assert asked(source) == [(series.pk, LAST_DAY)]


def test_a_series_that_is_unclear_for_other_reasons_has_no_minutes_read(
    source: Source, series: Series
) -> None:
    accuse(series, "inconclusive")
    assert asked(source) == []


def test_a_doubt_about_a_fall_has_its_minutes_read_after_the_accusations(
    source: Source, series: Series
) -> None:
    other = Series.objects.get(project_id="proj_b")
    accuse(series, "inconclusive", "days-disagree")  # no fall that minutes could explain
    assert asked(source) == []
    Verdict.objects.filter(series=series).update(input_tokens=10**9)
    accuse(series, "inconclusive", "hidden-traffic")
    accuse(other)
    assert [one for one, _ in asked(source)] == [other.pk, series.pk]


def test_a_refusal_stands_until_its_day_has_left_the_window(source: Source, series: Series) -> None:
    asked(source)
    refuse("request_refused")
    assert asked(source, hours_later=30) == []
    Verdict.objects.update(window_start_hour=LAST_DAY + 1, window_end_hour=LAST_DAY + 169)
    store_hours(source, days(7, 13), falling)
    assert len(asked(source, hours_later=144)) == 1


def test_a_failure_is_tried_again_after_an_hour(source: Source, series: Series) -> None:
    asked(source)
    refuse("provider_failed", state="failed")
    assert asked(source, hours_later=0.5) == []
    assert asked(source, hours_later=1) == [(series.pk, LAST_DAY)]


def test_a_day_that_the_provider_no_longer_keeps_gives_way_to_a_later_one(
    source: Source, series: Series
) -> None:
    SeriesMinutes.objects.create(
        series=series,
        day=at(BEFORE_LAST_DAY).date(),
        start_hour=BEFORE_LAST_DAY,
        asked_start_hour=BEFORE_LAST_DAY,
        end_hour=LAST_DAY,
        state="refused",
        reason_code="lookback_exceeded",
        asked_at=NOW,
    )
    assert asked(source) == [(series.pk, LAST_DAY)]
    refuse("lookback_exceeded")
    assert asked(source) == []  # nothing later is complete


def test_the_largest_series_come_first_and_so_many_an_hour(
    source: Source, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cachewatch.verdicts.minutes.MOST_SERIES_AN_HOUR", 1)
    other = Series.objects.get(project_id="proj_b")
    accuse(other)
    Verdict.objects.filter(series=other).update(input_tokens=10**15)
    assert asked(source) == [(other.pk, LAST_DAY)]
    SeriesMinutes.objects.update(state="fetched")
    assert asked(source, hours_later=0.9) == []
    assert asked(source, hours_later=1.1) == [(series.pk, LAST_DAY)]


def test_minutes_are_asked_for_by_hand_whatever_the_verdict(source: Source, series: Series) -> None:
    other = Series.objects.get(project_id="proj_b")
    queued, is_new = ask_for_series(other, now=NOW)
    assert (queued.series, queued.start_hour, queued.state) == (other, LAST_DAY, "queued")
    assert (queued.by_hand, is_new) == (True, True)
    assert ask_for_series(other, now=NOW + timedelta(hours=1)) == (queued, False)
    assert SeriesMinutes.objects.count() == 1


def test_by_hand_a_series_is_read_at_most_every_ten_minutes(source: Source, series: Series) -> None:
    ask_for_series(series, now=NOW)
    SeriesMinutes.objects.update(state="failed")
    with pytest.raises(AskedJustNowError) as caught:
        ask_for_series(series, now=NOW + timedelta(minutes=9))
    assert caught.value.wait == timedelta(minutes=1)
    assert ask_for_series(series, now=NOW + timedelta(minutes=10)).is_new


def test_requests_by_hand_take_no_place_of_the_automatic_ones(
    source: Source, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cachewatch.verdicts.minutes.MOST_SERIES_AN_HOUR", 1)
    ask_for_series(Series.objects.get(project_id="proj_b"), now=NOW)
    assert asked(source) == [(series.pk, LAST_DAY)]


def test_a_series_without_a_complete_day_takes_no_place_of_another(
    source: Source, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cachewatch.verdicts.minutes.MOST_SERIES_AN_HOUR", 1)
    monkeypatch.setattr("cachewatch.verdicts.minutes.SERIES_AT_ONCE", 1)
    cut = Series.objects.get(project_id="proj_b")
    accuse(cut)
    Verdict.objects.filter(series=cut).update(
        input_tokens=10**15, window_start_hour=END - 24, window_end_hour=END
    )
    assert asked(source) == [(series.pk, LAST_DAY)]


def began(series: Series, since_hour: int) -> None:
    """What the verdict says began in the window."""
    verdict = Verdict.objects.get(series=series)
    verdict.evidence["numbers"]["since_hour"] = since_hour
    verdict.save()


def test_a_day_since_the_fall_began_is_read(source: Source, series: Series) -> None:
    busy = UsageBucket.objects.filter(hour__gte=HOUR + 27, hour__lt=HOUR + 51)
    busy.update(requests=3 * F("requests"))
    assert asked(source) == [(series.pk, HOUR + 24 + 3)]
    SeriesMinutes.objects.all().delete()
    began(series, BEFORE_LAST_DAY)
    assert asked(source) == [(series.pk, LAST_DAY)]


def test_minutes_from_before_the_fall_are_no_reason_not_to_ask(
    source: Source, series: Series
) -> None:
    store_minutes_of(series, BEFORE_LAST_DAY, same_by_minute)
    assert asked(source) == []
    began(series, BEFORE_LAST_DAY + 12)  # the hour at which days are cut has moved
    assert asked(source) == []
    began(series, LAST_DAY)
    assert asked(source) == [(series.pk, LAST_DAY)]


def test_a_series_without_a_verdict_has_no_day_to_read(source: Source, series: Series) -> None:
    Verdict.objects.all().delete()
    with pytest.raises(NoCompleteDayError):
        ask_for_series(series, now=NOW)


def counted_in(ids: list[int], window: tuple[int, int]) -> dict[int, MinuteTest]:
    """The tests of the minutes that count in a window, by place."""
    cells = load_cells(load_batch(ids, *WINDOW), ids, *WINDOW)
    return {place: day.test() for place, day in load_minute_days(ids, window, cells).items()}


def test_stored_minutes_become_tests_by_place(source: Source, series: Series) -> None:
    other = Series.objects.get(project_id="proj_b")
    store_minutes_of(series, LAST_DAY, falling_by_minute)
    store_minutes_of(other, LAST_DAY, same_by_minute)
    tests = counted_in([other.pk, 10**9, series.pk], WINDOW)
    assert sorted(tests) == [0, 2]
    assert tests[2].says(-0.1) == ""
    assert tests[0].says(-0.1) == "no-minute-effect"
    assert (tests[2].hours, tests[2].minutes) == (12, 720)


def test_the_cells_of_stored_minutes_are_those_of_the_stored_hours(
    source: Source, series: Series
) -> None:
    other = Series.objects.get(project_id="proj_b")
    store_minutes_of(series, LAST_DAY, falling_by_minute)
    store_minutes_of(other, LAST_DAY, same_by_minute, cells=[["key_2", "default", False]])
    ids = [other.pk, series.pk]
    cells = load_cells(load_batch(ids, *WINDOW), ids, *WINDOW)
    days = load_minute_days(ids, WINDOW, cells)
    assert cells.labels == [CellLabel("key_1", False, "default")] * 2
    assert set(days[1].cell.tolist()) == {1}
    assert set(days[0].cell.tolist()) == {2}  # none of the two


def test_the_newest_day_of_the_window_counts_and_none_after_it(
    source: Source, series: Series
) -> None:
    store_minutes_of(series, BEFORE_LAST_DAY, same_by_minute)
    store_minutes_of(series, LAST_DAY, falling_by_minute)
    assert counted_in([series.pk], WINDOW)[0].says(-0.1) == ""
    before = (HOUR - 24, LAST_DAY)
    assert counted_in([series.pk], before)[0].says(-0.1) == "no-minute-effect"
    assert counted_in([series.pk], (HOUR - 24, BEFORE_LAST_DAY)) == {}
    last = LAST_DAY + RENEWAL_HOURS
    assert 0 in counted_in([series.pk], (last, last + 168))
    assert counted_in([series.pk], (last + 1, last + 169)) == {}


def test_a_day_that_was_refused_is_no_test(source: Source, series: Series) -> None:
    asked(source)
    refuse("request_refused")
    assert counted_in([series.pk], WINDOW) == {}


def control_of(series: Series) -> tuple[str, dict[str, float]]:
    """The verdict's code, and the numbers of the control `minutes`."""
    newest = Verdict.objects.get(series=series, is_newest=True)
    controls = newest.evidence["numbers"]["controls"]
    (numbers,) = [one["numbers"] for one in controls if one["name"] == "minutes"]
    return newest.code, numbers


@pytest.mark.parametrize(
    ("share", "code"),
    [(falling_by_minute, "load-correlated-misses"), (same_by_minute, "inconclusive")],
)
def test_a_verdict_is_judged_anew_with_the_minutes_that_were_read(
    source: Source, series: Series, share: Callable[[int], float], code: str
) -> None:
    Verdict.objects.all().delete()
    classify_stale([source], now=NOW)
    before, nothing = control_of(series)
    assert (before, nothing["slope"], nothing["minutes"]) == ("load-correlated-misses", None, 0)
    store_minutes_of(series, LAST_DAY, share)
    Series.objects.filter(pk=series.pk).update(data_version=series.data_version + 1)
    assert classify_stale([source], now=NOW) == 1
    after, numbers = control_of(series)
    assert (after, numbers["hours"], numbers["minutes"]) == (code, 12, 720)
