"""`full` in front of the published rule: what is left out, and under which reason it is counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cachewatch.analysis.classify import classify
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.gather import evidence_of
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
from tests.cachewatch.analysis.test_published_rule import hours_of_a_series, in_turn, rows_of

NOTHING = dict.fromkeys(
    (
        *("after_gap", "unsettled", "no_input", "no_requests"),
        *("not_reported", "clipped", "unknown_before"),
    ),
    0,
)
WINDOW_START = NOTHING | {"unknown_before": 1}


def full(rows: Sequence[Row], **reading) -> Evidence:
    return evidence_of(classify(batch_of(rows, **reading)), 0)


def replaced(rows: list[Row], index: int, **values: float | None) -> list[Row]:
    hour, requests, tokens, cached = rows[index]
    row = {"requests": requests, "input": tokens, "cached": cached} | values
    return [*rows[:index], (hour, row["requests"], row["input"], row["cached"]), *rows[index + 1 :]]


def test_clean_weeks_get_the_published_verdicts():
    weeks = (SCATTER, FLAT, RISING, ZERO, STEADY, BURSTY)
    result = classify(batch_of(*weeks))
    evidences = [evidence_of(result, index) for index in range(len(weeks))]
    assert [evidence.verdict for evidence in evidences] == [
        "load-correlated-misses",
        "flat-low-share",
        "share-rises-with-load",
        "no-cached-tokens",
        "load-does-not-vary",
        "cold-only-after-idle",
    ]
    assert all(evidence.published_state == evidence.verdict for evidence in evidences)


def test_the_first_hour_of_a_window_is_unknown_and_not_cold():
    assert full(SCATTER).excluded == WINDOW_START
    assert full(BURSTY).excluded == NOTHING | {"unknown_before": 1, "after_gap": 20}


def test_unsettled_hours_enter_no_number():
    evidence = full(SCATTER, settled_until=BASE_HOUR + 160)
    assert evidence.excluded == WINDOW_START | {"unsettled": 8}
    assert evidence.linked.hours == 159
    assert evidence.pooled.requests == sum(row[1] for row in SCATTER[:160])


def test_an_hour_without_input_never_becomes_a_zero_share():
    rows = replaced(in_turn(0.6, 0.6, hours=40), 9, input=0, cached=0)
    evidence = full(rows)
    assert (evidence.verdict, evidence.rho) == ("healthy", 0.0)
    assert evidence.excluded == WINDOW_START | {"no_input": 1}
    assert evidence.published_state == "healthy"


def test_an_hour_with_tokens_and_no_requests_is_left_out_and_still_links_the_next():
    rows = replaced(in_turn(0.6, 0.3, hours=40), 9, requests=0)
    evidence = full(rows)
    assert evidence.excluded == WINDOW_START | {"no_requests": 1}
    assert evidence.linked.hours == 38


def test_an_hour_whose_cached_tokens_are_not_reported_links_but_has_no_share():
    rows = replaced(in_turn(0.6, 0.3, hours=40), 9, cached=None)
    evidence = full(rows)
    assert evidence.excluded == WINDOW_START | {"not_reported": 1}
    assert (evidence.linked.hours, evidence.busy.share) == (38, 0.3)
    assert evidence.pooled.hours == 39


def test_a_week_without_any_cached_count_is_no_week_of_zeros():
    rows = [(hour, requests, tokens, None) for hour, requests, tokens, _ in SCATTER]
    evidence = full(rows)
    assert evidence.verdict == "too-few-linked-hours"
    assert evidence.excluded == NOTHING | {"not_reported": 168}
    assert evidence.published_state == "no-cached-tokens"
    assert (evidence.pooled.share, evidence.pooled.hours) == (None, 0)


def test_after_an_hour_that_was_not_read_nothing_is_known():
    covered = [hour for hour in range(BASE_HOUR, BASE_HOUR + 168) if hour != BASE_HOUR + 50]
    rows = [row for row in SCATTER if row[0] != BASE_HOUR + 50]
    evidence = full(rows, covered=covered)
    assert evidence.excluded == NOTHING | {"unknown_before": 2}
    assert evidence.linked.hours == 165


def test_an_idle_hour_that_was_read_makes_the_next_one_cold():
    rows = [row for row in SCATTER if row[0] != BASE_HOUR + 50]
    evidence = full(rows)
    assert evidence.excluded == WINDOW_START | {"after_gap": 1}
    assert evidence.cold.hours == 1


def test_bursts_whose_idle_hours_were_not_read_are_not_called_cold():
    evidence = full(BURSTY, covered=[row[0] for row in BURSTY])
    assert evidence.excluded == NOTHING | {"unknown_before": 21}
    assert (evidence.verdict, evidence.published_state) == ("healthy", "cold-only-after-idle")


def test_a_row_that_reports_neither_requests_nor_input_leaves_the_next_hour_unknown():
    rows = replaced(in_turn(0.6, 0.3, hours=40), 9, requests=None, input=None, cached=None)
    evidence = full(rows)
    assert evidence.excluded == NOTHING | {"unknown_before": 2, "no_requests": 1}


def test_a_row_of_zeros_is_an_idle_hour_and_no_excluded_one():
    rows = replaced(in_turn(0.6, 0.3, hours=40), 9, requests=0, input=0, cached=0)
    assert full(rows).excluded == WINDOW_START | {"after_gap": 1}


def test_clipped_hours_are_counted_as_the_reader_says():
    result = classify(batch_of(SCATTER), clipped_hours=2)
    assert evidence_of(result, 0).excluded == WINDOW_START | {"clipped": 2}


def test_the_published_state_beside_a_full_verdict_is_over_the_settled_hours():
    late_fall = [
        *in_turn(0.6, 0.6, hours=30),
        *(hour_row(i, 9000, 0.0) for i in range(30, 40)),
    ]
    assert full(late_fall).published_state == "load-correlated-misses"
    settled = full(late_fall, settled_until=BASE_HOUR + 30)
    assert (settled.verdict, settled.published_state) == ("healthy", "healthy")


def test_an_empty_batch_and_an_empty_series_have_answers():
    assert len(classify(batch_of()).numbers.state) == 0
    evidence = full([])
    assert (evidence.verdict, evidence.pooled.share) == ("too-few-linked-hours", None)


@given(hours_of_a_series, st.integers(0, 240))
@settings(max_examples=200, deadline=None)
def test_every_hour_with_traffic_is_used_or_left_out_for_one_reason(steps, settled_hours):
    rows = rows_of(steps)
    evidence = full(rows, settled_until=BASE_HOUR + settled_hours)
    idle_and_settled = sum(
        row[1] == 0 and row[2] == 0 and row[0] < BASE_HOUR + settled_hours for row in rows
    )
    assert evidence.linked.hours + sum(evidence.excluded.values()) + idle_and_settled == len(rows)


@given(hours_of_a_series)
@settings(max_examples=200, deadline=None)
def test_where_every_hour_is_read_settled_and_whole_full_differs_in_the_first_hour_only(steps):
    rows = [row for row in rows_of(steps) if row[1] and row[2]]
    batch = batch_of(rows)
    by_rule, by_controls = classify(batch, rules="published"), classify(batch)
    published, evidence = evidence_of(by_rule, 0), evidence_of(by_controls, 0)
    assert evidence.linked == published.linked
    assert evidence.rho == published.rho
    for rule, controls in zip(by_rule.numbers.split, by_controls.numbers.split, strict=True):
        assert np.array_equal(rule, controls, equal_nan=True)
    first = 1 if rows else 0
    assert evidence.excluded["after_gap"] == published.excluded["after_gap"] - first
