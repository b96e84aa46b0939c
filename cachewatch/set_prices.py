"""Prices that a team sets by hand, as CACHEWATCH_PRICES gives them: docs/configuration.md."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from cachewatch.environment import ConfigurationError, Environment

# A dollar a token and a dollar per million million: what lies beyond was mistyped.
MOST = Decimal(1_000_000)
LEAST = Decimal("0.000001")


class PriceError(ValueError):
    """A price cannot be used; the message says which and why."""


class PricedAs(NamedTuple):
    """What decides a price. Tier None: not reported, taken as the standard tier."""

    model: str | None
    service_tier: str | None = None
    batch: bool | None = None


@dataclass(frozen=True)
class Override:
    """Prices that a team sets by hand, USD per million tokens; in force from `since` on.

    Raises:
        PriceError: a price is no decimal number from 0 to MOST, input costs nothing, a cached token
            costs more than a fresh one, or a written one less.

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
        self._check_writes()

    def _check_writes(self) -> None:
        for name in ("write_30m_usd_per_million", "write_12h_usd_per_million"):
            price = getattr(self, name)
            if price is not None and price < self.input_usd_per_million:
                raise PriceError(
                    f"{name} is {price}, less than input_usd_per_million"
                    f" {self.input_usd_per_million}: a written token costs no less than a fresh one;"
                    " leave the line out where writing costs nothing extra"
                )


def _check(name: str, price: object) -> None:
    if not isinstance(price, Decimal) or not price.is_finite() or price < 0:
        raise PriceError(f"{name} must be a decimal number of 0 or more, not {price!r}")
    if price > MOST or 0 < price < LEAST:
        raise PriceError(
            f"{name} is {price:g}; USD per million tokens are 0, or from {LEAST:f} to {MOST:,}"
        )


Overrides = Mapping[PricedAs, Override]
_PRICES = frozenset(one.name for one in fields(Override)) - {"since"}
_KINDS: Mapping[str, type] = {
    "model": str,
    "service_tier": str,
    "batch": bool,
    "since": date,
    **dict.fromkeys(_PRICES, Decimal),
}


def overrides_of(environment: Environment) -> Overrides:
    """The prices set by hand; none where the variable is not set.

    Raises ConfigurationError, which names the price that cannot be used and says why.
    """
    text = environment.optional("CACHEWATCH_PRICES")
    if text is None:
        return {}
    try:
        return read_overrides(text)
    except PriceError as error:
        raise ConfigurationError(f"CACHEWATCH_PRICES: {error}") from error


def read_overrides(text: str) -> Overrides:
    """The [[price]] tables of a TOML text, by what they are for. Raises PriceError."""
    try:
        found = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, ArithmeticError) as error:
        raise PriceError(f"is no TOML: {error}") from error
    tables = found.pop("price", [])
    if found or not isinstance(tables, list):
        raise PriceError("must hold [[price]] tables and nothing else")
    read: dict[PricedAs, Override] = {}
    for number, table in enumerate(tables, start=1):
        try:
            _add(table, read)
        except PriceError as error:
            raise PriceError(f"[[price]] number {number}: {error}") from None
    return read


def _add(table: object, read: dict[PricedAs, Override]) -> None:
    priced_as, price = _one(table)
    if priced_as in read:
        raise PriceError("the model has a price in this tier and mode already")
    read[priced_as] = price


def _one(table: object) -> tuple[PricedAs, Override]:
    if not isinstance(table, dict):
        raise PriceError("must be a table")
    values = {name: _value(name, value) for name, value in table.items()}
    for name in ("model", "input_usd_per_million"):
        if values.get(name) in (None, ""):
            raise PriceError(f"{name} is missing")
    priced_as = PricedAs(
        values.pop("model"), values.pop("service_tier", None), values.pop("batch", None)
    )
    return priced_as, Override(**values)


def _value(name: str, value: object) -> Any:
    kind = _KINDS.get(name)
    if kind is None:
        raise PriceError(f"{name} is not known; known are {', '.join(_KINDS)}")
    if kind is Decimal and type(value) is int:
        return Decimal(value)
    if not isinstance(value, kind) or isinstance(value, datetime):
        raise PriceError(f"{name} is {value!r}; it must be {_MUST_BE[kind]}")
    return value


_MUST_BE: Mapping[type, str] = {
    str: "text in quotes",
    bool: "true or false",
    date: "a day such as 2026-11-01",
    Decimal: "a number of USD per million tokens",
}
