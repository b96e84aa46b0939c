"""The words of a page, from stored documents."""

from __future__ import annotations

import pytest

from cachewatch.analysis.requests.analyse import analyse_each
from cachewatch.analysis.requests.parts import parts_of_hundred
from cachewatch.evidence import presenting
from tests.cachewatch.analysis.requests.log_of import log_of


def arm(label, n=30, share=0.5):
    return {"label": label, "n": n, "share": share}


def pair(a, b, p, layout="alternating"):
    return {"a": a, "b": b, "p": p, "layout": layout}


def test_the_unknown_is_always_a_part_and_the_last_one():
    stored = {
        "missed_tokens": {"total": 30, "by_cause": {"plateau": 10, "key-churn": 20, "unknown": 0}},
        "missed_requests": {"plateau": 1, "key-churn": 2, "unknown": 0},
    }
    parts = presenting.missed_parts(stored)
    assert [(one.cause, one.percent_text, one.requests) for one in parts] == [
        ("key-churn", "66.7%", 2),
        ("plateau", "33.3%", 1),
        ("unknown", "0.0%", 0),
    ]


def test_of_no_missed_token_no_share_is_told():
    stored = {
        "missed_tokens": {"total": 0, "by_cause": {"unknown": 0}},
        "missed_requests": {},
        "points_of": 3,
    }
    assert [(one.share, one.percent_text) for one in presenting.missed_parts(stored)] == [
        (None, "0.0%")
    ]
    assert presenting.missed_heading(stored) == "No token that was readable was missed"
    assert presenting.missed_heading(stored | {"points_of": 0}) == (
        "No request could be judged, so missed tokens are not known"
    )


@pytest.mark.parametrize("counts", [[1, 1, 1], [1, 2, 3, 5, 7, 11], [999, 1], [0, 0, 5], [1] * 999])
def test_parts_sum_to_a_hundred(counts):
    tenths = [int(one.removesuffix("%").replace(".", "")) for one in parts_of_hundred(counts)]
    assert sum(tenths) == 1000


def test_arms_are_read_against_the_one_that_is_compared_most():
    stored = {
        "arms": [arm("a", share=0.2), arm("b", share=0.9), arm("c", share=0.1, n=5)],
        "comparisons": [pair("b", "a", 0.001), pair("b", "c", 0.2)],
    }
    assert presenting.baseline(stored) == "b"
    told = presenting.arm_readings(stored)
    assert [one.reading for one in told] == [
        "reads less",
        "reference arm",
        "no detectable difference",
    ]
    assert [one.is_small for one in told] == [False, False, True]
    assert presenting.arms_heading(stored) == "Only a differs from b"


def test_without_a_comparison_no_arm_is_judged():
    stored = {"arms": [arm("a")], "comparisons": []}
    assert presenting.arm_readings(stored)[0].reading == "the only arm"
    assert presenting.arms_heading(stored) == "What the requests read"


def test_arms_that_differ_by_chance_are_said_not_to_differ():
    stored = {"arms": [arm("a"), arm("b")], "comparisons": [pair("a", "b", 0.4)]}
    assert presenting.arms_heading(stored) == "No arm differs from a by more than chance"


def test_arms_that_did_not_alternate_are_said_so():
    stored = {"comparisons": [pair("a", "b", 0.4, "one after the other")]}
    assert presenting.order_note(stored) == (
        "Arms do not alternate (one after the other), "
        "so what changed with time may explain a difference."
    )
    assert presenting.order_note({"comparisons": [pair("a", "b", 0.4)]}) == ""
    assert presenting.order_note({"comparisons": [pair("a", "b", 0.4, "mixed")]}) == ""


@pytest.mark.parametrize(
    ("missed", "full", "told"),
    [
        (0, 0, "No request missed what was readable"),
        (30, 0, "30 requests of 40 missed what was readable"),
        (30, 29, "30 requests of 40 missed what was readable; 29 of them count as full reads"),
        (30, 1, "30 requests of 40 missed what was readable; 1 of them counts as a full read"),
        (1, 1, "1 request of 40 missed what was readable; it counts as a full read"),
    ],
)
def test_requests_that_missed_and_count_as_full_reads_are_said_to_be_both(missed, full, told):
    stored = {"missed_requests": {"plateau": missed}, "missed_in_full": full, "points_of": 40}
    why = ", as no request read much more" if full else ""
    assert presenting.strip_heading(stored) == told + why


def test_a_log_that_older_rules_read_has_its_heading_without_full_reads():
    stored = {"missed_requests": {"plateau": 30}, "points_of": 40}
    assert presenting.strip_heading(stored) == "30 requests of 40 missed what was readable"


@pytest.mark.parametrize(
    ("left_out", "told"),
    [
        ({}, ""),
        ({"suspect": 1}, "; 1 more is left out (1 with impossible token counts)"),
        (
            {"unreported": 1, "ineligible": 1},
            "; 2 more are left out (1 without token counts, 1 below 1,024 tokens)",
        ),
    ],
)
@pytest.mark.parametrize("missed", [0, 30])
def test_requests_that_are_in_no_row_are_told_with_the_reason(left_out, told, missed):
    stored = {"missed_requests": {"plateau": missed}, "points_of": 40, "not_judged": left_out}
    without = presenting.strip_heading(stored | {"not_judged": {}})
    assert presenting.strip_heading(stored) == without + told


def test_every_request_of_a_log_is_in_a_row_or_left_out_for_one_reason_that_has_words():
    inputs = [9000.0] * 40 + [9000.0, 500.0, None, 9000.0]
    cached = [0.0] + [8960.0] * 39 + [9900.0, 0.0, 0.0, 0.0]
    batch = log_of(inputs, cached, tier=["default"] * 43 + ["batch"], key=["k"] * 44)
    strip = analyse_each(batch).strip
    left_out = {"unreported": 1, "suspect": 1, "batch_tier": 1, "ineligible": 1}
    assert (strip.of, strip.not_judged) == (40, left_out)
    assert presenting.strip_heading(
        {"missed_requests": strip.missed, "points_of": strip.of, "not_judged": strip.not_judged}
    ) == (
        "No request missed what was readable; 4 more are left out (1 without token counts, 1 with"
        " impossible token counts, 1 of batch jobs, 1 below 1,024 tokens)"
    )
