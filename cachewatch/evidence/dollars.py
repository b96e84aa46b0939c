"""What the missed tokens of a log cost: by cause and by model, at the price of each request's day.

A missed token costs the price of fresh input less that of cached input; of those that were written
to the prompt cache, the price of writing less that of cached input (`hour_rates.saving_usd`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from cachewatch.analysis.hour_rates import saving_usd
from cachewatch.analysis.requests.cause_words import UNKNOWN
from cachewatch.analysis.requests.findings import MissedGroup, MissedTokens
from cachewatch.analysis.series import UsageColumns, batch_from_rows
from cachewatch.price_overrides import MILLION
from cachewatch.prices import HOURS_PER_DAY, STANDARD_TIERS, PriceBook, Rates, hour_rates
from cachewatch.set_prices import PricedAs

# A column with more values holds no names of models.
MOST_MODELS = 50
# As LiteLLM and OpenRouter write the models of the provider whose list the prices are of.
_LISTED = "openai/"
_EPOCH = date(1970, 1, 1)
_DIGITS = 12  # a token of a cheap model costs less than a millionth


class _Part(NamedTuple):
    """Missed tokens of one price and one cause; `usd` None = unpriced."""

    priced_as: PricedAs
    cause: str
    day: int
    tokens: int
    usd: float | None


def missed_usd(missed: MissedTokens, book: PriceBook, today: date) -> dict[str, Any]:
    """The key `usd` of missed tokens: what they cost, null where no price is known.

    Args:
        missed: missed tokens with their groups.
        book: where prices come from.
        today: the UTC day whose prices hold for requests without a time.

    Returns:
        `total` and `by_cause`, USD, are of the priced tokens alone, which `priced_tokens` and
        `priced_by_cause` count. Without one priced token all are null; else a cause that missed
        nothing costs 0. `models`: what decided the prices, the most tokens first. `is_dated`: the
        prices are of the requests' own days.

    """
    parts = _parts(missed.groups, book, today)
    usd, priced = _sums(parts)
    counted = {**{str(cause): n for cause, n in missed.by_cause.items()}, UNKNOWN: missed.unknown}
    return {
        "total": round(sum(usd.values()), _DIGITS) if priced else None,
        "by_cause": {
            cause: round(usd[cause], _DIGITS) if priced and (priced[cause] or not n) else None
            for cause, n in counted.items()
        },
        "priced_tokens": priced.total(),
        "priced_by_cause": {cause: priced[cause] for cause in counted},
        "is_dated": all(one.day is not None for one in missed.groups),
        "models": _models(parts, book),
    }


def _sums(parts: Iterable[_Part]) -> tuple[dict[str, float], Counter[str]]:
    """Dollars and priced tokens by cause."""
    usd, priced = defaultdict[str, float](float), Counter[str]()
    for one in parts:
        if one.usd is not None:
            usd[one.cause] += one.usd
            priced[one.cause] += one.tokens
    return usd, priced


def _parts(groups: Sequence[MissedGroup], book: PriceBook, today: date) -> list[_Part]:
    """The groups with their cost; those of one price and cause added up."""
    tokens = Counter[tuple[PricedAs, str, int]]()
    written = defaultdict[tuple[PricedAs, str, int], float](float)
    for one in groups:
        day = (today - _EPOCH).days if one.day is None else one.day
        place = (PricedAs(one.model, one.tier), one.cause or UNKNOWN, day)
        tokens[place] += one.tokens
        written[place] += one.written_tokens
    places = sorted(tokens, key=str)
    if not places:
        return []
    costs = _costs(places, [tokens[one] for one in places], [written[one] for one in places], book)
    return [
        _Part(*place, tokens[place], None if np.isnan(cost) else cost)
        for place, cost in zip(places, costs, strict=True)
    ]


def _costs(
    places: Sequence[tuple[PricedAs, str, int]],
    tokens: Sequence[int],
    written: Sequence[float],
    book: PriceBook,
) -> list[float]:
    """USD of each place, NaN where it has no price. Each place is the one hour of a series."""
    hours = [day * HOURS_PER_DAY for _, _, day in places]
    count = len(places)
    columns = UsageColumns(range(count), hours, np.ones(count), tokens, np.zeros(count), written)
    batch = batch_from_rows(columns, series_count=count, covered_hours=hours, settled_until=0)
    asked = {one for one, _ in _most_missed(places, tokens)}
    priced_as = [
        _listed(book, one, day) if one in asked else PricedAs(None) for one, _, day in places
    ]
    costs = saving_usd(hour_rates(book, batch, priced_as), batch) * batch.input_tokens
    found: list[float] = costs.tolist()
    return found


def _most_missed(
    places: Sequence[tuple[PricedAs, str, int]], tokens: Sequence[int]
) -> list[tuple[PricedAs, int]]:
    """The models with the most missed tokens, and how many these are."""
    of_model = Counter[PricedAs]()
    for (priced_as, _, _), n in zip(places, tokens, strict=True):
        of_model[priced_as] += n
    return of_model.most_common(MOST_MODELS)


def _listed(book: PriceBook, priced_as: PricedAs, day: int) -> PricedAs:
    """The name that the book knows: the log's own, else without the name of the provider."""
    model = priced_as.model or ""
    if not model.startswith(_LISTED) or _rates(book, priced_as, day) is not None:
        return priced_as
    return priced_as._replace(model=model.removeprefix(_LISTED))


def _rates(book: PriceBook, priced_as: PricedAs, day: int) -> Rates | None:
    return book.rates(*priced_as, _EPOCH + timedelta(days=day))


def _models(parts: Sequence[_Part], book: PriceBook) -> list[dict[str, Any]]:
    """What each model cost and which price that was, the most missed tokens first."""
    places = [(one.priced_as, one.cause, one.day) for one in parts]
    most = _most_missed(places, [one.tokens for one in parts])
    return [_model([one for one in parts if one.priced_as == model], book) for model, _ in most]


def _model(own: Sequence[_Part], book: PriceBook) -> dict[str, Any]:
    """`price_from`, `price_to`: the first and last day whose price was taken; rates are of the last."""
    priced_as, days = own[0].priced_as, [one.day for one in own]
    priced = [one for one in own if one.usd is not None]
    rates = _rates(book, _listed(book, priced_as, max(days)), max(days))
    return {
        "model": priced_as.model,
        "service_tier": priced_as.service_tier,
        "tokens": sum(one.tokens for one in own),
        "priced_tokens": sum(one.tokens for one in priced),
        "usd": round(sum(one.usd or 0.0 for one in priced), _DIGITS) if priced else None,
        "input_usd_per_million": _per_million(rates, "input_usd"),
        "cached_usd_per_million": _per_million(rates, "cached_usd"),
        "write_usd_per_million": _per_million(rates, "write_30m_usd"),
        "price_from": (_EPOCH + timedelta(days=min(days))).isoformat(),
        "price_to": (_EPOCH + timedelta(days=max(days))).isoformat(),
        "source": rates and rates.source,
        "why": None if priced else _why(priced_as, rates),
    }


def _per_million(rates: Rates | None, name: str) -> float | None:
    usd: Decimal | None = getattr(rates, name, None)
    return None if usd is None else float(usd * MILLION)


def _why(priced_as: PricedAs, rates: Rates | None) -> str:
    """Why a model has no price."""
    if priced_as.model is None:
        return "the log does not name the model"
    if rates is not None:
        return "its price does not say what a cached token costs"
    if (priced_as.service_tier or "").lower() not in STANDARD_TIERS:
        return f"no list price in the tier {priced_as.service_tier}"
    return "no list price"
