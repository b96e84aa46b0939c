"""Is a daily gap real: worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from cachewatch.analysis.gap_test import RISE, GapLimits, gap_test

NAN = float("nan")


def test_the_lower_bound_is_student_s_one_sided_interval():
    test = gap_test(np.array([[0.10, 0.12, 0.14, NAN]]), np.array([0.8]))
    assert (test.days[0], test.median[0]) == (3, 0.12)
    # t(2) at 95% is 2.920; the standard error is 0.02 / sqrt(3).
    assert test.low[0] == pytest.approx(0.12 - 2.91999 * 0.02 / 3**0.5, abs=1e-6)
    assert (bool(test.yes[0]), bool(test.maybe[0])) == (True, False)


@pytest.mark.parametrize(
    ("gaps", "yes", "maybe"),
    [
        ([0.10, 0.12, 0.14, 0.12], True, False),
        ([0.10, 0.12], False, False),  # two days are too few
        ([0.045, 0.045, 0.045, 0.045], False, False),  # too small
        ([0.20, 0.20, 0.0, 0.0, 0.20], False, True),  # big, but two days of five do not fall
        ([0.50, -0.30, 0.40, 0.45], False, True),  # the mean is not clear of zero
        ([0.04, 0.04, 0.30, 0.30, 0.04], False, True),  # the mean, not the median
    ],
)
def test_a_gap_must_be_large_on_the_median_day_agree_and_be_clear_of_zero(gaps, yes, maybe):
    test = gap_test(np.array([gaps]), np.array([0.8]))
    assert (bool(test.yes[0]), bool(test.maybe[0])) == (yes, maybe)


def test_limits_may_differ_from_series_to_series():
    gaps = np.array([[0.05, 0.05, 0.05], [0.05, 0.05, 0.05]])
    test = gap_test(gaps, np.array([0.8, 0.8]), GapLimits(np.array([0.04, 0.06])))
    assert test.yes.tolist() == [True, False]


def test_a_rise_must_be_a_part_of_the_busy_share():
    gaps = np.array([[0.06, 0.06, 0.06], [0.06, 0.06, 0.06]])
    assert gap_test(gaps, np.array([0.3, 0.9]), RISE).yes.tolist() == [True, False]


def test_no_day_at_all_is_neither_yes_nor_maybe():
    test = gap_test(np.array([[NAN, NAN]]), np.array([NAN]))
    assert (test.yes.tolist(), test.maybe.tolist(), test.days.tolist()) == ([False], [False], [0])
