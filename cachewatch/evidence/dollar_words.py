"""What missed tokens cost, in words: the figure, what stands under it, and which prices these are."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from cachewatch.analysis.figures import count, percent
from cachewatch.analysis.money_words import NOT_KNOWN, dollars

Usd = Mapping[str, Any]
NOT_ASKED = "read before prices were asked for; send the log again"


class Cost(NamedTuple):
    """The figure, and what stands under it; "" where nothing does."""

    amount: str
    note: str


def cost_of(usd: Usd | None, cause: str, tokens: int) -> Cost:
    """What the missed tokens of one cause cost. `usd`: see dollars.missed_usd; None: not asked."""
    if usd is None:
        return Cost(NOT_KNOWN, NOT_ASKED)
    return _cost(usd, usd["by_cause"].get(cause), usd["priced_by_cause"].get(cause, 0), tokens)


def cost_of_all(usd: Usd | None, tokens: int) -> Cost:
    """What all missed tokens cost."""
    if usd is None:
        return Cost(NOT_KNOWN, NOT_ASKED)
    return _cost(usd, usd["total"], usd["priced_tokens"], tokens)


def _cost(usd: Usd, amount: float | None, priced: int, tokens: int) -> Cost:
    if not tokens and amount is None:
        return Cost(NOT_KNOWN, "nothing missed")
    if amount is None:
        return Cost(NOT_KNOWN, _why(usd))
    is_partial = priced < tokens
    return Cost(
        dollars(amount), f"{percent(priced / tokens)} of the tokens priced" if is_partial else ""
    )


def _why(usd: Usd) -> str:
    """Why there is no price; one reason, where all unpriced models have the same."""
    reasons = {one["why"] for one in usd["models"] if one["why"]}
    return str(reasons.pop()) if len(reasons) == 1 else "no price"


def price_lines(usd: Usd | None) -> list[str]:
    """Which price each model has, from where, and of which days; or why it has none."""
    if usd is None:
        return []
    return [_price_line(one, is_dated=usd["is_dated"]) for one in usd["models"]]


def _price_line(one: Mapping[str, Any], *, is_dated: bool) -> str:
    tier = f", tier {one['service_tier']}" if one["service_tier"] else ""
    name = f"{one['model'] or 'model not reported'}{tier}"
    if one["why"]:
        return f"{name}: {NOT_KNOWN}, {one['why']} ({count(one['tokens'])} missed tokens)"
    kinds = ("input", "cached", "write")
    rates = [
        f"{kind} {_rate(one[f'{kind}_usd_per_million'])}"
        for kind in kinds
        if one[f"{kind}_usd_per_million"] is not None
    ]
    days = _days(one["price_from"], one["price_to"])
    since = "" if is_dated else ", as not every request has a time"
    return f"{name}: {', '.join(rates)} per 1M tokens; {one['source']}, {days}{since}"


def _rate(usd_per_million: float) -> str:
    """Two digits, more where the price has more."""
    whole_cents = f"{usd_per_million:,.2f}"
    exact = f"{usd_per_million:.4g}"
    return f"${whole_cents if float(whole_cents.replace(',', '')) == usd_per_million else exact}"


def _days(first: str, last: str) -> str:
    end = _day(date.fromisoformat(last))
    return (
        f"prices of {end}"
        if first == last
        else f"prices of {_day(date.fromisoformat(first))} to {end}"
    )


def _day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"
