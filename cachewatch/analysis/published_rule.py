"""The published rule's numbers and states, over whatever hours it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.hour_states import AFTER_GAP, UNKNOWN_BEFORE, USED
from cachewatch.analysis.load_split import LoadSplit, split_by_load
from cachewatch.analysis.rank_correlation import rank_correlation
from cachewatch.analysis.segments import Floats, offsets_of
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.share import HourNumbers, Pools, pool
from cachewatch.analysis.thresholds import COLD_SHARE, MIN_COLD_HOURS, Thresholds


@dataclass(frozen=True, eq=False)
class RuleNumbers:
    """What the published rule reads, over n series.

    Attributes:
        counted: totals of all hours with known requests, input and cached tokens.
        linked: totals of the hours whose previous hour had traffic.
        cold: totals of the hours that follow an hour without traffic.
        split: the linked hours' quiet and busy third; its `third` is of shape (N,) again.
        rho: rank correlation of share and requests over the linked hours; NaN where undefined.
        state: int8 (n,), index into PUBLISHED_STATES.

    """

    counted: Pools
    linked: Pools
    cold: Pools
    split: LoadSplit
    rho: Floats
    state: NDArray[np.int8]


def apply_rule(
    batch: SeriesBatch,
    values: HourNumbers,
    hour_state: NDArray[np.int8],
    thresholds: Sequence[Thresholds],
) -> RuleNumbers:
    """The published rule's numbers and state of every series, from its used and cold hours."""
    ids, count = batch.ids, len(batch)
    used, cold = hour_state == USED, hour_state == AFTER_GAP
    counted = used | cold | (hour_state == UNKNOWN_BEFORE)
    linked_values, linked_ids = values.at(used), ids[used]
    offsets = offsets_of(linked_ids, count)
    split = split_by_load(linked_values, offsets)
    rho = rank_correlation(linked_values.requests, np.nan_to_num(linked_values.share), offsets)
    third = np.zeros(len(ids), dtype=np.int8)
    third[used] = split.third
    everything, linked, cold_pool = (
        pool(values, mask, ids, count) for mask in (counted, used, cold)
    )
    state = _states(linked, cold_pool, split, rho, thresholds)
    return RuleNumbers(everything, linked, cold_pool, split._replace(third=third), rho, state)


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
