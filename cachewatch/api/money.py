"""Money in the API: what a finding costs a week, as a range and in words; never a false $0."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

from ninja import Field

from cachewatch.analysis.money_total import Total
from cachewatch.analysis.money_words import NOT_KNOWN, total_words
from cachewatch.api.base_shape import Shape
from cachewatch.api.examples import examples
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.money import present_money

# Low and high end. A pair by its length: clients of the description know no tuples.
TokenRange = Annotated[list[int], Field(min_length=2, max_length=2)]
UsdRange = Annotated[list[float], Field(min_length=2, max_length=2)]

AVOIDABLE_EXAMPLE: dict[str, Any] = {
    "tokens_per_week": [467_000_000, 1_022_000_000],
    "usd_per_week": [1051.2, 2300.4],
    "basis": "quiet share",
    "reference_share": 0.68,
    "price_date": "2026-11-26",
    "priced_share": 1.0,
}
MONEY_EXAMPLE: dict[str, Any] = {
    "amount": "$1,051 to $2,300",
    "basis": "low end: busy hours to 68%",
    "note": "$2.25 per 1M tokens, prices of 26 Nov 2026",
}


class Avoidable(Shape):
    """What a finding costs in a week: low and high end.

    `usd_per_week` is null where no list has a price; `priced_share` is the part of the tokens that
    has one. `reference_share` is the share that `basis` names; null for a write premium.
    """

    tokens_per_week: TokenRange
    usd_per_week: UsdRange | None
    basis: str = Field(description="what the low end is held against")
    reference_share: float | None
    price_date: date | None
    priced_share: float

    model_config = examples(AVOIDABLE_EXAMPLE)


class Money(Shape):
    """The same in words: the figure, what stands under it, where the dollars come from.

    `amount` is a range of dollars, "unpriced" (no list price), "N/A" (no baseline or no verdict) or
    "none claimed" (no finding). `basis` and `note` are empty where there is nothing to say.
    """

    amount: str
    basis: str
    note: str

    model_config = examples(MONEY_EXAMPLE)


class AvoidableTotal(Shape):
    """All claims added up: what is avoidable in a week, and what the dollars cover."""

    tokens_per_week: TokenRange | None
    usd_per_week: UsdRange | None
    priced: int = Field(description="claims with a price")
    unpriced: int = Field(description="claims without one")
    priced_share: float | None
    price_date: date | None
    amount: str
    covers: str


def money_fields(verdict: Verdict) -> dict[str, Any]:
    """`avoidable` and `money` of a stored verdict."""
    claim, words, note = present_money(verdict)
    return {
        "avoidable": None if claim is None else Avoidable.model_validate(claim.as_json()),
        "money": Money(amount=words.amount, basis=words.basis, note=note),
    }


def no_money(why: str) -> dict[str, Any]:
    """The same of a series without a verdict."""
    return {"avoidable": None, "money": Money(amount=NOT_KNOWN, basis=why, note="")}


def total_out(total: Total) -> AvoidableTotal:
    """The total of many claims."""
    words, usd, tokens = total_words(total), total.usd_per_week, total.tokens_per_week
    return AvoidableTotal(
        tokens_per_week=None if tokens is None else [round(end) for end in tokens],
        usd_per_week=None if usd is None else [round(end, 2) for end in usd],
        priced=total.priced,
        unpriced=total.unpriced,
        priced_share=None if total.priced_share is None else round(total.priced_share, 4),
        price_date=total.price_date,
        amount=words.amount,
        covers=words.basis,
    )
