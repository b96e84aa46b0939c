"""A level that moves on a day, told from days that only have another load."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.controls.every import say
from cachewatch.analysis.day_levels import levels_at_equal_load
from cachewatch.analysis.deciding import deciding
from cachewatch.analysis.lede import lede
from cachewatch.analysis.sentences import sentence
from cachewatch.analysis.service_days import DayHours
from tests.cachewatch.analysis.cells_of import days_of, verdict_of

LEVEL = "level-shift-mid-window"
SATURDAY = 5  # the first day is a Monday


def hours_of(*days):
    """One series: every day a list of (requests, share), an hour each, 1,000 tokens a request."""
    rows = [(day, q, share) for day, hours in enumerate(days) for q, share in hours]
    day, requests, share = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    hour = np.concatenate([24 * d + np.arange(len(one)) for d, one in enumerate(days)])
    return DayHours(
        count=1,
        days=len(days),
        first_day=np.array([0]),
        cut=np.array([0]),
        series=np.zeros(len(rows), np.int64),
        hour=hour,
        clock=hour % 24,
        day=day.astype(np.int64),
        requests=requests,
        input_tokens=requests * 1000,
        cached_tokens=requests * 1000 * share,
    )


def levels(*days):
    return levels_at_equal_load(hours_of(*days), np.array([0]))


def test_days_that_differ_by_their_load_alone_stand_level():
    by_load = {100: 0.8, 400: 0.5, 1600: 0.2}
    busy = [(q, by_load[q]) for q in (100, 400, 1600, 1600, 1600, 400)]
    quiet = [(q, by_load[q]) for q in (100, 100, 100, 100, 400, 400)]
    found = levels(busy, busy, quiet, quiet)
    assert found.share[0] == pytest.approx([found.share[0, 0]] * 4)


def test_a_change_at_every_load_is_found_between_days_of_different_load():
    def day(loads, change):
        return [(q, {100: 0.8, 400: 0.5, 1600: 0.4}[q] + change) for q in loads]

    found = levels(day((100, 400, 1600) * 2, 0.0), day((100, 100, 400) * 2, -0.3))
    assert found.share[0, 1] - found.share[0, 0] == pytest.approx(-0.3)


def test_between_days_without_a_load_in_common_nothing_is_told():
    found = levels([(100, 0.8)] * 6, [(5000, 0.2)] * 6)
    assert found.share[0, 0] == pytest.approx(found.share[0, 1])
    assert found.matched(np.array([[False, True]])).tolist() == [0.0]


def test_the_part_at_a_load_that_both_sides_saw_is_counted_in_tokens():
    found = levels([(100, 0.8)] * 6, [(100, 0.8)] * 3 + [(300, 0.8)] * 3)
    assert found.matched(np.array([[False, True]])).tolist() == [0.25]


def test_a_day_of_few_hours_has_no_level():
    found = levels([(100, 0.8)] * 6, [(100, 0.4)] * 5)
    assert np.isnan(found.share[0]).tolist() == [False, True]


@given(
    st.lists(
        st.lists(st.sampled_from([50, 200, 800, 3200]), min_size=6, max_size=12),
        min_size=2,
        max_size=6,
    ),
    st.lists(st.floats(0.05, 0.95), min_size=4, max_size=4),
)
def test_load_alone_never_moves_a_level(days, shares):
    of_load = dict(zip([50, 200, 800, 3200], shares, strict=True))
    found = levels(*([(q, of_load[q]) for q in loads] for loads in days)).share[0]
    assert found == pytest.approx([found[0]] * len(days), abs=1e-6)


def test_a_weekend_at_loads_of_its_own_is_no_shift():
    def is_weekend(day):
        return day % 7 >= SATURDAY

    rows = days_of(
        lambda _load, place: 1800 + 1200 * is_weekend(place // 24),
        load=[1000] * 24,
        day_factor=lambda day: 0.05 if is_weekend(day) else 1.0,
    )
    evidence = verdict_of({"key_a": rows})
    assert evidence.verdict == "load-does-not-vary"
    assert evidence.level.after - evidence.level.before == pytest.approx(0.3)
    assert evidence.level.at_equal_load is None


def test_a_deploy_is_a_shift_with_its_change_at_equal_load():
    rows = days_of(lambda _q, place: 3200 if place < 96 else 1600)
    evidence = verdict_of({"key_a": rows})
    assert evidence.verdict == LEVEL
    assert evidence.level.at_equal_load == pytest.approx(-0.4, abs=0.02)
    assert "points between hours of equal load" in say(evidence.control("level-shift")).statement
    row = {one.name: one for one in deciding(evidence)}["level_at_equal_load"]
    assert (round(row.value, 1), row.limit, row.passes) == (0.4, 0.1, True)


def test_a_shift_on_weekdays_to_loads_never_seen_before_stays_a_shift():
    options = {"load": [1000] * 24, "day_factor": lambda day: 1.0 if day < 2 else 8.0, "days": 5}
    rows = days_of(lambda _q, place: 3200 if place < 48 else 1600, **options)
    evidence = verdict_of({"key_a": rows})
    assert (evidence.verdict, evidence.level.at_equal_load) == (LEVEL, None)


@pytest.mark.parametrize(("first_day", "verdict"), [(3, LEVEL), (5, "inconclusive")])
def test_a_level_known_of_weekend_days_alone_may_be_the_weekend(first_day, verdict):
    # From Monday on the share is lower; before it the window holds Thursday to Sunday, or Saturday on.
    rows = days_of(lambda _load, place: 3200 if place < 24 * 7 else 1600, days=12)
    evidence = verdict_of({"key_a": rows[24 * first_day :]})
    assert evidence.verdict == verdict
    assert evidence.reason == ("" if verdict == LEVEL else "level-at-weekend")
    assert evidence.control("level-shift").status == ("fired" if verdict == LEVEL else "open")
    if verdict != LEVEL:
        assert "beside a weekend" in sentence(evidence)
        assert "weekend days alone" in say(evidence.control("level-shift")).statement
        assert lede(evidence, "gpt-5.4").startswith(
            "Best split of the days: 80% on 2 days, 40% on 5"
        )
