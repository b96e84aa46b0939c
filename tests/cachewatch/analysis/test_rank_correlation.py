"""Spearman's correlation of many series at once, against SciPy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cachewatch.analysis.rank_correlation import average_ranks, correlate, rank_correlation


def test_ties_share_their_mean_rank():
    values = np.array([30.0, 10.0, 30.0, 20.0, 5.0, 5.0])
    assert average_ranks(values, np.array([0, 4, 6])).tolist() == [3.5, 1.0, 3.5, 2.0, 1.5, 1.5]


def test_a_correlation_worked_out_by_hand():
    # d = 1 for two neighbours that swap: 1 - 6 x 2 / (8 x 63)
    assert correlate([1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 3, 4, 5, 6, 7, 8]) == pytest.approx(
        1 - 12 / 504
    )


def test_a_load_that_never_varies_has_no_correlation():
    assert correlate([5] * 20, list(range(20))) is None


def test_a_share_that_never_varies_has_a_correlation_of_zero():
    assert correlate(list(range(20)), [0.1] * 20) == 0.0


def test_seven_hours_are_too_few_and_eight_are_enough():
    assert correlate(list(range(7)), list(range(7))) is None
    assert correlate(list(range(8)), list(range(8))) == pytest.approx(1.0)
    assert correlate([], []) is None


values = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=30)


@given(st.lists(values, min_size=1, max_size=4))
@settings(max_examples=200, deadline=None)
def test_every_series_of_a_batch_agrees_with_scipy(series):
    offsets = np.cumsum([0, *map(len, series)])
    flat = np.array([pair for pairs in series for pair in pairs], float).reshape(-1, 2)
    found = rank_correlation(flat[:, 0], flat[:, 1], offsets)
    for rho, pairs in zip(found, series, strict=True):
        load, share = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        if len(pairs) < 8 or len(set(load)) == 1:
            assert np.isnan(rho)
        elif len(set(share)) == 1:
            assert rho == 0.0
        else:
            assert rho == pytest.approx(stats.spearmanr(load, share).statistic, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=8, max_size=40))
@settings(max_examples=100, deadline=None)
def test_a_correlation_keeps_its_size_under_any_rising_scale_and_turns_with_the_share(pairs):
    load, share = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    rho = correlate(load, share)
    assert correlate([value**3 + 7 for value in load], share) == rho
    if rho is not None:
        assert correlate(load, [-value for value in share]) == pytest.approx(-rho)
