"""The claims of many series together: their total, and which comes first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from cachewatch.analysis.avoidable import Avoidable, Range


@dataclass(frozen=True)
class Total:
    """Claims added up.

    `usd_per_week` covers the `priced` ones and is None where there is none; `unpriced` claims have
    no price at all. `price_date` is the last day whose price was used.
    """

    usd_per_week: Range | None
    priced: int
    unpriced: int
    price_date: date | None


def total(claims: Iterable[Avoidable | None]) -> Total:
    """Add up the claims of many series; None is no claim."""
    made = [claim for claim in claims if claim is not None]
    ranges = [claim.usd_per_week for claim in made if claim.usd_per_week is not None]
    usd = (sum(low for low, _ in ranges), sum(high for _, high in ranges)) if ranges else None
    days = [claim.price_date for claim in made if claim.price_date is not None]
    return Total(usd, len(ranges), len(made) - len(ranges), max(days, default=None))


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
