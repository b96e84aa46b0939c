"""What a trial costs: at most before it, by its answers after it. At the day's prices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from cachewatch.analysis.cache_probe.calls import Trial
from cachewatch.analysis.cache_probe.reads import Read
from cachewatch.prices import Rates

# The made-up words are about a token each; a tokenizer may cut some in two.
MARGIN = Decimal("1.25")
BESIDE_TOKENS = 60  # the tail, roles, and what the provider adds


@dataclass(frozen=True)
class Budget:
    """`input_tokens`: about so many in all. `usd`: at most, for input; None = unpriced."""

    calls: int
    input_tokens: int
    usd: Decimal | None


def budget_of(trial: Trial, rates: Rates | None) -> Budget:
    """Before the trial: as if nothing were read from the cache, and all written where that costs."""
    tokens = trial.calls * (trial.static_tokens + BESIDE_TOKENS)
    if rates is None:
        return Budget(trial.calls, tokens, None)
    dearest = max(rates.input_usd, rates.write_30m_usd or Decimal(0))
    return Budget(trial.calls, tokens, tokens * dearest * MARGIN)


def cost_of(reads: Sequence[Read], rates: Rates | None) -> Decimal | None:
    """After it: fresh, read and written input; None = unpriced."""
    if rates is None:
        return None
    return sum((_of_one(read, rates) for read in reads), Decimal(0))


def _of_one(read: Read, rates: Rates) -> Decimal:
    cached, written = read.cached_tokens or 0, read.write_tokens or 0
    if rates.write_30m_usd is None:
        written = 0
    fresh = max(read.input_tokens - cached - written, 0)
    cached_usd = rates.input_usd if rates.cached_usd is None else rates.cached_usd
    return (
        fresh * rates.input_usd
        + cached * cached_usd
        + written * (rates.write_30m_usd or Decimal(0))
    )
