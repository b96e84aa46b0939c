"""Entries that expire: hours that are cold after a gap, and traffic too sparse to stay warm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import Generation
from cachewatch.analysis.equal_load import grouped_median
from cachewatch.analysis.hour_states import AFTER_GAP, HOUR_STATES, UNKNOWN_BEFORE, USED
from cachewatch.analysis.rank_correlation import rank_correlation
from cachewatch.analysis.reading import Reading
from cachewatch.analysis.segments import Bools, Floats, Ints, offsets_of, ratio, segment_counts
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.thresholds import (
    COLD_HOURS_AGREE,
    COLD_LINKED_HOURS,
    COLD_POINTS,
    COLD_RATIO,
    COLD_WASTE,
    MIN_COLD_HOURS,
    MINIMUM_TOKENS,
    SPARSE_BUSY,
    SPARSE_RHO,
    SPARSE_SHARE,
    SPARSE_VISITS,
    SPARSE_ZERO,
)

MINUTES_PER_HOUR = 60.0


class Cold(NamedTuple):
    """Hours after a gap against linked hours, each (n,).

    Attributes:
        agree: part of the cold hours that are low.
        wasted: input lost in them as a part of all input.
        yes: they are cold, and it costs.

    """

    agree: Floats
    wasted: Floats
    yes: Bools


class Sparse(NamedTuple):
    """Rates against an entry's lifetime, each (n,).

    Attributes:
        rate: requests in the median hour.
        limit: requests an hour below which an entry is not surely read again before it expires.
        rho: rank correlation of share and load over all hours, of what is sparse and reads little;
            0 elsewhere, and where undefined.
        certain: sparse at every load, and next to nothing is read, or more is the denser it gets.
        unsure: as sparse, but the share says neither.

    """

    rate: Floats
    limit: Floats
    rho: Floats
    certain: Bools
    unsure: Bools


def counted_hours(reading: Reading) -> Bools:
    """Hours with known requests, input and cached tokens, linked or not, (N,)."""
    is_counted = np.zeros(len(HOUR_STATES), dtype=bool)
    is_counted[[USED, AFTER_GAP, UNKNOWN_BEFORE]] = True
    counted: Bools = is_counted[reading.hour_state]
    return counted


def cold_hours(reading: Reading, floor: Floats) -> Cold:
    """Test the hours after a gap. `floor` (n,) is the linked share from which a loss is a loss."""
    numbers, batch = reading.numbers, reading.batch
    linked, cold = numbers.linked.share, numbers.cold.share
    is_cold = reading.hour_state == AFTER_GAP
    share = ratio(batch.cached_tokens, batch.input_tokens)
    low = is_cold & (share <= COLD_RATIO.default * linked[batch.ids])
    hours = numbers.cold.hours
    agree = ratio(segment_counts(low, batch.ids, len(batch)).astype(float), hours.astype(float))
    wasted = ratio((linked - cold) * numbers.cold.input_tokens, numbers.counted.input_tokens)
    yes = (hours >= MIN_COLD_HOURS.default) & (linked >= floor)
    yes &= numbers.linked.hours >= COLD_LINKED_HOURS.default
    yes &= (cold <= COLD_RATIO.default * linked) & (linked - cold >= COLD_POINTS.default)
    yes &= (agree >= COLD_HOURS_AGREE.default) & (wasted >= COLD_WASTE.default)
    return Cold(agree, wasted, yes)


def sparse_rate(generation: Generation) -> float:
    """Requests an hour that bring SPARSE_VISITS requests within an entry's usual lifetime."""
    return SPARSE_VISITS.default * MINUTES_PER_HOUR / float(np.mean(generation.lifetime.usual))


def sparse_traffic(
    reading: Reading, generations: Sequence[Generation], busy_rate: Floats
) -> Sparse:
    """Test the rate of every series against its model's lifetime.

    `busy_rate` (n,): requests an hour in the busy thirds; NaN where there is none.
    """
    batch, counted = reading.batch, np.flatnonzero(counted_hours(reading))
    rate = grouped_median(batch.requests[counted], batch.ids[counted], len(batch))
    rates = {id(one): sparse_rate(one) for one in {id(one): one for one in generations}.values()}
    limit = np.array([rates[id(one)] for one in generations])
    totals = reading.numbers.counted
    long_enough = ratio(totals.input_tokens, totals.requests) >= MINIMUM_TOKENS.default
    candidate = (rate <= limit) & long_enough & (totals.share <= SPARSE_SHARE.default)
    always = np.fmax(busy_rate, rate) <= SPARSE_BUSY.default * limit
    rho = _rank_correlations(batch, counted, candidate)
    rises = rho >= SPARSE_RHO.default
    certain = candidate & ((always & (totals.share <= SPARSE_ZERO.default)) | rises)
    certain &= (totals.share > 0) | always
    return Sparse(rate, limit, rho, certain, candidate & always & ~certain)


def _rank_correlations(batch: SeriesBatch, hours: Ints, series: Bools) -> Floats:
    """Of share and load over these hours of the marked series, (n,); 0 elsewhere or undefined."""
    hours = hours[series[batch.ids[hours]]]
    share = ratio(batch.cached_tokens[hours], batch.input_tokens[hours])
    offsets = offsets_of(batch.ids[hours], len(batch))
    return np.nan_to_num(rank_correlation(batch.requests[hours], share, offsets))
