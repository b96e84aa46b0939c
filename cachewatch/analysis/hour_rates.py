"""Prices of hours as arrays, and what one avoidable token of an hour costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cachewatch.analysis.segments import Bools, Floats
from cachewatch.analysis.series import SeriesBatch

# Where a part's price is unknown. From GPT-5.6: reads cost a tenth of input, writes kept for 30
# minutes 1.25 times input (OpenAI's prompt caching guide, September 2026).
READ_FACTOR = 0.1
WRITE_FACTOR = 1.25


@dataclass(frozen=True, eq=False)
class HourRates:
    """USD per token of every hour of a batch, each float64 (N,); NaN where there is no price.

    Attributes:
        input_usd: fresh input.
        cached_usd: input read from the prompt cache.
        write_usd: input written to the prompt cache; NaN where writes cost nothing extra.

    """

    input_usd: Floats
    cached_usd: Floats
    write_usd: Floats

    @property
    def priced(self) -> Bools:
        """Where a saving can be stated: both the input and the cached price are known."""
        return ~(np.isnan(self.input_usd) | np.isnan(self.cached_usd))


def unpriced(hours: int) -> HourRates:
    """No price for any of so many hours."""
    unknown = np.full(hours, np.nan)
    return HourRates(unknown, unknown, unknown)


def saving_usd(rates: HourRates, batch: SeriesBatch) -> Floats:
    """What a token saves that is read instead of missed, USD, (N,); NaN where unpriced.

    Input price minus cached price. Where writes are billed, the part of the hour's missed tokens
    that was written would have cost the write price, and saves write price minus cached price
    (OpenAI's cost formula: ordinary + cached + write, each at its own price).
    """
    missed = np.nan_to_num(batch.input_tokens - batch.cached_tokens)
    written = np.minimum(np.nan_to_num(batch.cache_write_tokens), missed)
    part = np.divide(written, missed, out=np.zeros(len(missed)), where=missed > 0)
    return rates.input_usd - rates.cached_usd + part * premium_usd(rates)


def premium_usd(rates: HourRates) -> Floats:
    """What a written token costs above fresh input, USD, (N,); 0 where writes cost nothing extra."""
    return np.nan_to_num(rates.write_usd - rates.input_usd)


def reads_per_write(rates: HourRates) -> Floats:
    """How many tokens must be read back for each one written, to save what the write cost, (N,).

    (write - input) / (input - cached): 0.28 for writes kept 30 minutes, 1.67 for 12 hours.
    """
    known = (1 - READ_FACTOR) / (WRITE_FACTOR - 1)
    gain, cost = rates.input_usd - rates.cached_usd, premium_usd(rates)
    reads: Floats = np.full(len(gain), known)
    np.divide(gain, cost, out=reads, where=(cost > 0) & (gain > 0))
    return 1 / reads
