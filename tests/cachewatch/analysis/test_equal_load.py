"""What moves the share at equal load."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.equal_load import (
    Hours,
    differ_at_equal_load,
    equal_load,
    equal_load_of_hours,
    grouped_median,
)


def hours(seed: int, extra: float, clustered: int = 1):
    """600 hours of 200 to 2,000 requests whose hits are independent, in clusters, or also moved."""
    rng = np.random.default_rng(seed)
    requests = rng.integers(200, 2000, 600).astype(float)
    chance = np.clip(0.8 - 0.1 * np.log(requests / 200) + rng.normal(0, extra, 600), 0, 1)
    groups = np.maximum(1, requests / clustered).astype(int)
    return requests, rng.binomial(groups, chance) / groups


def test_independent_hits_differ_as_chance_says():
    requests, share = hours(1, 0.0)
    found = equal_load(np.zeros(600, np.int64), requests, share, 1)
    assert found.ratio[0] == pytest.approx(1.0, abs=0.12)
    assert found.beyond[0] < 0.01


def test_a_mover_beside_load_shows_with_its_size():
    requests, share = hours(2, 0.06)
    found = equal_load(np.zeros(600, np.int64), requests, share, 1)
    assert found.ratio[0] > 3
    assert found.beyond[0] == pytest.approx(0.06, abs=0.012)


def test_requests_that_hit_together_count_for_fewer():
    requests, share = hours(3, 0.0, clustered=4)
    found = equal_load(np.zeros(600, np.int64), requests, share, 1)
    assert found.ratio[0] == pytest.approx(2.0, abs=0.25)


def test_a_prompt_length_that_jumps_moves_the_share_and_not_the_cached_tokens_a_request():
    rng = np.random.default_rng(4)
    requests, hits = hours(4, 0.0)
    size = 4000 * np.exp(rng.normal(0, 0.2, 600))
    arguments = (requests, requests * size, requests * hits * 3000)
    every, ids = np.ones(600, dtype=bool), np.zeros(600, np.int64)
    order = np.argsort(requests, kind="stable")
    found = equal_load_of_hours(Hours(ids, *arguments, order, 1), every)
    assert found.ratio[0] < 1.3
    assert equal_load(ids, requests, arguments[2] / arguments[1], 1).ratio[0] > 2


def test_where_all_hours_differ_at_equal_load_is_where_both_numbers_reach_their_limits():
    drawn = [hours(seed, extra) for seed, extra in enumerate((0.0, 0.03, 0.06, 0.09, 0.2))]
    ids = np.repeat(np.arange(7), [600] * 5 + [1, 0])
    requests, share = (
        np.concatenate([*columns, [400.0 if place == 0 else 0.5]])
        for place, columns in enumerate(zip(*drawn, strict=True))
    )
    order = np.lexsort((requests, ids))
    given = Hours(ids, requests, requests * 1000, requests * 1000 * share, order, 7)
    every = np.ones(len(ids), dtype=bool)
    found = equal_load_of_hours(given, every)
    for limit in (0.01, 0.05, 0.1, *found.beyond[:5].tolist()):
        expected = (found.ratio >= 2.0) & (found.beyond >= limit)
        assert np.array_equal(differ_at_equal_load(given, every, 2.0, limit), expected)


def test_series_are_compared_with_themselves_only():
    requests = np.tile(np.arange(100.0, 130.0), 2)
    share = np.repeat([0.9, 0.1], 30)
    found = equal_load(np.repeat([0, 1], 30), requests, share, 3)
    assert found.ratio[:2].tolist() == [0.0, 0.0]
    assert np.isnan(found.ratio[2])


def test_a_grouped_median_is_that_of_each_group():
    values = np.array([5.0, 1.0, 3.0, 2.0, 4.0])
    assert grouped_median(values, np.array([0, 0, 0, 2, 2]), 3).tolist()[::2] == [3.0, 3.0]


def test_a_grouped_median_is_the_same_by_table_and_by_sorting():
    rng = np.random.default_rng(4)
    group = np.concatenate([np.repeat(np.arange(40), 9), np.full(2000, 41)])  # one far larger
    values = rng.normal(size=len(group))
    order = rng.permutation(len(group))
    wide = grouped_median(values[order], group[order], 42)
    even = grouped_median(values[:360], group[:360], 40)
    by_hand = np.median(values[:360].reshape(40, 9), axis=1)
    assert np.array_equal(wide[:40], by_hand)
    assert np.array_equal(even, by_hand)
    assert np.isnan(wide[40])
    assert wide[41] == np.median(values[360:])
