"""Prices that a team sets by hand, before those of another book."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from cachewatch.prices import SNAPSHOT, STANDARD_TIERS, ListBook, PriceBook, Rates, day_of
from cachewatch.set_prices import Override, Overrides

MILLION = Decimal(1_000_000)


def book_with(overrides: Overrides) -> PriceBook:
    """The prices in force: those set by hand, else the public list."""
    return OverrideBook(overrides, ListBook()) if overrides else ListBook()


class OverrideBook:
    """Prices set by hand before those of another book.

    A key without tier and batch is for the standard tier alone: half price for batch does not
    follow from it. A model's own name goes before that of its undated model.
    """

    def __init__(self, overrides: Overrides, book: PriceBook) -> None:
        self._overrides = {_key(*priced_as): price for priced_as, price in overrides.items()}
        self._book = book

    def rates(
        self, model: str | None, service_tier: str | None, batch: bool | None, at: date
    ) -> Rates | None:
        """The price set by hand where there is one in force on that day, else the other book's."""
        day = day_of(at)
        for name in (model or "", SNAPSHOT.sub("", model or "")):
            price = self._overrides.get(_key(name, service_tier, batch))
            if price is not None and (price.since is None or price.since <= day):
                return _by_hand(price, day)
        return self._book.rates(model, service_tier, batch, at)


def _key(model: str | None, tier: str | None, batch: bool | None) -> tuple[str, str, bool]:
    name = (tier or "").lower()
    return (model or "").lower(), "" if name in STANDARD_TIERS else name, bool(batch)


def _by_hand(price: Override, day: date) -> Rates:
    by_hand = "set by hand"
    write_12h = _per_token(price.write_12h_usd_per_million)
    return Rates(
        input_usd=price.input_usd_per_million / MILLION,
        cached_usd=_per_token(price.cached_usd_per_million),
        write_30m_usd=_per_token(price.write_30m_usd_per_million),
        write_12h_usd=write_12h,
        price_date=day,
        source=by_hand,
        write_12h_source=None if write_12h is None else by_hand,
    )


def _per_token(usd_per_million: Decimal | None) -> Decimal | None:
    return None if usd_per_million is None else usd_per_million / MILLION
