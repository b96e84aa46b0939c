"""Misses come after a pause that is longer than an entry lives."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.requests.findings import Claim
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.statistics import Transition, transition
from cachewatch.analysis.requests.thresholds import (
    IDLE_MISSES,
    IDLE_RATE,
    LIFETIMES,
    LONG_PAUSE,
    MISS_RATIO,
    STRICT_CHANCE,
)
from cachewatch.analysis.requests.words import of
from cachewatch.analysis.segments import Bools

_SECONDS = 60


class _Split(NamedTuple):
    minutes: float
    table: Transition


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses after the pause that separates misses from hits best; one row is never enough."""
    gap = reads.gap_seconds
    timed = reads.linked & ~np.isnan(gap)
    splits = [
        _Split(one.default, transition(gap > one.default * _SECONDS, reads.miss, timed))
        for one in LIFETIMES
    ]
    fitting = [split for split in splits if _fits(split.table)]
    if not fitting:
        return _always_late(reads, still_open, splits)
    best = max(fitting, key=lambda split: split.table.rate_changed - split.table.rate_same)
    explains = still_open & timed & (gap > best.minutes * _SECONDS)
    if int(explains.sum()) < IDLE_MISSES.default:
        return None
    table = best.table
    return Claim(
        *("cold-after-idle", "likely", explains),
        {
            "gap_minutes": best.minutes,
            "after_gap": table.changed,
            "misses_after_gap": table.missed_changed,
            "without_gap": table.same,
            "misses_without_gap": table.missed_same,
            "longest_gap_that_hit_minutes": _longest_hit(reads),
            "p": table.p,
        },
        f"{of(table.missed_changed, table.changed)} requests that come more than "
        f"{best.minutes:.0f} minutes after the one before miss; of the others "
        f"{of(table.missed_same, table.same)}.",
        "It does not prove the lifetime of an entry: the limit was picked from a few usual ones, "
        "and what runs rarely may differ in other ways too.",
    )


def _always_late(reads: Reads, still_open: Bools, splits: list[_Split]) -> Claim | None:
    """Every request comes late and misses: there is none in time to compare with."""
    usual = [split for split in splits if split.minutes >= LONG_PAUSE.default]
    linked, missed = int(reads.linked.sum()), int(still_open.sum())
    found = [split for split in usual if split.table.changed == linked]
    if not found or missed < max(IDLE_MISSES.default, linked):
        return None
    minutes = found[-1].minutes
    return Claim(
        *("cold-after-idle", "possible", still_open),
        {"gap_minutes": minutes, "after_gap": missed, "misses_after_gap": missed, "without_gap": 0},
        f"All {missed:,} requests come more than {minutes:.0f} minutes after the one before, and "
        "all miss.",
        "It does not prove that they would hit sooner: no request comes in time to compare with.",
    )


def _fits(table: Transition) -> bool:
    enough = table.missed_changed >= IDLE_MISSES.default
    often = table.rate_changed >= IDLE_RATE.default
    apart = table.rate_same <= MISS_RATIO.default * table.rate_changed
    return enough and often and apart and table.p < STRICT_CHANCE.default


def _longest_hit(reads: Reads) -> float | None:
    gaps = reads.gap_seconds[reads.linked & ~reads.miss]
    gaps = gaps[~np.isnan(gaps)]
    return round(float(gaps.max()) / _SECONDS, 1) if len(gaps) else None
