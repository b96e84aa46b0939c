"""The published rule's numbers and states, over whatever hours it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.hour_states import AFTER_GAP, UNKNOWN_BEFORE, USED
from cachewatch.analysis.load_split import LoadSplit, split_by_load
from cachewatch.analysis.rank_correlation import rank_correlation
from cachewatch.analysis.segments import Floats, Ints, ascending_order
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.share import HourNumbers, Pools, pool, pool_between
from cachewatch.analysis.thresholds import COLD_SHARE, MIN_COLD_HOURS, Thresholds


@dataclass(frozen=True, eq=False)
class LinkedHours:
    """The hours of n series whose previous hour had traffic.

    Attributes:
        hours: int64, ascending, their places in the batch.
        values: their numbers.
        pools: their totals.
        split: their quiet and busy third; its `third` is of shape (N,).
        rho: rank correlation of share and requests, (n,); NaN where undefined.
        load_order: int64, the places among them in ascending order of requests in each series.

    """

    hours: Ints
    values: HourNumbers
    pools: Pools
    split: LoadSplit
    rho: Floats
    load_order: Ints

    def same(self, hours: Ints, values: HourNumbers) -> bool:
        """Whether these places of the batch, with these numbers, are the same hours."""
        return np.array_equal(self.hours, hours) and all(
            np.array_equal(mine, theirs[hours])
            for mine, theirs in zip(self.values, values, strict=True)
        )


@dataclass(frozen=True, eq=False)
class RuleNumbers:
    """What the published rule reads, over n series.

    Attributes:
        counted: totals of all hours with known requests, input and cached tokens.
        cold: totals of the hours that follow an hour without traffic.
        linked_hours: those whose previous hour had traffic.
        state: int8 (n,), index into PUBLISHED_STATES.

    """

    counted: Pools
    cold: Pools
    linked_hours: LinkedHours
    state: NDArray[np.int8]

    @property
    def linked(self) -> Pools:
        """Totals of the linked hours."""
        return self.linked_hours.pools

    @property
    def split(self) -> LoadSplit:
        """The linked hours' quiet and busy third; its `third` is of shape (N,)."""
        return self.linked_hours.split

    @property
    def rho(self) -> Floats:
        """Rank correlation of share and requests over the linked hours; NaN where undefined."""
        return self.linked_hours.rho


def apply_rule(
    batch: SeriesBatch,
    values: HourNumbers,
    hour_state: NDArray[np.int8],
    thresholds: Sequence[Thresholds],
    known: LinkedHours | None = None,
) -> RuleNumbers:
    """The published rule's numbers and state of every series, from its used and cold hours.

    `known`: the linked hours of another reading of the same batch, taken where they are the same.
    """
    ids, count = batch.ids, len(batch)
    used, cold = hour_state == USED, hour_state == AFTER_GAP
    counted = used | cold | (hour_state == UNKNOWN_BEFORE)
    hours = np.flatnonzero(used)
    linked = known if known and known.same(hours, values) else _linked(batch, hours, values)
    everything, cold_pool = (pool(values, mask, ids, count) for mask in (counted, cold))
    state = _states(linked.pools, cold_pool, linked.split, linked.rho, thresholds)
    return RuleNumbers(everything, cold_pool, linked, state)


def _linked(batch: SeriesBatch, hours: Ints, values: HourNumbers) -> LinkedHours:
    """The numbers of the linked hours at these places of the batch."""
    linked_values = values.at(hours)
    offsets = np.searchsorted(hours, batch.offsets).astype(np.int64)
    order = ascending_order(linked_values.requests, offsets)
    split = split_by_load(linked_values, offsets, order)
    share = np.nan_to_num(linked_values.share, copy=False)
    rho = rank_correlation(linked_values.requests, share, offsets, load_order=order)
    third = np.zeros(len(batch.hour), dtype=np.int8)
    third[hours] = split.third
    pools = pool_between(linked_values, offsets)
    return LinkedHours(hours, linked_values, pools, split._replace(third=third), rho, order)


def _states(
    linked: Pools,
    cold: Pools,
    split: LoadSplit,
    rho: Floats,
    thresholds: Sequence[Thresholds],
) -> NDArray[np.int8]:
    """The first state of PUBLISHED_STATES whose condition holds; comparisons with NaN are false."""
    rho_floor, ratio_floor, quiet_floor, min_hours = _columns(thresholds)
    quiet, busy, overall = split.quiet.share, split.busy.share, linked.share
    conditions = [
        linked.hours < min_hours,
        overall <= 0,
        np.isnan(rho) | np.isnan(quiet) | np.isnan(busy),
        (rho <= rho_floor) & (quiet >= quiet_floor) & (busy <= quiet * ratio_floor),
        rho >= -rho_floor,
        (cold.share <= COLD_SHARE.default)
        & (overall >= quiet_floor)
        & (cold.hours >= MIN_COLD_HOURS.default),
        overall < quiet_floor,
    ]
    return np.select(conditions, range(len(conditions)), len(conditions)).astype(np.int8)


def _columns(thresholds: Sequence[Thresholds]) -> tuple[Floats, ...]:
    rows = [(t.rho_floor, t.ratio_floor, t.quiet_floor, t.min_hours) for t in thresholds]
    return tuple(np.array(rows, dtype=np.float64).reshape(-1, 4).T)
