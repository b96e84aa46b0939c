"""Prices that a team sets by hand, before those of another book."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from cachewatch.prices import SNAPSHOT, STANDARD_TIERS, PriceBook, PricedAs, Rates, day_of

MILLION = Decimal(1_000_000)


class PriceError(ValueError):
    """A price cannot be used; the message says which and why."""


@dataclass(frozen=True)
class Override:
    """Prices that a team sets by hand, USD per million tokens; in force from `since` on.

    Raises:
        PriceError: a price is negative or no decimal number, input costs nothing, or a cached token
            costs more than a fresh one.

    """

    input_usd_per_million: Decimal
    cached_usd_per_million: Decimal | None = None
    write_30m_usd_per_million: Decimal | None = None
    write_12h_usd_per_million: Decimal | None = None
    since: date | None = None

    def __post_init__(self) -> None:
        for name, price in vars(self).items():
            if name != "since" and price is not None:
                _check(name, price)
        if not self.input_usd_per_million:
            raise PriceError("input_usd_per_million is 0: leave a model out that has no price")
        cached = self.cached_usd_per_million
        if cached is not None and cached > self.input_usd_per_million:
            raise PriceError(
                f"cached_usd_per_million is {cached}, more than input_usd_per_million"
                f" {self.input_usd_per_million}: a cached token costs no more than a fresh one"
            )


def _check(name: str, price: object) -> None:
    if not isinstance(price, Decimal) or not price.is_finite() or price < 0:
        raise PriceError(f"{name} must be a decimal number of 0 or more, not {price!r}")


class OverrideBook:
    """Prices set by hand before those of another book.

    A key without tier and batch is for the standard tier alone: half price for batch does not
    follow from it. A model's own name goes before that of its undated model.
    """

    def __init__(self, overrides: Mapping[PricedAs, Override], book: PriceBook) -> None:
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
