"""The published rule over a batch of series, and the hygiene that `full` puts before it.

Published: every hour counts as it stands, a missing value is zero. Full: settled hours only;
hours whose cached tokens are not reported stay for linking but enter no share and no rank; an
hour without requests or input is never a zero share; after an hour that was not read nothing is
known. Each left-out hour is counted under its reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.load_split import LoadSplit, split_by_load
from cachewatch.analysis.rank_correlation import rank_correlation
from cachewatch.analysis.segments import Bools, Floats, Ints, offsets_of
from cachewatch.analysis.series import SeriesBatch, follows
from cachewatch.analysis.share import HourNumbers, Pools, pool
from cachewatch.analysis.thresholds import COLD_SHARE, DEFAULTS, MIN_COLD_HOURS, Thresholds

Rules = Literal["full", "published"]
RULES_VERSION = "published-rule-1"

TOO_FEW = "too-few-linked-hours"
NO_CACHED = "no-cached-tokens"
LOAD_FLAT = "load-does-not-vary"
SCATTER = "load-correlated-misses"
RISES = "share-rises-with-load"
COLD = "cold-only-after-idle"
FLAT_LOW = "flat-low-share"
HEALTHY = "healthy"
MIX_SHIFT = "mix-shift"
LEVEL_SHIFT = "level-shift-mid-window"
SPARSE = "sparse-traffic-retention"
INCONCLUSIVE = "inconclusive"
# In the order in which the published rule tries them.
PUBLISHED_STATES = (TOO_FEW, NO_CACHED, LOAD_FLAT, SCATTER, RISES, COLD, FLAT_LOW, HEALTHY)
VERDICTS = (*PUBLISHED_STATES, MIX_SHIFT, LEVEL_SHIFT, SPARSE, INCONCLUSIVE)

HOUR_STATES = (
    "used",
    "after_gap",
    "unknown_before",
    "settling",
    "no_traffic",
    "no_input",
    "no_requests",
    "not_reported",
)
USED, AFTER_GAP, UNKNOWN_BEFORE, SETTLING, NO_TRAFFIC, NO_INPUT, NO_REQUESTS, NOT_REPORTED = range(
    8
)


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


@dataclass(frozen=True, eq=False)
class Classification:
    """The verdicts of a batch.

    Attributes:
        batch: what was classified.
        rules: "full" or "published".
        thresholds: one per series.
        numbers: of the rules in force; `numbers.state` is the verdict.
        published: of the published rule alone, over the settled hours of the same window (over
            all hours under rules="published", where it equals `numbers`).
        hour_state: int8 (N,), index into HOUR_STATES, under the rules in force.
        clipped_hours: hours of the window that were known only in part and left out by the reader.

    """

    batch: SeriesBatch
    rules: Rules
    thresholds: Sequence[Thresholds]
    numbers: RuleNumbers
    published: RuleNumbers
    hour_state: NDArray[np.int8]
    clipped_hours: int

    @cached_property
    def hour_counts(self) -> Ints:
        """How many hours of each series are in each hour state, shape (n, len(HOUR_STATES))."""
        width = len(HOUR_STATES)
        cells = self.batch.ids * width + self.hour_state
        return np.bincount(cells, minlength=len(self.batch) * width).reshape(-1, width)

    def verdict(self, index: int) -> str:
        """The verdict's code for one series."""
        return PUBLISHED_STATES[self.numbers.state[index]]


def classify(
    batch: SeriesBatch,
    thresholds: Thresholds | Sequence[Thresholds] = DEFAULTS,
    *,
    rules: Rules = "full",
    clipped_hours: int = 0,
) -> Classification:
    """Give every series of the batch its verdict.

    Args:
        batch: the hours of one window; hours outside it must not be in.
        thresholds: for all series, or one for each.
        rules: "full" (with hygiene) or "published".
        clipped_hours: passed through to the evidence.

    """
    per_series = [thresholds] * len(batch) if isinstance(thresholds, Thresholds) else thresholds
    if len(per_series) != len(batch):
        raise ValueError(f"{len(per_series)} thresholds for {len(batch)} series")
    if rules == "published":
        states = published_hour_states(batch, np.ones(len(batch.hour), dtype=bool))
        numbers = published = apply_rule(batch, batch.reported, states, per_series)
    else:
        states = full_hour_states(batch)
        numbers = apply_rule(batch, batch.numbers, states, per_series)
        settled = published_hour_states(batch, batch.settled)
        published = apply_rule(batch, batch.reported, settled, per_series)
    return Classification(batch, rules, per_series, numbers, published, states, clipped_hours)


def published_hour_states(batch: SeriesBatch, counts: Bools) -> NDArray[np.int8]:
    """USED or AFTER_GAP for the hours with traffic that count, as the published rule has it.

    An hour that was not read is idle here, and so is the hour before the window.
    """
    active = batch.had_traffic & counts
    states = np.where(follows(batch, active), USED, AFTER_GAP)
    chosen: Ints = np.select([active, counts], [states, NO_TRAFFIC], SETTLING)
    return chosen.astype(np.int8)


def full_hour_states(batch: SeriesBatch) -> NDArray[np.int8]:
    """Why each hour is used or left out under `full`; the first reason that holds is the one."""
    reasons = [
        (~batch.settled, SETTLING),
        ((batch.requests == 0) & (batch.input_tokens == 0), NO_TRAFFIC),
        (~(batch.requests > 0), NO_REQUESTS),
        (~(batch.input_tokens > 0), NO_INPUT),
        (np.isnan(batch.cached_tokens), NOT_REPORTED),
        (~batch.known_before, UNKNOWN_BEFORE),
        (~follows(batch, batch.had_traffic), AFTER_GAP),
    ]
    masks, codes = zip(*reasons, strict=True)
    chosen: Ints = np.select(masks, codes, USED)
    return chosen.astype(np.int8)


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
