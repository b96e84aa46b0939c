"""Avoidable tokens and dollars: signed, pooled, clipped once, for findings only."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from cachewatch.analysis.avoidable import avoidable
from cachewatch.analysis.best_day import best_day_share
from cachewatch.analysis.verdict_codes import VERDICTS
from tests.cachewatch.analysis.claims_of import (
    COLD,
    FALLING,
    FLAT_LOW,
    NO_CACHED,
    SCATTER,
    SPARSE,
    asked,
    claimed,
    parts_of,
    per_week,
    rates_of,
    usd,
)
from tests.cachewatch.analysis.series_of import BASE_HOUR, BURSTY, DAY, batch_of, hour_row, week

MILLION = 1_000_000


def test_a_fall_is_counted_from_the_busy_third_to_all_hours():
    claim = claimed(FALLING, rates=rates_of(13))
    # Low: 6.0M busy input x (80 % - 40 %). High: 10.2M x the ideal of 1 - 128 / 2000, minus 5.04M.
    assert per_week(claim) == (2_400_000, 4_507_200)
    assert usd(claim) == (5.4, 10.1412)  # at 2.50 - 0.25 USD per million
    assert (claim.basis, claim.reference_share) == ("quiet share", pytest.approx(0.8))
    assert (claim.price_date, claim.priced_share) == (date(2026, 8, 17), 1.0)
    assert not claim.is_up_to


def test_the_line_of_share_against_load_ends_the_range_where_it_stays_under_the_ideal():
    gentle = [hour_row(0, 50, 0.2)]
    gentle += [hour_row(1 + i, 50 if i < 3 else 200, 0.20 if i < 3 else 0.15) for i in range(12)]
    claim = claimed(gentle)
    followed = 0.2 * (0.2 / 0.15) ** (np.log(50) / np.log(4))  # to one request an hour
    tokens = 3 * 50 * 2000 + 9 * 200 * 2000
    cached = 0.2 * 300_000 + 0.15 * 3_600_000
    assert claim.tokens_per_week == pytest.approx(
        (0.05 * 3 * 200 * 2000, followed * tokens - cached)
    )


def test_the_middle_hours_are_the_reference_where_they_read_more_than_the_quiet_ones():
    cold_nights = [hour_row(0, 300, 0.6)]
    shares = [(30, 0.2)] * 3 + [(300, 0.7)] * 6 + [(1000, 0.4)] * 3
    cold_nights += [hour_row(1 + i, *load) for i, load in enumerate(shares)]
    claim = claimed(cold_nights)
    assert (claim.basis, claim.reference_share) == ("share at middling load", pytest.approx(0.7))
    assert per_week(claim)[0] == round(0.3 * 6_000_000)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_nothing_is_claimed_for_a_verdict_that_is_no_finding(verdict):
    assert claimed(FALLING, verdict, is_finding=False, best_share=[0.9]) is None


@pytest.mark.parametrize("verdict", ["mix-shift", "level-shift-mid-window", "inconclusive"])
def test_nothing_is_claimed_for_what_is_to_be_reviewed(verdict):
    assert claimed(FALLING, verdict, best_share=[0.9]) is None


@pytest.mark.parametrize("verdict", [SCATTER, COLD, FLAT_LOW, SPARSE, NO_CACHED])
def test_a_flat_healthy_series_claims_nothing_even_when_asked(verdict):
    rng = np.random.default_rng(7)
    noisy = [
        hour_row(i, DAY[i % 24], share)
        for i, share in enumerate(rng.normal(0.8, 0.02, 168).tolist())
    ]
    batch = batch_of(noisy)
    assert claimed(batch, verdict, best_share=best_day_share(batch)) is None


def test_a_share_that_rises_with_load_is_no_loss():
    assert claimed(week(lambda load: 0.1 + 0.00016 * load)) is None


def test_hours_above_the_reference_are_set_off_against_those_below():
    shares = [0.2, 0.6, 0.4]  # of the busy hours, 0.4 on the whole
    swinging = FALLING[:10] + [hour_row(10 + i, 1000, share) for i, share in enumerate(shares)]
    assert per_week(claimed(swinging)) == per_week(claimed(FALLING))


def test_less_than_four_points_are_no_claim():
    def falling_by(points):
        quiet = [hour_row(i, 100, 0.6) for i in range(9)]
        return quiet + [hour_row(9 + i, 1000, 0.6 - points) for i in range(4)]

    assert claimed(falling_by(0.039)) is None
    assert claimed(falling_by(0.041)).tokens_per_week[0] > 0


def test_hours_after_a_gap_are_held_against_the_linked_ones():
    bursts = [row for row in BURSTY if row[0] != BASE_HOUR]  # what was before it is not known
    batch = batch_of(bursts, covered=range(BASE_HOUR + 1, BASE_HOUR + 168))
    claim = claimed(batch, COLD, rates=rates_of(len(bursts)))
    # 20 hours of 3,000 requests after a gap, 0 % against 70 %; the busiest third are six of them.
    assert per_week(claim) == (round(0.7 * 6 * 6 * MILLION), round(0.7 * 20 * 6 * MILLION))
    assert usd(claim) == (56.7, 189.0)
    assert (claim.basis, claim.reference_share) == ("linked share", pytest.approx(0.7))


def test_a_low_level_is_up_to_the_own_best_day():
    low = week(lambda _load: 0.10)
    claim = claimed(low, FLAT_LOW, best_share=[0.35])
    tokens = sum(row[2] for row in low)
    assert claim.tokens_per_week == pytest.approx((0.0, 0.25 * tokens))
    assert (claim.basis, claim.reference_share, claim.is_up_to) == ("its own best day", 0.35, True)
    assert claimed(low, FLAT_LOW) is None
    assert claimed(week(lambda _load: 0.0), NO_CACHED, best_share=[0.5]).tokens_per_week == (
        pytest.approx((0.0, 0.5 * tokens))
    )


def test_sparse_traffic_is_up_to_the_share_of_its_densest_hours():
    hours = [hour_row(i, 2 if i % 4 else 9, 0.05 if i % 4 else 0.5) for i in range(168)]
    claim = claimed(hours, SPARSE)
    assert claim.basis == "share of its densest hours"
    assert claim.tokens_per_week[0] == 0.0
    assert 0.05 < claim.reference_share < 0.5


def test_the_best_day_needs_hours_and_the_input_of_a_usual_day():
    days = [(0.2, 300)] * 5 + [(0.9, 3), (0.4, 200)]
    rows = [
        hour_row(24 * day + hour, requests, share)
        for day, (share, requests) in enumerate(days)
        for hour in range(24)
    ]
    few_hours = rows[:168] + [hour_row(168 + hour, 400, 0.99) for hour in range(5)]
    assert best_day_share(batch_of(few_hours)).tolist() == [pytest.approx(0.4)]
    assert np.isnan(best_day_share(batch_of(rows[:5]))).all()
    assert len(best_day_share(batch_of())) == 0


def test_a_window_is_scaled_to_a_week():
    twice = claimed(FALLING, hours=84)
    assert per_week(twice) == tuple(2 * end for end in per_week(claimed(FALLING)))
    assert claimed(FALLING, hours=0) is None


def test_only_hours_of_the_present_state_of_affairs_count():
    before = [hour_row(i - 24, 5000, 0.0) for i in range(24)]
    since = claimed([*before, *FALLING], first_hour=BASE_HOUR + 1)
    assert since.reference_share == pytest.approx(0.8)
    assert since.tokens_per_week[0] == pytest.approx(2_400_000)


def test_an_hour_whose_cached_tokens_are_not_reported_claims_nothing():
    unknown = [*FALLING, (BASE_HOUR + 13, 9000, 18_000_000, None)]
    assert per_week(claimed(unknown)) == per_week(claimed(FALLING))


def test_the_mix_of_cells_is_no_loss():
    good = [hour_row(i, 100, 0.9) for i in range(13)]
    poor = [hour_row(i, 50 if i < 10 else 2000, 0.1) for i in range(13)]
    whole = batch_of(
        [
            (h, q + q2, i + i2, c + c2)
            for (h, q, i, c), (_, q2, i2, c2) in zip(good, poor, strict=True)
        ]
    )
    assert claimed(whole).tokens_per_week[0] > 0
    assert claimed(whole, parts=parts_of(good, poor)) is None


def test_a_cell_that_was_never_quiet_is_left_out():
    late = [hour_row(10 + i, 500, 0.0) for i in range(3)]
    whole = [
        (h, q + 500, i + 1_000_000, c) if h >= BASE_HOUR + 10 else (h, q, i, c)
        for h, q, i, c in FALLING
    ]
    claim = claimed(whole, parts=parts_of(FALLING, late))
    assert per_week(claim)[0] == per_week(claimed(FALLING))[0]


def test_series_do_not_mix():
    other = week(lambda load: 0.72 - 0.00016 * load)
    both = avoidable(batch_of(FALLING, other), asked(SCATTER, SCATTER))
    assert both == [claimed(FALLING), claimed(other)]
    assert avoidable(batch_of(), asked()) == []
