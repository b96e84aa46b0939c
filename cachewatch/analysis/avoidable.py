"""Avoidable tokens and dollars a week: a range per series, for findings only.

The low end counts the busiest third of the affected hours against the reference share; the high
end counts all of them against the most that the numbers allow. Sums are signed over all hours and
parts of a series and clipped once, at its total: clipped hour by hour, noise would be money.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import day_of_hour
from cachewatch.analysis.claims import (
    OWN_BEST,
    QUIET_SHARE,
    UP_TO,
    WRITE_PREMIUM,
    Asked,
    Loads,
    loads_of,
    mark_hours,
)
from cachewatch.analysis.hour_rates import (
    HourRates,
    premium_usd,
    reads_per_write,
    saving_usd,
    unpriced,
)
from cachewatch.analysis.part_sums import Parts, PartSums
from cachewatch.analysis.reference_shares import most_allowed, reference_shares
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.thresholds import CLAIM_POINTS

HOURS_PER_WEEK = 168
Range = tuple[float, float]


@dataclass(frozen=True)
class Avoidable:
    """What a finding costs in a week, as a range.

    Attributes:
        tokens_per_week: input tokens that could have been read from the prompt cache, low and high
            end; for a write premium the tokens that were written in vain.
        usd_per_week: what their priced part costs, USD; None where no hour has a price.
        basis: what the low end is held against: a value of claims.BASES, the share at middling load
            where that is the reference of a fall, or "write premium".
        reference_share: that share, pooled, 0..1; None for a write premium.
        price_date: the last day whose price was used; None where unpriced.
        priced_share: part of the tokens that has a price, 0..1.

    """

    tokens_per_week: Range
    usd_per_week: Range | None
    basis: str
    reference_share: float | None
    price_date: date | None
    priced_share: float

    @property
    def is_up_to(self) -> bool:
        """Whether this is a level that might be had again, not a loss that was measured."""
        return self.basis in UP_TO

    def as_json(self) -> dict[str, Any]:
        """Whole tokens, dollars to the cent, shares to four digits, the day as YYYY-MM-DD."""
        usd, share = self.usd_per_week, self.reference_share
        return {
            "tokens_per_week": [round(end) for end in self.tokens_per_week],
            "usd_per_week": None if usd is None else [round(end, 2) for end in usd],
            "basis": self.basis,
            "reference_share": None if share is None else round(share, 4),
            "price_date": None if self.price_date is None else self.price_date.isoformat(),
            "priced_share": round(self.priced_share, 4),
        }


def avoidable(
    batch: SeriesBatch, asked: Asked, *, parts: Parts | None = None, rates: HourRates | None = None
) -> list[Avoidable | None]:
    """What could be saved a week, per series; None where nothing is claimed.

    Nothing is claimed without a finding, without a reference, or where less than four points lie
    between the reference and the share of the hours. A window that is no week is scaled to one.

    Args:
        batch: the hours of n series; where a verdict is about a cell, that cell's hours.
        asked: the verdicts.
        parts: their cells, so that a change of the mix is not taken for a loss; None: whole series.
        rates: of the hours of the parts (of the batch, without parts); None: unpriced.

    """
    parts = parts or Parts(batch, np.arange(len(batch), dtype=np.int64))
    rates = rates or unpriced(len(parts.hours.hour))
    bases = asked.bases
    marks, named = mark_hours(batch, asked, bases)
    sums = PartSums(batch, parts, marks)
    premium = _having(bases, WRITE_PREMIUM)
    saved = _tokens(sums, loads_of(batch, marks), asked, bases)
    written = _written_in_vain(sums, rates)
    tokens = _Tokens(*(np.where(premium, w, s) for w, s in zip(written, saved, strict=True)))
    money = _money(sums, rates, premium)
    weeks = (asked.end_hour - asked.first_hour) / HOURS_PER_WEEK
    return [
        None if basis is None else _claim(basis, tokens.one(k), money.one(k), float(weeks[k]))
        for k, basis in enumerate(named)
    ]


class _Tokens(NamedTuple):
    """Tokens of the window and the pooled reference share, each (n,)."""

    low: Floats
    high: Floats
    share: Floats

    def one(self, index: int) -> tuple[float, float, float]:
        low, high, share = (float(values[index]) for values in self)
        return low, high, share


class _Money(NamedTuple):
    """Price of a token at the low and the high end, priced part, last priced day; each (n,)."""

    low_usd: Floats
    high_usd: Floats
    priced: Floats
    last_hour: Ints

    def one(self, index: int) -> tuple[float, float, float, int]:
        low, high, priced = (float(values[index]) for values in self[:3])
        return low, high, priced, int(self.last_hour[index])


def _having(bases: Sequence[str | None], *wanted: str) -> Bools:
    return np.array([basis in wanted for basis in bases], dtype=bool)


def _tokens(sums: PartSums, loads: Loads, asked: Asked, bases: Sequence[str | None]) -> _Tokens:
    """Signed sums against the reference, clipped at the series' total; 0 below the four points."""
    reference = reference_shares(sums, _having(bases, OWN_BEST), asked.best_share)
    falls = _having(bases, QUIET_SHARE)[sums.series]
    most = np.where(falls, most_allowed(sums, loads, reference), reference)
    some, every = sums.pooled(sums.marks.low), sums.pooled(sums.marks.high)
    low = sums.by_series(reference * some.input_tokens - some.cached_tokens)
    high = sums.by_series(most * every.input_tokens - every.cached_tokens)
    held = sums.by_series(np.where(np.isnan(reference), 0.0, some.input_tokens))
    clear = (held > 0) & (low >= CLAIM_POINTS.default * held)
    high = np.where(clear, np.maximum(low, high), 0.0)
    low = np.where(clear & ~_having(bases, *UP_TO), np.maximum(low, 0.0), 0.0)
    return _Tokens(low, high, ratio(sums.by_series(reference * some.input_tokens), held))


def _written_in_vain(sums: PartSums, rates: HourRates) -> _Tokens:
    """Written tokens beyond what reads paid for, and all written tokens.

    With caching off the writes would have been plain input and the reads too: what is lost
    against that is (written - read / reads per write) x (write price - input price).
    """
    written = np.nan_to_num(sums.hours.cache_write_tokens)
    paid = np.nan_to_num(sums.hours.cached_tokens) / reads_per_write(rates)
    low = sums.by_series(sums.of(written - paid, sums.marks.high))
    high = sums.by_series(sums.of(written, sums.marks.high))
    return _Tokens(np.maximum(low, 0.0), np.where(low > 0, high, 0.0), np.full(len(low), np.nan))


def _money(sums: PartSums, rates: HourRates, premium: Bools) -> _Money:
    """Mean price of the missed (or written) tokens of each end's hours, an unpriced one as 0."""
    by_hour = premium[sums.owner]
    missed = np.nan_to_num(sums.hours.input_tokens - sums.hours.cached_tokens)
    tokens = np.where(by_hour, np.nan_to_num(sums.hours.cache_write_tokens), missed)
    value = np.where(by_hour, premium_usd(rates), saving_usd(rates, sums.hours))
    priced = rates.priced & ~np.isnan(value)
    ends = [
        ratio(_total(sums, tokens * np.where(priced, value, 0.0), mask), _total(sums, tokens, mask))
        for mask in (sums.marks.low, sums.marks.high)
    ]
    part = ratio(
        _total(sums, tokens * priced, sums.marks.high), _total(sums, tokens, sums.marks.high)
    )
    counted = sums.marks.high & priced & (tokens > 0)
    last = np.full(len(premium), -1, dtype=np.int64)
    np.maximum.at(last, sums.owner[counted], sums.hours.hour[counted])
    return _Money(ends[0], ends[1], part, last)


def _total(sums: PartSums, values: Floats, mask: Bools) -> Floats:
    return sums.by_series(sums.of(values, mask))


def _claim(
    basis: str,
    tokens: tuple[float, float, float],
    money: tuple[float, float, float, int],
    weeks: float,
) -> Avoidable | None:
    low, high, share = tokens
    if not high > 0 or weeks <= 0:
        return None
    low_usd, high_usd, priced, last_hour = money
    ends = sorted((low * low_usd / weeks if low else 0.0, high * high_usd / weeks))
    return Avoidable(
        tokens_per_week=(low / weeks, high / weeks),
        usd_per_week=None if last_hour < 0 else (ends[0], ends[1]),
        basis=basis,
        reference_share=None if np.isnan(share) else share,
        price_date=None if last_hour < 0 else day_of_hour(last_hour),
        priced_share=0.0 if last_hour < 0 else priced,
    )
