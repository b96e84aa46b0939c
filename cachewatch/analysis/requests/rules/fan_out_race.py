"""Several requests start before the first has left anything to read; later ones of the burst hit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.requests.findings import Claim
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.thresholds import (
    BURST_GAP,
    LOW_READ,
    MIN_LINKED,
    RACE_LATER,
    RACE_MISSES,
    RACE_RATE,
    RACE_WINDOW,
)
from cachewatch.analysis.requests.words import of
from cachewatch.analysis.segments import Bools, Floats


class _Bursts(NamedTuple):
    first: Bools
    cold: Bools  # the first of the burst read next to nothing
    since_start: Floats


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses in the first seconds of bursts, where requests outside of them hit."""
    bursts = _bursts(reads)
    timed = reads.linked & ~np.isnan(bursts.since_start)
    racing = timed & bursts.cold & ~bursts.first & (bursts.since_start <= RACE_WINDOW.default)
    later = timed & ~racing & ~(bursts.first & bursts.cold)
    explains = still_open & racing
    missed, raced = int((reads.miss & racing).sum()), int(racing.sum())
    missed_later, calm = int((reads.miss & later).sum()), int(later.sum())
    if int(explains.sum()) < RACE_MISSES.default or missed < RACE_RATE.default * raced:
        return None
    starts = int((bursts.first & reads.groups.any(racing)).sum())
    proven = calm >= MIN_LINKED.default
    if missed_later > RACE_LATER.default * calm or not (proven or starts > 1):
        return None
    return Claim(
        *("fan-out-race", "likely" if proven else "possible", explains),
        {
            "window_seconds": RACE_WINDOW.default,
            "bursts": starts,
            "in_window": raced,
            "misses_in_window": missed,
            "later": calm,
            "misses_later": missed_later,
        },
        f"{of(missed, raced)} requests that start within {RACE_WINDOW.default:.0f} seconds of the "
        f"first of a burst miss; {of(missed_later, calm)} later ones do.",
        "It does not prove when the first answer could be read: the log has starts, not when an "
        "entry was ready. One call first, then the others, would tell.",
    )


def _bursts(reads: Reads) -> _Bursts:
    """The first request of each burst, what it read, and seconds since it; nan without times."""
    groups, time = reads.groups, reads.batch.time
    gap = reads.gap_seconds
    first = np.isnan(gap) | (gap > BURST_GAP.default)
    order = groups.order
    start_rows = order[np.maximum.accumulate(np.where(first[order], np.arange(len(time)), 0))]
    start = np.empty_like(start_rows)
    start[order] = start_rows
    unread = reads.cached <= LOW_READ.default * reads.batch.input_tokens
    return _Bursts(first, unread[start], time - time[start])
