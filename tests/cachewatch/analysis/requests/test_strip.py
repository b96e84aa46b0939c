"""Requests one by one: what each read, why it missed, and what changed before it."""

from __future__ import annotations

from cachewatch.analysis.requests.analyse import analyse, analyse_each
from cachewatch.analysis.requests.cause_words import CAUSE_WORDS, heading
from cachewatch.analysis.requests.findings import Cause
from cachewatch.analysis.requests.strip import MOST_POINTS
from tests.cachewatch.analysis.requests.log_of import log_of

TURNS = ["none", "stable"] * 8
READS = [0, 0, *[0, 9088] * 7]


def turns(**more):
    return log_of([10_000.0] * 16, READS, seconds=10, arms={"arm": TURNS}, **more)


def test_points_stand_in_the_order_sent_with_their_arm_and_read():
    strip = analyse_each(turns()).strip
    assert [point.arm for point in strip.points] == [0, 1] * 8
    assert [point.read for point in strip.points] == ["zero", "zero", *["zero", "full"] * 7]
    assert strip.points[1].time - strip.points[0].time == 10.0
    assert strip.of == 16


def test_the_first_call_of_a_prefix_is_marked_and_misses_nothing():
    strip = analyse_each(turns(session=[f"s-{arm}" for arm in TURNS])).strip
    assert [point.first for point in strip.points] == [True, True] + [False] * 14
    assert not any(point.missed for point in strip.points if point.first)


def test_a_key_changes_within_its_arm_and_an_account_within_the_log():
    keys = [f"k{n}" if arm == "none" else "one" for n, arm in enumerate(TURNS)]
    strip = analyse_each(turns(key=keys, account=["a"] * 9 + ["b"] * 7)).strip
    assert [point.key_changed for point in strip.points] == [False, False, *[True, False] * 7]
    assert [n for n, point in enumerate(strip.points) if point.account_changed] == [9]
    assert [point.account for point in strip.points] == [0] * 9 + [1] * 7


def test_each_miss_has_one_cause_or_none_and_the_counts_are_of_all_requests():
    strip = analyse_each(turns()).strip
    assert sum(strip.missed.values()) + strip.unknown == sum(p.missed for p in strip.points)
    for cause, count in strip.missed.items():
        assert count == sum(point.cause == cause for point in strip.points)


def test_misses_that_arms_count_as_full_reads_are_counted():
    short_of_all = log_of(2560, [0.0, *[2048.0] * 39], seconds=20, arms={"arm": ["a", "b"] * 20})
    found, strip = analyse_each(short_of_all)
    assert [(arm.zeros, arm.partial, arm.full) for arm in found.arms] == [(1, 0, 19), (0, 0, 20)]
    assert (strip.missed, strip.unknown, strip.missed_in_full) == ({"plateau": 38}, 0, 38)


def test_where_one_request_reads_all_a_miss_is_no_full_read():
    strip = analyse_each(log_of(2560, [0.0, *[2048.0] * 38, 2432.0], seconds=20)).strip
    assert strip.missed_in_full == 0
    assert not any(point.missed and point.read == "full" for point in strip.points)


def test_the_strip_is_bounded_and_says_of_how_many():
    strip = analyse_each(log_of([10_000.0] * 2_100, [9_984.0] * 2_100, seconds=1)).strip
    assert (len(strip.points), strip.of) == (MOST_POINTS, 2_100)


def test_where_nothing_can_be_judged_there_is_no_strip_and_the_findings_are_the_same():
    batch = log_of([500.0] * 4, [0.0] * 4)
    assert analyse_each(batch).strip is None
    assert analyse_each(batch).found == analyse(batch)


def test_every_cause_has_words():
    assert set(CAUSE_WORDS) == set(Cause.__args__)


def test_a_heading_says_how_sure_it_is_and_sends_to_the_keys_first():
    assert heading("key-churn", "confirmed", has_keys=True) == (
        "Key churn: a new prompt_cache_key starts with nothing to find"
    )
    assert heading("routing-scatter", "possible", has_keys=False) == (
        "Possible routing scatter, check keys first: "
        "one prefix is found at times and missed at others"
    )
    assert heading("healthy", "likely", has_keys=False) == ("No finding: what was readable is read")
