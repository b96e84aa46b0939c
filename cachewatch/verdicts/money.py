"""Claims of stored verdicts: made beside the verdict, kept in its columns, read back from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.conf import settings

from cachewatch.analysis.avoidable import Avoidable
from cachewatch.analysis.evidence import is_finding
from cachewatch.analysis.money_words import MoneyWords, money_words, price_note
from cachewatch.analysis.segments import Ints
from cachewatch.analysis.series import SeriesBatch
from cachewatch.money import BEST_OF_HOURS, Decided, Traffic, claims
from cachewatch.price_overrides import book_with
from cachewatch.verdicts.arrays import load_batch
from cachewatch.verdicts.models import Verdict

NO_CLAIM: dict[str, Any] = {
    "avoidable_tokens_low": None,
    "avoidable_tokens_high": None,
    "avoidable_usd_low": None,
    "avoidable_usd_high": None,
    "avoidable_basis": None,
    "reference_share": None,
    "price_date": None,
    "priced_share": None,
}


def claims_of(
    series_ids: Sequence[int], traffic: Traffic, decided: Sequence[Decided], end_hour: int
) -> list[Avoidable | None]:
    """What each stored series could save a week, at the prices in force.

    Args:
        series_ids: of the series of the traffic, in their order.
        traffic: the window that was classified.
        decided: what was decided about it.
        end_hour: the window's end; a level is held against the 28 days before it.

    """

    def past(places: Ints) -> SeriesBatch:
        ids = [series_ids[place] for place in places.tolist()]
        return load_batch(ids, end_hour - BEST_OF_HOURS, end_hour)

    return claims(traffic, decided, book_with(settings.PRICE_OVERRIDES), past)


def claim_columns(claim: Avoidable | None) -> dict[str, Any]:
    """A claim as columns of Verdict, whole tokens; one of less than half a token is none."""
    if claim is None or not round(claim.tokens_per_week[1]):
        return dict(NO_CLAIM)
    tokens, usd = claim.tokens_per_week, claim.usd_per_week or (None, None)
    return {
        "avoidable_tokens_low": round(tokens[0]),
        "avoidable_tokens_high": round(tokens[1]),
        "avoidable_usd_low": usd[0],
        "avoidable_usd_high": usd[1],
        "avoidable_basis": claim.basis,
        "reference_share": claim.reference_share,
        "price_date": claim.price_date,
        "priced_share": claim.priced_share,
    }


def claim_of(verdict: Verdict) -> Avoidable | None:
    """The claim that the columns of a verdict hold; None where nothing is claimed."""
    low, high = verdict.avoidable_tokens_low, verdict.avoidable_tokens_high
    if low is None or high is None or verdict.avoidable_basis is None:
        return None
    usd = verdict.avoidable_usd_low, verdict.avoidable_usd_high
    return Avoidable(
        tokens_per_week=(low, high),
        usd_per_week=None if usd[0] is None or usd[1] is None else (usd[0], usd[1]),
        basis=verdict.avoidable_basis,
        reference_share=verdict.reference_share,
        price_date=verdict.price_date,
        priced_share=verdict.priced_share or 0.0,
    )


class ShownMoney(NamedTuple):
    """The claim of a stored verdict, its words, and where the dollars come from ("" without any)."""

    claim: Avoidable | None
    words: MoneyWords
    note: str


def present_money(verdict: Verdict) -> ShownMoney:
    """What the money column says of a stored verdict."""
    claim, requests, tokens = claim_of(verdict), verdict.requests, verdict.input_tokens
    mean_input = tokens / requests if requests and tokens is not None else None
    finding = is_finding(verdict.code, mean_input, "full")
    words = money_words(claim, verdict=verdict.code, is_finding=finding, mean_input=mean_input)
    return ShownMoney(claim, words, "" if claim is None else price_note(claim))
