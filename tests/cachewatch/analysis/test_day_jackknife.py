"""How sure the gap and the rank correlation are: what each day decides."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t as student_t

from cachewatch.analysis.day_jackknife import day_intervals
from tests.cachewatch.analysis.series_of import BASE_HOUR, DAY, SCATTER, Row, batch_of, hour_row

MORE_A_DAY = (0.00, 0.03, -0.02, 0.01, -0.04, 0.05, -0.03)


def uneven_week(days: int = 7, slope: float = 0.00012, seed: int = 0) -> list[Row]:
    """Days that differ in level and in slope, hours that differ by chance."""
    rng = np.random.default_rng(seed)
    rows = []
    for day in range(days):
        level = 0.6 + MORE_A_DAY[day % 7]
        steep = slope * (1.0 + rng.normal(0.0, 0.2))
        for hour, load in enumerate(DAY):
            share = level - steep * load + rng.normal(0.0, 0.02)
            rows.append(hour_row(day * 24 + hour, load, float(np.clip(share, 0.0, 1.0))))
    return rows


def test_each_interval_is_the_number_and_t_times_the_jackknife_error() -> None:
    rows = uneven_week()
    found = day_intervals(batch_of(rows), BASE_HOUR)
    assert found is not None
    assert found.days == 7
    without = []
    for day in range(7):
        left = [row for row in rows if (row[0] - BASE_HOUR) // 24 != day]
        used = [row for row in left if row[0] != BASE_HOUR]  # nothing is known of the hour before
        ordered = sorted(used, key=lambda row: row[1] or 0)
        third = int(len(ordered) * 0.33)
        quiet, busy = ordered[:third], ordered[-third:]
        shares = [sum(r[3] for r in part) / sum(r[2] for r in part) for part in (quiet, busy)]
        without.append(shares[1] - shares[0])
    error = np.sqrt(6 / 7 * np.square(np.array(without) - np.mean(without)).sum())
    half = student_t.ppf(0.95, 6) * error
    assert found.gap == pytest.approx((found.gap_now - half, found.gap_now + half))
    assert found.rho is not None
    assert -1.0 < found.rho[0] < found.rho_now < found.rho[1] < 1.0


def test_a_perfect_correlation_has_no_interval_and_equal_days_leave_the_gap_none_to_show() -> None:
    found = day_intervals(batch_of(SCATTER), BASE_HOUR)
    assert found is not None
    assert found.rho_now == pytest.approx(-1.0)
    assert found.rho is None
    assert found.gap[1] - found.gap[0] < 0.02


def test_two_days_are_too_few_for_an_interval() -> None:
    assert day_intervals(batch_of(uneven_week(days=2)), BASE_HOUR) is None
    assert day_intervals(batch_of(uneven_week(days=3)), BASE_HOUR) is not None


def test_one_load_has_no_correlation_and_no_interval() -> None:
    steady = [hour_row(offset, 1000, 0.5) for offset in range(168)]
    assert day_intervals(batch_of(steady), BASE_HOUR) is None


def test_nine_in_ten_intervals_hold_the_true_numbers() -> None:
    found = [day_intervals(batch_of(uneven_week(seed=seed)), BASE_HOUR) for seed in range(400)]
    assert None not in found
    gaps = np.array([(*one.gap, one.gap_now) for one in found if one])
    true_gap = gaps[:, 2].mean()
    held = ((gaps[:, 0] <= true_gap) & (true_gap <= gaps[:, 1])).mean()
    # The levels of the days are the same in every draw: what differs is less than what is measured.
    assert held >= 0.88
