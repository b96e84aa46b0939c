"""How near a series is to any of the findings, and the flag that says so."""

from __future__ import annotations

import pytest

from cachewatch.analysis.classify import classify
from cachewatch.analysis.deciding import deciding
from cachewatch.analysis.distance_words import nearest_sentence
from cachewatch.analysis.gather import evidence_of
from tests.cachewatch.analysis.series_of import BASE_HOUR, batch_of, hour_row, week

NEAR = "near-threshold"


def evidence(rows, rules="full"):
    return evidence_of(classify(batch_of(rows), rules=rules), 0)


def steady(share, gaps=()):
    """A week of 1,000 requests an hour; hours after those left out read nothing."""
    return [
        hour_row(hour, 1000, 0.0 if hour - 1 in gaps else share)
        for hour in range(168)
        if hour not in gaps
    ]


def nothing_cached(tokens):
    return [(BASE_HOUR + hour, 100, 100 * tokens, 0) for hour in range(168)]


def closest(found):
    (row,) = [row for row in deciding(found) if row.closest]
    return row


@pytest.mark.parametrize(
    ("share", "verdict", "is_near"),
    [
        (0.12, "flat-low-share", False),
        (0.145, "flat-low-share", True),
        (0.151, "healthy", True),
        (0.16, "healthy", True),
        (0.18, "healthy", False),
    ],
)
def test_a_level_beside_the_floor_is_near_on_either_side(share, verdict, is_near):
    found = evidence(week(lambda _load: share))
    assert (found.verdict, NEAR in found.flags) == (verdict, is_near)
    assert closest(found).name == "flat_floor"


def test_no_finding_names_the_finding_that_is_nearest():
    found = evidence(week(lambda _load: 0.151))
    assert (closest(found).finding, closest(found).passes) == ("flat-low-share", False)
    words = 'share of all hours is 15.1%, "Flat low share" starts below 15%'
    assert nearest_sentence(found) == words
    names = [row.name for row in deciding(found)]
    assert names[:2] == ["gap_points", "gap_days_agree"]
    assert names[-4:] == ["flat_floor", "sparse_rate", "sparse_share", "minimum_tokens"]


def test_far_from_the_floor_the_fall_is_nearest():
    found = evidence(week(lambda load: 0.8 - 0.00001 * load))
    assert (found.verdict, closest(found).finding) == ("healthy", "")
    assert closest(found).name == "gap_points"


def test_a_load_that_does_not_vary_can_be_near_a_low_share():
    near, far = evidence(steady(0.155)), evidence(steady(0.6))
    assert (near.verdict, far.verdict) == ("load-does-not-vary", "load-does-not-vary")
    assert (NEAR in near.flags, NEAR in far.flags) == (True, False)
    assert closest(near).name == "flat_floor"


def test_hours_after_gaps_that_waste_a_little_less_are_near():
    five, four = (evidence(steady(0.6, range(20, 20 + 30 * n, 30))) for n in (5, 4))
    assert (five.verdict, NEAR in five.flags) == ("load-does-not-vary", True)
    assert (closest(five).name, closest(five).finding) == ("cold_waste", "cold-only-after-idle")
    assert nearest_sentence(five) == (
        'input lost in cold hours: 1.8%, "Cold only after idle" needs at least 2%'
    )
    assert NEAR not in four.flags


def test_without_an_hour_after_a_gap_nothing_is_said_of_them():
    assert "cold_waste" not in [row.name for row in deciding(evidence(steady(0.6)))]


def test_sparse_traffic_at_its_limit_is_near():
    at_it, below = (
        evidence([hour_row(hour, requests, 0.0) for hour in range(168)]) for requests in (3, 2)
    )
    assert (at_it.verdict, below.verdict) == ("sparse-traffic-retention",) * 2
    assert (NEAR in at_it.flags, NEAR in below.flags) == (True, False)
    assert (closest(at_it).name, closest(at_it).margin) == ("sparse_rate", 0.0)


@pytest.mark.parametrize(
    ("tokens", "is_finding", "is_near"),
    [(2000, False, False), (2900, False, True), (3100, True, True), (6000, True, False)],
)
def test_prompts_that_hardly_reach_the_minimum_are_near(tokens, is_finding, is_near):
    found = evidence(nothing_cached(tokens))
    assert found.verdict == "no-cached-tokens"
    assert (found.is_finding, NEAR in found.flags) == (is_finding, is_near)


def test_the_published_rule_has_one_finding():
    found = evidence(week(lambda _load: 0.151), "published")
    assert {row.finding for row in deciding(found)} == {""}
    assert found.flags == ()
