"""Prices that a team sets: read from TOML, refused in words, and before those of the list."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from cachewatch.environment import ConfigurationError, Environment
from cachewatch.environment_values import check
from cachewatch.price_overrides import book_with
from cachewatch.set_prices import Override, PricedAs, overrides_of

TWO_PRICES = """
[[price]]
model = "gpt-5.4"
input_usd_per_million = 1.80
cached_usd_per_million = 0.18
since = 2026-11-01

[[price]]
model = "our-assistant"
service_tier = "flex"
batch = true
input_usd_per_million = 2
write_30m_usd_per_million = 2.5
write_12h_usd_per_million = 5
"""
ONE = '[[price]]\nmodel = "m"\ninput_usd_per_million = 1\n'
NOVEMBER = date(2026, 11, 20)


def overrides(text: str):
    return overrides_of(Environment({"CACHEWATCH_PRICES": text}))


def test_prices_are_read_as_they_are_written():
    assert overrides(TWO_PRICES) == {
        PricedAs("gpt-5.4"): Override(Decimal("1.80"), Decimal("0.18"), since=date(2026, 11, 1)),
        PricedAs("our-assistant", "flex", True): Override(
            Decimal(2),
            write_30m_usd_per_million=Decimal("2.5"),
            write_12h_usd_per_million=Decimal(5),
        ),
    }


def test_without_the_variable_the_list_alone_is_asked():
    assert overrides_of(Environment({})) == {}
    rates = book_with({}).rates("gpt-5.4", None, None, NOVEMBER)
    assert rates is not None
    assert rates.input_usd * 1_000_000 == Decimal("2.5")


def test_a_file_of_prices_goes_before_the_list(tmp_path):
    file = tmp_path / "prices.toml"
    file.write_text(TWO_PRICES)
    found = overrides_of(Environment({"CACHEWATCH_PRICES_FILE": str(file)}))
    book = book_with(found)
    by_hand = book.rates("gpt-5.4", None, None, NOVEMBER)
    assert by_hand is not None
    assert (by_hand.input_usd * 1_000_000, by_hand.source) == (Decimal("1.8"), "set by hand")
    listed = book.rates("gpt-5.4-mini", None, None, NOVEMBER)
    assert listed is not None
    assert listed.source.startswith("list price")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("price", "CACHEWATCH_PRICES: is no TOML"),
        ("model = 'm'", r"must hold \[\[price\]\] tables and nothing else"),
        ("price = 3", r"must hold \[\[price\]\] tables and nothing else"),
        ("price = [3]", r"\[\[price\]\] number 1: must be a table"),
        ("[[price]]\ninput_usd_per_million = 1", "number 1: model is missing"),
        ("[[price]]\nmodel = ''\ninput_usd_per_million = 1", "number 1: model is missing"),
        ("[[price]]\nmodel = 'm'", "number 1: input_usd_per_million is missing"),
        (ONE + "input = 2", "number 1: input is not known; known are model, service_tier"),
        (ONE + "batch = 'yes'", "number 1: batch is 'yes'; it must be true or false"),
        (ONE + "since = '1 Nov'", "number 1: since is '1 Nov'; it must be a day such as"),
        (ONE + "since = 2026-11-01T00:00:00Z", "it must be a day such as 2026-11-01"),
        (ONE + "cached_usd_per_million = true", "must be a number of USD per million tokens"),
        (ONE + "cached_usd_per_million = -1", "must be a decimal number of 0 or more"),
        (ONE + "cached_usd_per_million = nan", "must be a decimal number of 0 or more"),
        (ONE + "cached_usd_per_million = 2", "costs no more than a fresh one"),
        ("[[price]]\nmodel = 'm'\ninput_usd_per_million = 0", "leave a model out"),
        (
            "[[price]]\nmodel = 'm'\ninput_usd_per_million = 1e400",
            r"input_usd_per_million is 1e\+400; USD per million tokens are 0, or from 0\.000001 to 1,",
        ),
        ("[[price]]\nmodel = 'm'\ninput_usd_per_million = 1e-400", "or from 0.000001 to"),
        (ONE + "write_30m_usd_per_million = 1_000_001", "write_30m_usd_per_million is 1000001;"),
        (
            ONE + "write_30m_usd_per_million = 0.99",
            "write_30m_usd_per_million is 0.99, less than input_usd_per_million 1: a written token",
        ),
        (ONE + "write_12h_usd_per_million = 0", "write_12h_usd_per_million is 0, less than"),
        (ONE + ONE, r"\[\[price\]\] number 2: the model has a price in this tier and mode"),
    ],
)
def test_a_price_that_cannot_be_used_stops_the_start_in_words(text, sentence):
    with pytest.raises(ConfigurationError, match=sentence):
        check(Environment({"CACHEWATCH_PRICES": text}))
