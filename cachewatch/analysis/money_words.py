"""Money as people read it: a range of dollars, `unpriced`, `N/A`, `none claimed`; never a false $0."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from cachewatch.analysis import figures
from cachewatch.analysis.avoidable import Avoidable, Range
from cachewatch.analysis.claims import (
    DENSE_SHARE,
    LINKED_SHARE,
    MIDDLE_SHARE,
    OWN_BEST,
    QUIET_SHARE,
    WRITE_PREMIUM,
)
from cachewatch.analysis.money_total import Total
from cachewatch.analysis.verdict_codes import FLAT_LOW, LOAD_FLAT, NO_CACHED, TOO_FEW
from cachewatch.analysis.vocabulary import prompt_size

UNPRICED = "unpriced"
NOT_KNOWN = "N/A"
NONE_CLAIMED = "none claimed"
BASIS_WORDS: Mapping[str, str] = {
    QUIET_SHARE: "low end: busy hours to the quiet share",
    MIDDLE_SHARE: "low end: busy hours to the share at middling load",
    LINKED_SHARE: "to the linked share",
    DENSE_SHARE: "to the share of its densest hours",
    OWN_BEST: "to its own best day",
    WRITE_PREMIUM: "write premium",
}
_OF_A_FALL = {QUIET_SHARE: "", MIDDLE_SHARE: ", as at middling load"}
_WITHOUT_BASELINE = {
    FLAT_LOW: "no better day to compare with",
    NO_CACHED: "no day with cached tokens to compare with",
}
_WHOLLY = 0.9995  # priced share shown as 100%


class MoneyWords(NamedTuple):
    """The figure, and what stands under it; "" where nothing does."""

    amount: str
    basis: str


def dollars(usd: float) -> str:
    """Whole dollars with commas, from ten dollars down with cents.

    >>> dollars(1051.2), dollars(9.996), dollars(3.2), dollars(0.004), dollars(0)
    ('$1,051', '$10', '$3.20', 'under $0.01', '$0')
    """
    if usd == 0:
        return "$0"
    if usd < 0.005:
        return "under $0.01"
    return f"${usd:,.0f}" if usd >= 9.995 else f"${usd:.2f}"


def dollar_range(usd: Range, *, is_up_to: bool = False) -> str:
    """Both ends; one figure where they read the same.

    >>> dollar_range((1051.2, 2300)), dollar_range((5, 5.001)), dollar_range((0, 70), is_up_to=True)
    ('$1,051 to $2,300', '$5.00', 'up to $70')
    """
    return _range(dollars(usd[0]), dollars(usd[1]), is_up_to)


def token_range(tokens: Range, *, is_up_to: bool = False) -> str:
    """The same for tokens.

    >>> token_range((1_200_000, 3_400_000))
    '1.20M to 3.40M tokens'
    """
    return _range(figures.tokens(tokens[0]), figures.tokens(tokens[1]), is_up_to) + " tokens"


def _range(low: str, high: str, is_up_to: bool) -> str:
    if is_up_to:
        return f"up to {high}"
    return high if low == high else f"{low} to {high}"


def money_words(
    claim: Avoidable | None, *, verdict: str, is_finding: bool, mean_input: float | None
) -> MoneyWords:
    """What the money column says of a series."""
    if claim is not None:
        return _claimed(claim)
    if is_finding:
        return MoneyWords(NOT_KNOWN, _WITHOUT_BASELINE.get(verdict, "no baseline"))
    if verdict == TOO_FEW:
        return MoneyWords(NOT_KNOWN, "no verdict")
    if verdict == LOAD_FLAT:
        return MoneyWords(NOT_KNOWN, "no quiet and busy hours to compare")
    if verdict == NO_CACHED:
        below = prompt_size(mean_input) == "below"
        return MoneyWords(NOT_KNOWN, "not eligible" if below else "eligibility not known")
    return MoneyWords(NONE_CLAIMED, "")


def _claimed(claim: Avoidable) -> MoneyWords:
    basis = _basis_words(claim)
    tokens = token_range(claim.tokens_per_week, is_up_to=claim.is_up_to)
    if claim.usd_per_week is None:
        return MoneyWords(UNPRICED, f"{basis}, {tokens}")
    if _is_partial(claim.priced_share):
        basis = f"{basis}, {figures.percent(claim.priced_share)} of the tokens priced"
    return MoneyWords(dollar_range(claim.usd_per_week, is_up_to=claim.is_up_to), basis)


def _basis_words(claim: Avoidable) -> str:
    """What the claim is held against; a fall names the share, since the high end goes beyond it."""
    if claim.basis in _OF_A_FALL and claim.reference_share is not None:
        share = figures.percent(claim.reference_share)
        return f"low end: busy hours to {share}{_OF_A_FALL[claim.basis]}"
    return BASIS_WORDS[claim.basis]


def price_note(claim: Avoidable) -> str:
    """Where the dollars come from: "$2.25 per 1M tokens, prices of 24 Nov 2026"."""
    if claim.usd_per_week is None or claim.price_date is None:
        return "no list price"
    priced = claim.tokens_per_week[1] * claim.priced_share
    rate = claim.usd_per_week[1] / priced * 1e6
    price = "under $0.01" if 0 < rate < 0.005 else f"${rate:,.2f}"
    return f"{price} per 1M tokens, prices of {_day(claim.price_date)}"


def total_words(total: Total) -> MoneyWords:
    """The strip of the overview: "$1,051 to $2,300", and what it covers."""
    parts = []
    if total.priced:
        parts.append(f"{total.priced:,} series priced")
    if total.unpriced:
        noun = "finding" if total.unpriced == 1 else "findings"
        parts.append(f"{total.unpriced:,} {noun} unpriced")
    if total.usd_per_week is not None and _is_partial(total.priced_share):
        parts.append(f"{figures.percent(total.priced_share or 0.0)} of the tokens priced")
    covered = ", ".join(parts)
    if total.price_date is not None:
        covered += f"; prices of {_day(total.price_date)}"
    return MoneyWords(_amount(total), covered)


def _amount(total: Total) -> str:
    if total.usd_per_week is not None:
        return dollar_range(total.usd_per_week, is_up_to=not total.usd_per_week[0])
    return UNPRICED if total.unpriced else NONE_CLAIMED


def _is_partial(priced_share: float | None) -> bool:
    return priced_share is not None and priced_share < _WHOLLY


def week_words(total: Total, largest_usd: float, largest: int, series: int) -> str:
    """The week in one sentence: how much is avoidable, and how concentrated it is.

    Args:
        total: of all claims, of which there is one at least.
        largest_usd: both ends, added up, of the largest claims.
        largest: how many those are.
        series: how many series there are in all.

    """
    claims, among = total.priced + total.unpriced, f"of {series:,} series"
    if total.usd_per_week is None:
        tokens = total.tokens_per_week or (0.0, 0.0)
        amount = token_range(tokens, is_up_to=not tokens[0])
        return f"{amount} a week avoidable in {claims:,} {among}, unpriced"
    # 0 where prices set by hand give cached tokens no discount.
    every_usd = sum(total.usd_per_week)
    part = largest_usd / every_usd if every_usd else 1.0
    if total.priced <= largest or part >= _WHOLLY:
        return f"{_amount(total)} a week avoidable in {total.priced:,} {among}"
    share = figures.percent(part)
    most = "nearly all" if share == "100%" else share
    return f"{_amount(total)} a week avoidable, {most} of it in {largest:,} {among}"


def _day(day: date) -> str:
    return f"{day.day} {day:%b %Y}"
