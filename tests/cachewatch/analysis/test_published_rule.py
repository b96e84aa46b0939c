"""The published rule: its own worked examples, one example by hand for each state, an oracle."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cachewatch.analysis.classify import classify
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.explain import detail
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.rank_correlation import correlate
from cachewatch.analysis.thresholds import Thresholds
from tests.cachewatch.analysis.naive_rule import Hour, NaiveVerdict, judge
from tests.cachewatch.analysis.series_of import (
    BASE_HOUR,
    BURSTY,
    FLAT,
    RISING,
    SCATTER,
    STEADY,
    ZERO,
    Row,
    batch_of,
    hour_row,
)


def published(rows: Sequence[Row], thresholds: Thresholds | None = None) -> Evidence:
    return evidence_of(classify(batch_of(rows), thresholds or Thresholds(), rules="published"), 0)


def test_the_worked_example_of_scatter_gives_its_verdict_and_its_printed_figures():
    evidence = published(SCATTER)
    assert evidence.verdict == "load-correlated-misses"
    assert detail(evidence).startswith(
        "cached share 68% in the quietest hours (187 req/h) and 16% in the busiest (3405 req/h), "
        "rank correlation -1.00"
    )
    assert round(evidence.quiet.share, 2) == 0.68
    assert round(evidence.busy.share, 2) == 0.16


def test_the_same_traffic_with_a_flat_share_is_flat_low_with_a_correlation_of_exactly_zero():
    evidence = published(FLAT)
    assert (evidence.verdict, evidence.rho) == ("flat-low-share", 0.0)
    assert detail(evidence).startswith("cached share 10% overall, rank correlation 0.00")


def test_the_same_traffic_with_a_rising_share_is_the_wanted_shape():
    evidence = published(RISING)
    assert evidence.verdict == "share-rises-with-load"
    assert "rank correlation 1.00" in detail(evidence)


def test_bursts_after_idle_are_cold_and_not_scatter_although_all_hours_correlate_at_minus_087():
    shares = [row[3] / row[2] for row in BURSTY]
    assert f"{correlate([row[1] for row in BURSTY], shares):.2f}" == "-0.87"
    evidence = published(BURSTY)
    assert (evidence.verdict, evidence.linked.hours) == ("cold-only-after-idle", 42)
    assert evidence.excluded["after_gap"] == 21
    assert (evidence.linked.share, evidence.cold.share) == (0.7, 0.0)
    assert detail(evidence) == (
        "70% cached in linked hours, 0% in the 21 hour(s) that follow a gap"
    )


def test_no_cached_token_at_any_load_is_a_question_of_eligibility():
    evidence = published(ZERO)
    assert evidence.verdict == "no-cached-tokens"
    assert "not one cached" in detail(evidence)


def test_a_request_rate_that_never_varies_supports_no_verdict():
    evidence = published(STEADY)
    assert (evidence.verdict, evidence.rho) == ("load-does-not-vary", None)
    assert (evidence.quiet, evidence.busy, evidence.third_reason) == (None, None, "one_load")


def test_ten_hours_are_too_few_and_no_hours_too():
    assert published(SCATTER[:10]).verdict == "too-few-linked-hours"
    assert published([]).verdict == "too-few-linked-hours"


# By hand: 26 hours in a row make 25 linked ones, so a third has int(25 x 0.33) = 8 hours. Requests
# are 100 and 300 in turn, so either third holds one load only.


def in_turn(quiet_share: float, busy_share: float, hours: int = 26) -> list[Row]:
    return [
        hour_row(i, 300 if i % 2 else 100, busy_share if i % 2 else quiet_share)
        for i in range(hours)
    ]


@pytest.mark.parametrize(
    ("rows", "state", "rho"),
    [
        (in_turn(0.6, 0.3), "load-correlated-misses", -1.0),  # 30% <= 0.6 x 60%
        (in_turn(0.6, 0.37), "healthy", -1.0),  # 37% > 0.6 x 60%
        (in_turn(0.14, 0.01), "flat-low-share", -1.0),  # quiet under 15%
        (in_turn(0.3, 0.6), "share-rises-with-load", 1.0),
        (in_turn(0.1, 0.1), "flat-low-share", 0.0),
        (in_turn(0.5, 0.5), "healthy", 0.0),
        (in_turn(0.0, 0.0), "no-cached-tokens", 0.0),
        ([hour_row(i, 100, 0.5) for i in range(26)], "load-does-not-vary", None),
        (in_turn(0.6, 0.3, hours=24), "too-few-linked-hours", None),  # 23 linked
    ],
)
def test_a_state_worked_out_by_hand(rows, state, rho):
    evidence = published(rows)
    assert evidence.verdict == state
    assert evidence.rho == (None if rho is None else pytest.approx(rho, abs=1e-12))


def test_the_numbers_of_a_third_worked_out_by_hand():
    evidence = published(in_turn(0.6, 0.3))
    quiet, busy = evidence.quiet, evidence.busy
    assert (quiet.hours, quiet.requests, quiet.requests_per_hour) == (8, 800, 100.0)
    assert (quiet.cached_tokens, quiet.input_tokens, quiet.share) == (960_000, 1_600_000, 0.6)
    assert (busy.hours, busy.requests, busy.requests_per_hour) == (8, 2400, 300.0)
    assert (busy.cached_tokens, busy.input_tokens, busy.share) == (1_440_000, 4_800_000, 0.3)
    assert (quiet.low_requests, quiet.high_requests) == (100, 100)
    assert (busy.low_requests, busy.high_requests) == (300, 300)
    assert (evidence.linked.hours, evidence.linked.requests) == (25, 12 * 100 + 13 * 300)


def test_a_finding_starts_at_each_threshold_itself():
    at_the_ratio = in_turn(0.5, 0.3)  # 30% is 0.6 x 50%
    assert published(at_the_ratio).verdict == "load-correlated-misses"
    assert published(in_turn(0.5, 0.305)).verdict == "healthy"
    assert published(in_turn(0.15, 0.05)).verdict == "load-correlated-misses"
    assert published(in_turn(0.1495, 0.05)).verdict == "flat-low-share"


def test_cold_hours_need_three_a_share_of_two_percent_and_linked_hours_that_cache():
    def bursts(count: int, cold_share: float, linked_share: float) -> list[Row]:
        return [
            hour_row(
                burst * 40 + step, 300 if step % 2 else 100, linked_share if step else cold_share
            )
            for burst in range(count)
            for step in range(14)
        ]

    assert published(bursts(3, 0.02, 0.7)).verdict == "cold-only-after-idle"
    assert published(bursts(3, 0.03, 0.7)).verdict == "healthy"
    assert published(bursts(2, 0.02, 0.7)).verdict == "healthy"
    assert published(bursts(3, 0.0, 0.14)).verdict == "flat-low-share"


def test_a_missing_cached_count_is_zero_and_an_hour_without_input_keeps_its_zero_share():
    rows = in_turn(0.6, 0.6, hours=40)
    rows[7] = (*rows[7][:3], None)
    rows[9] = (rows[9][0], 300, 0, 0)
    evidence = published(rows)
    oracle = judge([Hour(*(value or 0 for value in row)) for row in rows])
    assert evidence.rho == pytest.approx(oracle.rho, abs=1e-12)
    assert evidence.rho < 0  # both zeros stand at the high load
    assert evidence.busy.share == oracle.busy_share


def test_hours_without_a_request_stay_in_the_ranks_and_out_of_the_thirds():
    rows = in_turn(0.6, 0.3, hours=40)
    rows[11] = (rows[11][0], 0, 5000, 0)
    evidence = published(rows)
    assert evidence.linked.hours == 39
    assert evidence.quiet.low_requests == 100


# The oracle.


def random_series(rng: random.Random) -> list[Row]:
    """Loads, shares, gaps, ties and holes of all sizes; often near a threshold."""
    rows: list[Row] = []
    slope, level = rng.uniform(-0.8, 0.8), rng.choice((0.0, 0.02, 0.14, 0.16, 0.3, 0.7))
    noise, idle = rng.choice((0.0, 0.01, 0.2)), rng.choice((0.0, 0.02, 0.3, 0.6))
    highest = rng.choice((1, 2, 5, 50, 4000))
    cold_share = rng.choice((None, 0.0, 0.015, 0.03))
    before = False
    for offset in range(rng.choice((5, 23, 25, 26, 40, 168, 336))):
        active, before_was = rng.random() >= idle, before
        before = active
        if not active:
            continue
        requests = rng.randint(0 if rng.random() < 0.05 else 1, highest)
        share = level + slope * requests / highest / 2 + rng.uniform(-noise, noise)
        if cold_share is not None and not before_was:
            share = cold_share
        tokens = rng.choice((0, requests * 2000, requests * 2000, requests * 1500 + 7))
        cached = round(tokens * min(max(share, 0.0), 1.0))
        rows.append(
            (BASE_HOUR + offset, requests, tokens, rng.choice((cached, cached, cached, None)))
        )
    return rows


def assert_same(evidence: Evidence, oracle: NaiveVerdict) -> None:
    assert (evidence.verdict, evidence.linked.hours) == (oracle.state, oracle.linked_hours)
    assert evidence.excluded["after_gap"] == oracle.cold_hours
    assert evidence.linked.share == oracle.overall
    if oracle.quiet_share is None:
        return
    assert evidence.rho == max(-1.0, min(1.0, oracle.rho))  # to the last bit, but never past 1
    assert evidence.quiet.share == oracle.quiet_share
    assert evidence.busy.share == oracle.busy_share
    assert evidence.quiet.requests_per_hour == oracle.quiet_rate
    assert evidence.busy.requests_per_hour == oracle.busy_rate


def as_hours(rows: Sequence[Row]) -> list[Hour]:
    return [Hour(hour, q or 0, i or 0, c or 0) for hour, q, i, c in rows]


def test_a_thousand_random_series_agree_with_the_naive_rule_hour_by_hour():
    rng = random.Random(20_261_129)
    series = [random_series(rng) for _ in range(1000)]
    result = classify(batch_of(*series), rules="published")
    oracles = [judge(as_hours(rows)) for rows in series]
    for index, oracle in enumerate(oracles):
        assert_same(evidence_of(result, index), oracle)
    assert {oracle.state for oracle in oracles} == {
        "too-few-linked-hours",
        "no-cached-tokens",
        "load-does-not-vary",
        "load-correlated-misses",
        "share-rises-with-load",
        "cold-only-after-idle",
        "flat-low-share",
        "healthy",
    }


def test_other_thresholds_agree_with_the_naive_rule_too():
    rng = random.Random(7)
    for _ in range(150):
        rows = random_series(rng)
        floors = (rng.choice((-0.9, -0.6, -0.2, 0.0)), rng.uniform(0.1, 1.0), rng.uniform(0, 0.5))
        assert_same(published(rows, Thresholds(*floors)), judge(as_hours(rows), *floors))


hours_of_a_series = st.lists(
    st.tuples(
        st.integers(1, 3),  # hours since the row before
        st.integers(0, 30),
        st.integers(0, 4),  # tokens a request, in thousands
        st.integers(0, 100),  # cached percent
    ),
    max_size=80,
)


def rows_of(steps: list[tuple[int, int, int, int]]) -> list[Row]:
    hours = BASE_HOUR + np.cumsum([step[0] for step in steps], dtype=int)
    return [
        (int(hour), q, q * size * 1000, q * size * 10 * percent)
        for hour, (_, q, size, percent) in zip(hours, steps, strict=True)
    ]


@given(hours_of_a_series)
@settings(max_examples=300, deadline=None)
def test_any_series_agrees_with_the_naive_rule(steps):
    rows = rows_of(steps)
    assert_same(published(rows), judge(as_hours(rows)))


@given(st.lists(hours_of_a_series, min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_a_series_gets_the_same_evidence_alone_and_in_a_batch(many):
    series = [rows_of(steps) for steps in many]
    result = classify(batch_of(*series), rules="published")
    for index, rows in enumerate(series):
        assert evidence_of(result, index) == published(rows)


@given(hours_of_a_series, st.integers(2, 9))
@settings(max_examples=100, deadline=None)
def test_longer_prompts_change_neither_the_state_nor_the_correlation(steps, factor):
    rows = rows_of(steps)
    longer = [(hour, q, i * factor, c * factor) for hour, q, i, c in rows]
    assert published(longer).verdict == published(rows).verdict
    assert published(longer).rho == published(rows).rho


@given(hours_of_a_series, st.integers(-5000, 5000))
@settings(max_examples=100, deadline=None)
def test_the_verdict_does_not_depend_on_when_the_window_lies(steps, shift):
    rows = rows_of(steps)
    moved = [(hour + shift, *values) for hour, *values in rows]
    assert published(moved) == published(rows)
