"""Dollars of avoidable tokens: each at its own price, unpriced where there is none."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from cachewatch.analysis.avoidable import Avoidable
from cachewatch.analysis.hour_rates import HourRates, reads_per_write
from tests.cachewatch.analysis.claims_of import (
    FALLING,
    FLAT_LOW,
    claimed,
    parts_of,
    per_week,
    rates_of,
    usd,
)
from tests.cachewatch.analysis.series_of import BASE_HOUR, batch_of, hour_row

MILLION = 1_000_000


def test_tokens_that_were_written_save_the_write_price():
    batch = batch_of(FALLING)
    half = replace(batch, cache_write_tokens=(batch.input_tokens - batch.cached_tokens) / 2)
    claim = claimed(half, rates=rates_of(13, (2.0, 0.2, 2.5)))
    assert usd(claim) == (round(2.4 * 2.05, 4), round(4.5072 * 2.05, 4))
    unreported = claimed(batch, rates=rates_of(13, (2.0, 0.2, 2.5)))
    assert usd(unreported) == (round(2.4 * 1.8, 4), round(4.5072 * 1.8, 4))


def test_a_token_is_priced_on_the_day_on_which_it_was_missed():
    batch = batch_of([*FALLING, *[(row[0] + 24, *row[1:]) for row in FALLING]])
    price = np.where(batch.hour < BASE_HOUR + 24, 5.0, 4.0) / 1e6
    claim = claimed(batch, rates=HourRates(price, price / 10, np.full(len(price), np.nan)))
    assert claim.price_date == date(2026, 8, 18)
    ends = zip(claim.usd_per_week, claim.tokens_per_week, strict=True)
    assert [money / tokens for money, tokens in ends] == pytest.approx([4.05e-6] * 2, rel=0.02)


def test_an_unpriced_series_has_tokens_and_no_dollars():
    claim = claimed(FALLING)
    assert (claim.usd_per_week, claim.price_date, claim.priced_share) == (None, None, 0.0)
    assert claim.tokens_per_week[0] > 0
    only_input = rates_of(13, (2.5, np.nan, np.nan))
    assert claimed(FALLING, rates=only_input).usd_per_week is None


def test_dollars_cover_the_priced_part_and_say_how_much_that_is():
    halves = [[(h, q / 2, i / 2, c / 2) for h, q, i, c in FALLING]] * 2
    price = np.repeat([2.5, np.nan], 13) / 1e6
    rates = HourRates(price, price / 10, np.full(26, np.nan))
    claim = claimed(FALLING, parts=parts_of(*halves), rates=rates)
    assert per_week(claim) == (2_400_000, 4_507_200)
    assert usd(claim) == (2.7, 5.0706)
    assert claim.priced_share == pytest.approx(0.5)


def written(rows, tokens):
    batch = batch_of(rows)
    return replace(batch, cache_write_tokens=np.full(len(batch.hour), float(tokens)))


def test_writes_nobody_reads_cost_their_premium():
    rows = [hour_row(i, 500, 0.1) for i in range(10)]  # 1.0M read
    claim = claimed(
        written(rows, MILLION),
        FLAT_LOW,
        writes_not_read=True,
        best_share=[0.9],
        rates=rates_of(10, (2.0, 0.2, 2.5)),
    )
    # 10M written at 0.50 above input; 1M read saves 1.80, as much as 3.6M written cost.
    assert per_week(claim) == (6_400_000, 10_000_000)
    assert usd(claim) == (3.2, 5.0)
    assert (claim.basis, claim.reference_share) == ("write premium", None)


def test_writes_that_pay_claim_no_premium():
    rows = [hour_row(i, 500, 0.5) for i in range(10)]
    assert claimed(written(rows, MILLION), FLAT_LOW, writes_not_read=True) is None


def test_a_fall_with_load_keeps_its_own_basis_beside_the_write_flag():
    assert claimed(FALLING, writes_not_read=True).basis == "quiet share"


def test_reads_that_pay_for_a_write_follow_from_the_prices():
    thirty_minutes, twelve_hours = (2.0, 0.2, 2.5), (2.0, 0.2, 5.0)
    assert reads_per_write(rates_of(1, thirty_minutes)).round(2).tolist() == [0.28]
    assert reads_per_write(rates_of(1, twelve_hours)).round(2).tolist() == [1.67]
    assert reads_per_write(rates_of(1, (np.nan,) * 3)).round(2).tolist() == [0.28]


def test_the_json_form_has_whole_tokens_and_cents():
    claim = Avoidable((1.4, 2.6), (0.123, 4.567), "quiet share", 0.8, date(2026, 11, 24), 0.98765)
    assert claim.as_json() == {
        "tokens_per_week": [1, 3],
        "usd_per_week": [0.12, 4.57],
        "basis": "quiet share",
        "reference_share": 0.8,
        "price_date": "2026-11-24",
        "priced_share": 0.9877,
    }
    assert replace(claim, usd_per_week=None, price_date=None).as_json()["usd_per_week"] is None
