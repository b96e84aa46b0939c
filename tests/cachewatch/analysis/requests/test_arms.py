"""Arms are counted, compared and put in words that do not claim more than they show."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.requests.analyse import analyse
from cachewatch.analysis.requests.layout import layout_of
from cachewatch.analysis.requests.statistics import fisher_p, permutation_p, wilson
from tests.cachewatch.analysis.requests.log_of import log_of


def two_arms(a, b, *, size=6360, order=None):
    """Reads of arm a, then of arm b; by turns where `order` says so."""
    rows = [("a", read) for read in a] + [("b", read) for read in b]
    if order == "turns":
        rows = [row for pair in zip(rows[: len(a)], rows[len(a) :], strict=True) for row in pair]
    return log_of(size, [read for _, read in rows], arms={"arm": [arm for arm, _ in rows]})


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [(1, 4, 0.046, 0.699), (0, 5, 0.0, 0.434), (5, 5, 0.566, 1.0), (18, 21, 0.654, 0.950)],
)
def test_wilson_intervals(successes, n, low, high):
    assert [round(end, 3) for end in wilson(successes, n)] == [low, high]


def test_an_empty_arm_has_the_whole_interval_and_no_p():
    assert wilson(0, 0) == (0.0, 1.0)
    assert fisher_p(0, 0, 3, 3) is None


def test_fisher_of_none_in_five_against_four_in_five():
    assert round(fisher_p(0, 5, 4, 5), 3) == 0.048


def test_the_permutation_test_is_seeded_and_finds_a_large_difference():
    inputs = np.full(60, 1000.0)
    cached = np.array([900.0] * 30 + [400.0] * 30)
    in_b = np.arange(60) >= 30
    assert permutation_p(cached, inputs, in_b) == permutation_p(cached, inputs, in_b) < 0.001
    assert permutation_p(np.full(60, 500.0), inputs, in_b) == 1.0


@pytest.mark.parametrize(
    ("order", "layout"),
    [
        ("ababab", "alternating"),
        ("aaabbb", "one after the other"),
        ("aabbaa", "A/B/A"),
        ("abba", "A/B/A"),
        ("aaaabbbbaaaabbbb", "in blocks"),
        ("aabbabbaabab", "mixed"),
    ],
)
def test_the_order_of_arms_has_a_name(order, layout):
    assert layout_of(np.array([letter == "b" for letter in order])) == layout


def test_arms_chosen_at_random_for_each_request_are_mixed_and_never_in_blocks():
    random = np.random.default_rng(15)
    assert {layout_of(random.random(3000) < 0.5) for _ in range(200)} == {"mixed"}
    for part in (0.1, 0.5):
        assert "in blocks" not in {layout_of(random.random(100) < part) for _ in range(200)}
    # 1,444 runs of 3,000 are fewer than the 1,501 of chance, but not far fewer.
    at = np.sort(random.permutation(2999)[:1443])
    assert layout_of(np.isin(np.arange(3000), at + 1).cumsum() % 2 == 1) == "mixed"


def test_long_runs_of_many_requests_are_in_blocks():
    assert layout_of(np.arange(3000) // 10 % 2 == 1) == "in blocks"


def test_of_mixed_arms_the_words_do_not_blame_time():
    arms = list("aabbabbaabab" * 3)
    one = analyse(log_of(6360, [0, 6144] * 18, arms={"arm": arms}), ("arm",)).comparisons[0]
    assert one.layout == "mixed"
    assert "arms are mixed" in one.statement
    assert "time" not in one.statement


def test_interleaved_arms_of_three_show_intervals_and_no_win():
    found = analyse(two_arms([0, 0, 0], [0, 6144, 6144], order="turns"), ("arm",))
    one = found.comparisons[0]
    assert (one.method, round(one.p, 2), one.layout) == ("fisher-exact", 0.4, "alternating")
    assert one.statement.startswith("Cannot tell apart (+64.4 points)")
    assert "0 of 3 (0.0% to 56%) against 2 of 3 (21% to 94%)" in one.statement
    assert "n is small" in one.statement
    assert "arms alternate" in one.statement


def test_a_control_arm_may_hit_and_a_treated_arm_may_miss():
    control = analyse(two_arms([0, 0, 5504], [0, 5504, 5504], size=5650), ("arm",))
    treated = analyse(two_arms([0, 0, 0], [0, 5504, 0], size=5650), ("arm",))
    assert [(arm.zeros, arm.full) for arm in (*control.arms, *treated.arms)] == [
        *((2, 1), (1, 2), (3, 0), (2, 1))
    ]
    assert all("Cannot tell apart" in one.comparisons[0].statement for one in (control, treated))


def test_a_full_read_is_one_of_the_largest_read_seen():
    arm = analyse(two_arms([0, 12544], [12544, 12544], size=19340), ("arm",)).arms[1]
    assert (arm.full, arm.partial, arm.zeros) == (2, 0, 0)


def test_arms_with_nearly_the_same_share_show_no_detectable_change():
    random = np.random.default_rng(4)

    def arm(n, total, cached):
        sizes = np.rint(random.uniform(0.5, 1.5, n) * total / n)
        reads = np.rint(sizes * np.clip(random.normal(cached / total, 0.1, n), 0, 1))
        return sizes.tolist(), reads.tolist()

    off, on = arm(70, 4_335_966, 3_760_384), arm(71, 6_000_139, 5_253_120)
    log = log_of(off[0] + on[0], off[1] + on[1], arms={"key": ["off"] * 70 + ["on"] * 71})
    one = analyse(log, ("key",)).comparisons[0]
    assert one.method == "permutation"
    assert one.statement.startswith("No detectable change")
    assert "the arms are not balanced" in one.statement
    assert "improved" not in one.statement.lower()


def test_a_dated_regression_reads_lower_and_says_that_time_may_explain_it():
    log = log_of(
        17300, [16384] * 40 + [16384, 0, 0] * 13, arms={"arm": ["06-10"] * 40 + ["06-17"] * 39}
    )
    one = analyse(log).comparisons[0]
    assert one.statement.startswith("06-17 reads lower")
    assert one.p < 0.001
    assert "what changed with time may explain it" in one.statement


def test_the_column_arm_is_taken_without_being_named():
    assert len(analyse(two_arms([0, 6144], [0, 0])).arms) == 2
    assert analyse(log_of(6360, [0, 6144], arms={"color": ["a", "b"]})).arms == ()


def test_several_columns_make_a_matrix_and_pairs_differ_in_one_of_them():
    log = log_of(
        27027,
        [0, 26368] * 4,
        arms={"key": ["yes"] * 4 + ["no"] * 4, "header": (["yes"] * 2 + ["no"] * 2) * 2},
    )
    found = analyse(log, ("key", "header"))
    assert [arm.values for arm in found.arms] == [
        {"key": key, "header": header} for key in ("yes", "no") for header in ("yes", "no")
    ]
    assert {(one.a, one.b) for one in found.comparisons} == {
        ("key yes, header yes", "key yes, header no"),
        ("key yes, header yes", "key no, header yes"),
        ("key yes, header no", "key no, header no"),
        ("key no, header yes", "key no, header no"),
    }


def test_identities_as_arms_are_numbered_and_never_named():
    log = log_of(9000, [0, 8960, 0, 0], account=["me@example.org"] * 2 + ["you@example.org"] * 2)
    assert [arm.label for arm in analyse(log, ("account",)).arms] == ["account 1", "account 2"]


def test_a_value_that_is_not_reported_is_an_arm_of_its_own():
    log = log_of(9000, [0, 8960, 0, 0], arms={"region": ["eu", "eu", None, None]})
    assert [arm.label for arm in analyse(log, ("region",)).arms] == ["eu", "not reported"]


def test_an_unknown_column_is_refused_in_words():
    log = log_of(9000, [0, 8960], arms={"region": ["eu", "us"]})
    with pytest.raises(ValueError, match=r"no column 'colour' to compare by.*: region"):
        analyse(log, ("colour",))


def test_a_small_comparison_says_what_is_left_without_first_calls():
    one = analyse(two_arms([0] * 5, [0, *[6144] * 4]), ("arm",)).comparisons[0]
    assert "without them 0 of 4 against 4 of 4, p = 0.029" in one.statement
