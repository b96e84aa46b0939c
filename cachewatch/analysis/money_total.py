"""The claims of many series together: their total, and which comes first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from cachewatch.analysis.avoidable import Avoidable, Range


@dataclass(frozen=True)
class Total:
    """Claims added up.

    `tokens_per_week` is None without any claim. `usd_per_week` covers the `priced` ones and is None
    where there is none; `unpriced` claims have no price at all. `priced_share` is the part of all
    tokens, at the high end, that has a price. `price_date` is the last day whose price was used.
    """

    tokens_per_week: Range | None
    usd_per_week: Range | None
    priced: int
    unpriced: int
    priced_share: float | None
    price_date: date | None


NOTHING = Total(None, None, 0, 0, None, None)


def total(claims: Iterable[Avoidable | None]) -> Total:
    """Add up the claims of many series; None is no claim."""
    made = [claim for claim in claims if claim is not None]
    if not made:
        return NOTHING
    usd = [claim.usd_per_week for claim in made if claim.usd_per_week is not None]
    tokens = _sum([claim.tokens_per_week for claim in made])
    with_price = sum(claim.tokens_per_week[1] * claim.priced_share for claim in made)
    days = [claim.price_date for claim in made if claim.price_date is not None]
    return Total(
        tokens_per_week=tokens,
        usd_per_week=_sum(usd) if usd else None,
        priced=len(usd),
        unpriced=len(made) - len(usd),
        priced_share=with_price / tokens[1],
        price_date=max(days, default=None),
    )


def _sum(ranges: Sequence[Range]) -> Range:
    return sum(low for low, _ in ranges), sum(high for _, high in ranges)


def money_order(claim: Avoidable | None, *, is_finding: bool) -> tuple[int, float]:
    """A key that sorts the most money first.

    By the middle of the range; unpriced claims after the priced ones, by tokens; then findings
    without a claim, then everything else.
    """
    if claim is None:
        return (2 if is_finding else 3), 0.0
    if claim.usd_per_week is None:
        return 1, -sum(claim.tokens_per_week)
    return 0, -sum(claim.usd_per_week)
