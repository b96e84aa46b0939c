"""Prices per token from the dated public list, and the form in which every price comes.

The list is the one inside the genai-prices package, read offline. Its calculator takes what it is
given for one request, and a million tokens of an hour for one long prompt at twice the price: so
it is asked about a request of 1,000 tokens, and hours are multiplied here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np

from cachewatch.analysis.cache_generation import day_of_hour
from cachewatch.analysis.hour_rates import HourRates, unpriced
from cachewatch.analysis.segments import Floats
from cachewatch.analysis.series import SeriesBatch
from cachewatch.set_prices import PricedAs

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice

PROVIDER = "openai"
ASKED_TOKENS = 1000
HOURS_PER_DAY = 24
# The package has no price for writes kept 12 hours.
WRITE_12H_FACTOR = Decimal("2.5")
WRITE_12H_SOURCE = "2.5 times input: public price lists of November 2026"
STANDARD_TIERS = frozenset({"", "auto", "default", "standard"})
BOUGHT_AHEAD = "scale"
SNAPSHOT = re.compile(r"-20\d\d-\d\d-\d\d$")


@dataclass(frozen=True)
class Rates:
    """What one token costs, USD.

    Attributes:
        input_usd: fresh input.
        cached_usd: input read from the prompt cache; None where the model has no such price.
        write_30m_usd, write_12h_usd: input written to the prompt cache, by how long it is kept;
            None where writes are not billed.
        price_date: the day the price is for.
        source: where it is from.
        write_12h_source: where the 12 hour price is from; None without one.

    """

    input_usd: Decimal
    cached_usd: Decimal | None
    write_30m_usd: Decimal | None
    write_12h_usd: Decimal | None
    price_date: date
    source: str
    write_12h_source: str | None = None
    currency: str = "USD"


class PriceBook(Protocol):
    """Where prices come from: the list, the hand, later the bill."""

    def rates(
        self, model: str | None, service_tier: str | None, batch: bool | None, at: date
    ) -> Rates | None:
        """Prices of a token on a day (a datetime counts as its UTC day); None: unpriced."""


class ListBook:
    """The public list prices inside the genai-prices package, dated."""

    def rates(
        self, model: str | None, service_tier: str | None, batch: bool | None, at: date
    ) -> Rates | None:
        """The list price on that day.

        None for a model, a tier or a mode that the list does not have on that day, and for
        capacity bought ahead ("scale"): no price is made up. A dated snapshot that the list does
        not name has the price of its model; a fine-tuned model never has that of another.
        """
        context = _context(service_tier, batch)
        if not model or context is None:
            return None
        return _listed(model.lower(), context, day_of(at))


def day_of(at: date) -> date:
    """The UTC day of a moment; without a zone it is UTC already."""
    if isinstance(at, datetime):
        return (at if at.tzinfo is None else at.astimezone(UTC)).date()
    return at


Context = tuple[str, str] | tuple[()]  # what the list calls price context


def _context(service_tier: str | None, batch: bool | None) -> Context | None:
    """The list's key of a tier and mode; () is the standard price, None has no list price."""
    tier = (service_tier or "").lower()
    if tier == BOUGHT_AHEAD:
        return None
    if batch:
        return ("processing", "batch")
    return () if tier in STANDARD_TIERS else ("service_tier", tier)


@lru_cache(maxsize=65_536)
def _listed(model: str, context: Context, day: date) -> Rates | None:
    found = _asked(model, context, day)
    if found is not None:
        return found
    undated = SNAPSHOT.sub("", model)
    found = None if undated == model else _asked(undated, context, day)
    return None if found is None else replace(found, source=f"{found.source}, as {undated}")


def _asked(model: str, context: Context, day: date) -> Rates | None:
    # Only now: the list takes a second to load.
    import genai_prices

    at = datetime.combine(day, time(), UTC)
    try:
        calculation = genai_prices.calc_price(
            genai_prices.Usage(input_tokens=ASKED_TOKENS),
            model,
            provider_id=PROVIDER,
            genai_request_timestamp=at,
            price_context=dict([context]) if context else None,
        )
    except LookupError:
        return None
    stated = _stated(calculation.model, context, at)
    if stated is None or not calculation.input_price:
        return None
    one = calculation.input_price / ASKED_TOKENS
    write_30m = _part(calculation.model_price, "cache_write", stated)
    bills_writes = write_30m is not None
    return Rates(
        input_usd=one,
        cached_usd=_part(calculation.model_price, "cache_read", stated),
        write_30m_usd=write_30m,
        write_12h_usd=one * WRITE_12H_FACTOR if bills_writes else None,
        price_date=day,
        source=f"list price, genai-prices {genai_prices.__version__}",
        write_12h_source=WRITE_12H_SOURCE if bills_writes else None,
    )


def _stated(model: ModelInfo, context: Context, at: datetime) -> frozenset[str] | None:
    """The prices that the list states for the context itself; None where it does not know it.

    A tier that is listed with an input price only would otherwise keep the standard cached price.
    """
    if not context:
        prices = [model.get_prices(at)]
    else:
        key, value = context
        prices = [
            variant.prices
            for variant in model.price_variants or ()
            if variant.when == {key: value}
            and (variant.constraint is None or variant.constraint.active(at))
        ]
    names = {name for one in prices for name, price in vars(one).items() if price is not None}
    return frozenset(names) if "input_mtok" in names else None


def _part(price: ModelPrice, name: str, stated: frozenset[str]) -> Decimal | None:
    """The price of a token that is read or written, by asking about a request of such tokens."""
    import genai_prices

    if f"{name}_mtok" not in stated:
        return None
    usage = genai_prices.Usage(**{"input_tokens": ASKED_TOKENS, f"{name}_tokens": ASKED_TOKENS})
    return price.calc_price(usage)["input_price"] / ASKED_TOKENS


def hour_rates(
    book: PriceBook,
    hours: SeriesBatch,
    priced_as: Sequence[PricedAs],
    long_writes: Floats | None = None,
) -> HourRates:
    """Prices of every hour of a batch at the hour's own UTC day.

    Args:
        book: where prices come from.
        hours: n series (or cells).
        priced_as: what decides the price of each of them.
        long_writes: float64 (N,), the part of the written tokens that is kept 12 hours, 0..1;
            NaN where it is not reported, which is taken as none.

    Raises:
        ValueError: there are not as many `priced_as` as series.

    """
    if len(priced_as) != len(hours):
        raise ValueError(f"{len(priced_as)} prices asked for {len(hours)} series")
    if not len(hours.hour):
        return unpriced(0)
    ids, day = hours.ids, hours.hour // HOURS_PER_DAY
    places = ids * (int(day.max()) + 1) + day
    _, first, inverse = np.unique(places, return_index=True, return_inverse=True)
    found = []
    for row in first.tolist():
        model, tier, batch = priced_as[ids[row]]
        found.append(_columns(book.rates(model, tier, batch, day_of_hour(int(hours.hour[row])))))
    fresh, cached, write_30m, write_12h = np.array(found, dtype=np.float64)[inverse].T
    if long_writes is None:
        return HourRates(fresh, cached, write_30m)
    longer = np.nan_to_num(long_writes) * np.nan_to_num(write_12h - write_30m)
    return HourRates(fresh, cached, write_30m + longer)


def _columns(rates: Rates | None) -> list[float]:
    if rates is None:
        return [np.nan] * 4
    values = (rates.input_usd, rates.cached_usd, rates.write_30m_usd, rates.write_12h_usd)
    return [np.nan if value is None else float(value) for value in values]
