"""What holds for every readout, whatever the numbers."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cachewatch.analysis.before_after import read_out
from cachewatch.analysis.readout_json import as_json
from cachewatch.analysis.readouts.controls import rank_controls
from cachewatch.analysis.readouts.result import DEFINITE
from cachewatch.analysis.readouts.windows import spans_of
from tests.cachewatch.analysis.readouts.weeks import (
    BASE_HOUR,
    CURVE,
    MARKER,
    WEEK,
    Rows,
    batch,
    question,
)

FEW = settings(max_examples=12, deadline=None)
SEEDS = st.integers(0, 10_000)


def fortnight(seed: int, *, step: float = 0.0, days: int = 14, spread: float = 0.05) -> Rows:
    """Any series: a level, a slope over load, noise by hour and day, a step at the marker."""
    rng = np.random.default_rng(seed)
    level, slope = rng.uniform(0.3, 0.8), rng.uniform(-0.1, 0.1)
    scale = np.exp(rng.uniform(4.0, 9.0))
    by_day = rng.normal(0.0, rng.uniform(0.0, spread / 2), days)
    rows: Rows = []
    for place in range(24 * days):
        load = CURVE[place % 24] * 24 * np.exp(rng.normal(0.0, 0.1))
        requests = max(1, round(scale * load))
        share = level + slope * np.log(load) + by_day[place // 24] + rng.normal(0.0, spread / 2)
        share += step if place >= WEEK else 0.0
        tokens = requests * 3_000
        rows.append(
            (BASE_HOUR + place, requests, tokens, round(tokens * np.clip(share, 0, 1)), np.nan)
        )
    return rows


def document(*series: Rows, **options) -> dict:
    return as_json(read_out(question(*series, **options)), "p", "m")


@given(SEEDS, SEEDS)
@FEW
def test_the_order_of_rows_does_not_matter(seed, order):
    rows = fortnight(seed)
    shuffled = [rows[place] for place in np.random.default_rng(order).permutation(len(rows))]
    assert document(shuffled) == document(rows)


@given(SEEDS, st.sampled_from([2, 3, 10, 1000]))
@FEW
def test_longer_prompts_by_one_factor_everywhere_change_no_share(seed, factor):
    rows = fortnight(seed, step=0.2)
    scaled = [(h, q, i * factor, c * factor, w) for h, q, i, c, w in rows]
    one, other = document(rows), document(scaled)
    assert one["state"] == other["state"]
    for name in ("busy_share", "quiet_share", "pooled_share"):
        assert other["measures"][name]["change"] == pytest.approx(one["measures"][name]["change"])


@given(SEEDS, st.sampled_from([-3, 1, 10]))
@FEW
def test_whole_weeks_later_the_same_hours_say_the_same(seed, weeks):
    rows = fortnight(seed, step=-0.15)
    moved = [(hour + weeks * WEEK, *numbers) for hour, *numbers in rows]
    one = document(rows)
    other = document(moved, marker=MARKER + weeks * WEEK)
    for name in ("state", "measures", "net_change", "minimum_detectable"):
        assert other[name] == one[name]


@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_a_fake_marker_between_identical_weeks_is_never_definite(seed):
    week = fortnight(seed, days=7, spread=0.2)
    twice = week + [(hour + WEEK, *numbers) for hour, *numbers in week]
    found = read_out(question(twice))
    assert found.state not in DEFINITE
    assert all(look.state not in DEFINITE for look in found.looks)


@given(SEEDS, st.integers(49, 95))
@FEW
def test_nothing_changes_between_two_looks(seed, hours):
    rows = fortnight(seed, step=0.3)
    at_look = read_out(question(rows, now=MARKER + 48))
    later = read_out(question(rows, now=MARKER + hours))
    assert (later.state, later.net, later.looks) == (at_look.state, at_look.net, at_look.looks)


@given(SEEDS)
@FEW
def test_before_two_days_there_is_no_interval_and_no_word(seed):
    found = read_out(question(fortnight(seed, step=0.5), now=MARKER + 47))
    assert found.state == "collecting"
    assert found.net is None
    assert all(one.change is None and one.interval is None for one in found.measures)


@given(SEEDS)
@FEW
def test_no_hour_after_the_marker_decides_which_series_are_controls(seed):
    others = [fortnight(seed + place, step=0.0) for place in range(1, 6)]
    moved = [fortnight(seed + place, step=0.5) for place in range(1, 6)]
    chosen = []
    for these in (others, moved):
        asked = question(fortnight(seed), *these)
        chosen.append(rank_controls(asked, spans_of(asked)))
    assert chosen[0] == chosen[1]


@given(SEEDS, st.sampled_from(["key", "breakpoint", "retention", "warm-call", "writes", "prefix"]))
@FEW
def test_any_usage_gives_a_document_without_nan(seed, kind):
    rng = np.random.default_rng(seed)
    rows = [row for row in fortnight(seed) if rng.random() < 0.8]
    holed = [
        tuple(np.nan if place and rng.random() < 0.05 else value for place, value in enumerate(row))
        for row in rows
    ]
    asked = question(holed, fortnight(seed + 1), kind=kind)
    json.dumps(as_json(read_out(asked), None, None), allow_nan=False)


@given(SEEDS)
@FEW
def test_the_series_that_is_read_out_is_never_its_own_control(seed):
    asked = question(*(fortnight(seed + place) for place in range(3)))
    asked = replace(asked, target=1, controls=(0, 1, 2))
    assert asked.candidates == [0, 2]


def test_a_series_without_any_hour_is_not_measurable():
    hours = batch([fortnight(1), []], MARKER + WEEK)
    asked = replace(question(fortnight(1), fortnight(2)), batch=hours, target=1)
    found = read_out(asked)
    assert (found.state, found.reasons) == ("not-measurable", ("no-traffic-before",))
