"""Prices per token: the dated list, its traps, and prices set by hand."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import numpy as np
import pytest

from cachewatch.price_overrides import OverrideBook
from cachewatch.prices import ListBook, hour_rates
from cachewatch.set_prices import Override, PricedAs, PriceError
from tests.cachewatch.analysis.series_of import BASE_HOUR, batch_of, hour_row

NOVEMBER = date(2026, 11, 20)
MILLION = 1_000_000


def per_million(model, tier=None, batch=None, at=NOVEMBER, book=None):
    """Input, cached, 30 minute and 12 hour write, USD per million tokens."""
    rates = (book or ListBook()).rates(model, tier, batch, at)
    if rates is None:
        return None
    parts = (rates.input_usd, rates.cached_usd, rates.write_30m_usd, rates.write_12h_usd)
    return tuple(None if part is None else part * MILLION for part in parts)


def usd(*values):
    return tuple(None if value is None else Decimal(value) for value in values)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("gpt-5.4", usd("2.5", "0.25", None, None)),
        ("gpt-5.4-2026-03-05", usd("2.5", "0.25", None, None)),
        ("GPT-5.4", usd("2.5", "0.25", None, None)),
        ("gpt-4o-mini-2024-07-18", usd("0.15", "0.075", None, None)),
        ("gpt-4.1", usd("2", "0.5", None, None)),
        ("o3", usd("2", "0.5", None, None)),
        ("gpt-5.6", usd("4", "0.4", "5", "10")),
        ("gpt-5.6-terra", usd("2", "0.2", "2.5", "5")),
        ("gpt-6.1-sol", usd("2", "0.1", "2.5", "5")),
    ],
)
def test_the_list_has_input_cached_and_write_prices(model, expected):
    assert per_million(model) == expected


def test_a_million_tokens_of_an_hour_are_no_long_prompt():
    assert per_million("gpt-5.5") == usd("5", "0.5", None, None)


@pytest.mark.parametrize(
    ("model", "day", "expected"),
    [
        ("gpt-5.6-sol", date(2026, 8, 20), usd("5", "0.5", "6.25", "12.5")),
        ("gpt-5.6-sol", date(2026, 8, 21), usd("4", "0.4", "5", "10")),
        ("gpt-5.6-luna", date(2026, 7, 29), usd("1", "0.1", "1.25", "2.5")),
        ("gpt-5.6-luna", date(2026, 7, 30), usd("0.2", "0.02", "0.25", "0.5")),
        ("gpt-5.6-terra", date(2026, 7, 29), usd("2.5", "0.25", "3.125", "6.25")),
        ("gpt-5.6-terra", date(2026, 7, 30), usd("2", "0.2", "2.5", "5")),
    ],
)
def test_a_price_is_that_of_its_own_day(model, day, expected):
    assert per_million(model, at=day) == expected


def test_a_moment_counts_as_its_utc_day():
    late_in_new_york = datetime(2026, 8, 20, 21, tzinfo=timezone(timedelta(hours=-4)))
    assert per_million("gpt-5.6-sol", at=late_in_new_york)[0] == 4
    assert per_million("gpt-5.6-sol", at=datetime(2026, 8, 20, 23, 59, tzinfo=UTC))[0] == 5
    assert ListBook().rates("gpt-5.6-sol", None, None, late_in_new_york).price_date == date(
        2026, 8, 21
    )


@pytest.mark.parametrize(
    "model",
    ["gpt-6.2-sol", "some-model", "", None, "whisper-1", "ft:gpt-4.1-2025-04-14:acme::x1"],
)
def test_an_unknown_model_is_unpriced_and_never_free(model):
    assert ListBook().rates(model, None, None, NOVEMBER) is None


@pytest.mark.parametrize("model", ["ft:gpt-4o-2024-08-06:acme::x1", "gpt-5-pro", "gpt-5.5-pro"])
def test_a_model_without_a_cached_price_keeps_none(model):
    rates = ListBook().rates(model, None, None, NOVEMBER)
    assert rates.input_usd > 0
    assert rates.cached_usd is None


def test_a_snapshot_the_list_does_not_name_has_the_price_of_its_model_and_says_so():
    rates = ListBook().rates("gpt-5.4-2026-09-30", None, None, NOVEMBER)
    assert rates.input_usd * MILLION == Decimal("2.5")
    assert rates.source == "list price, genai-prices 0.2.3, as gpt-5.4"
    assert ListBook().rates("gpt-5.4", None, None, NOVEMBER).source == (
        "list price, genai-prices 0.2.3"
    )


@pytest.mark.parametrize(
    ("tier", "batch", "expected"),
    [
        (None, None, usd("2.5", "0.25")),
        ("default", False, usd("2.5", "0.25")),
        ("auto", None, usd("2.5", "0.25")),
        ("flex", False, usd("1.25", "0.13")),
        ("priority", False, usd("5", "0.5")),
        ("default", True, usd("1.25", "0.13")),
    ],
)
def test_tiers_and_batch_have_their_own_prices(tier, batch, expected):
    assert per_million("gpt-5.4", tier, batch)[:2] == expected


@pytest.mark.parametrize(
    ("model", "tier", "batch", "day"),
    [
        ("gpt-5.4", "flex", None, date(2026, 10, 11)),
        ("gpt-5.4", None, True, date(2026, 10, 13)),
        ("gpt-5.4", "scale", None, NOVEMBER),
        ("gpt-5.4", "ultrafast", None, NOVEMBER),
        ("gpt-4o-mini-search-preview", "flex", None, NOVEMBER),
    ],
)
def test_a_tier_the_list_does_not_have_on_that_day_is_unpriced(model, tier, batch, day):
    assert ListBook().rates(model, tier, batch, day) is None


def test_batch_does_not_keep_the_cached_price_of_the_standard_tier():
    assert per_million("gpt-4o", batch=True)[:2] == usd("1.25", None)
    assert per_million("gpt-4o")[:2] == usd("2.5", "1.25")


def test_the_12_hour_write_price_names_its_source():
    rates = ListBook().rates("gpt-5.6-sol", None, None, NOVEMBER)
    assert rates.write_12h_usd == rates.input_usd * Decimal("2.5")
    assert rates.write_12h_source == "2.5 times input: public price lists of November 2026"
    assert rates.currency == "USD"
    assert ListBook().rates("gpt-5.5", None, None, NOVEMBER).write_12h_source is None


def test_a_price_set_by_hand_goes_before_the_list():
    by_hand = Override(Decimal("1.8"), Decimal("0.18"), since=date(2026, 11, 1))
    book = OverrideBook({PricedAs("gpt-5.4"): by_hand}, ListBook())
    assert per_million("gpt-5.4", book=book) == usd("1.8", "0.18", None, None)
    assert per_million("gpt-5.4-2026-03-05", "default", False, book=book)[0] == Decimal("1.8")
    assert book.rates("gpt-5.4", None, None, NOVEMBER).source == "set by hand"
    assert per_million("gpt-5.4", at=date(2026, 10, 31), book=book)[0] == Decimal("2.5")
    assert per_million("gpt-5.4-mini", book=book)[0] == Decimal("0.75")


def test_a_price_set_by_hand_says_nothing_of_other_tiers():
    standard = {PricedAs("gpt-5.4"): Override(Decimal(1))}
    assert per_million("gpt-5.4", "flex", book=OverrideBook(standard, ListBook()))[0] == (
        Decimal("1.25")
    )
    batch = {PricedAs("gpt-5.4", batch=True): Override(Decimal(1))}
    assert per_million("gpt-5.4", batch=True, book=OverrideBook(batch, ListBook()))[0] == 1
    assert per_million("gpt-5.4", book=OverrideBook(batch, ListBook()))[0] == Decimal("2.5")


def test_a_model_of_ones_own_can_be_priced_by_hand():
    prices = (Decimal(3), Decimal("0.3"), Decimal("3.75"), Decimal("7.5"))
    book = OverrideBook({PricedAs("gpt-6.2-sol"): Override(*prices)}, ListBook())
    assert per_million("gpt-6.2-sol", book=book) == prices
    assert book.rates("gpt-6.2-sol", None, None, NOVEMBER).write_12h_source == "set by hand"


@pytest.mark.parametrize(
    ("prices", "sentence"),
    [
        ((Decimal(-1),), "input_usd_per_million must be a decimal number of 0 or more"),
        ((Decimal("NaN"),), "input_usd_per_million must be a decimal number of 0 or more"),
        ((1.5,), "input_usd_per_million must be a decimal number of 0 or more, not 1.5"),
        ((Decimal(0),), "input_usd_per_million is 0: leave a model out that has no price"),
        ((Decimal(1), Decimal(2)), "a cached token costs no more than a fresh one"),
    ],
)
def test_a_price_that_cannot_be_is_refused(prices, sentence):
    with pytest.raises(PriceError, match=sentence):
        Override(*prices)


def test_every_hour_is_priced_at_its_own_day():
    four_days = [hour_row(hour, 10, 0.5) for hour in range(96)]  # 17 to 20 August
    hours = batch_of([*four_days, hour_row(96, 10, 0.5)], four_days[:2], four_days[:1])
    models = [PricedAs("gpt-5.6-sol"), PricedAs("nobody"), PricedAs("gpt-5.4", "default", False)]
    rates = hour_rates(ListBook(), hours, models)
    assert hours.hour[0] == BASE_HOUR
    assert (rates.input_usd * MILLION).round(9).tolist()[:97] == [5.0] * 96 + [4.0]
    assert (rates.write_usd[:97] / rates.input_usd[:97]).round(9).tolist() == [1.25] * 97
    assert np.isnan(rates.input_usd[97:99]).all()
    assert (rates.input_usd[99], rates.cached_usd[99]) == (2.5e-6, 2.5e-7)
    assert np.isnan(rates.write_usd[99])
    assert rates.priced.tolist() == [True] * 97 + [False] * 2 + [True]


def test_writes_that_are_kept_12_hours_cost_their_own_price():
    hours = batch_of([hour_row(i, 10, 0.5) for i in range(100, 103)])
    parts = np.array([0.0, 0.5, np.nan])
    rates = hour_rates(ListBook(), hours, [PricedAs("gpt-5.6-sol")], parts)
    assert (rates.write_usd * MILLION).round(9).tolist() == [5.0, 7.5, 5.0]
    assert np.isnan(hour_rates(ListBook(), hours, [PricedAs("gpt-5.4")], parts).write_usd).all()


def test_no_hours_have_no_prices():
    assert len(hour_rates(ListBook(), batch_of(), []).input_usd) == 0
    with pytest.raises(ValueError, match="1 prices asked for 0 series"):
        hour_rates(ListBook(), batch_of(), [PricedAs("gpt-5.4")])


def test_looking_up_a_price_opens_no_socket():
    script = """
import sys
def refuse(event, args):
    if event.startswith("socket."):
        raise SystemExit(f"{event} {args}")
sys.addaudithook(refuse)
from datetime import date
from cachewatch.prices import ListBook
rates = ListBook().rates("gpt-5.5", "flex", None, date(2026, 11, 20))
unknown = ListBook().rates("gpt-6.2-sol", None, None, date(2026, 11, 20))
print(float(rates.input_usd * 1_000_000), unknown)
"""
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=120
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "2.5 None\n", "")
