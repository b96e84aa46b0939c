"""The read falls back to an earlier point of the conversation and grows again: history was rewritten."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.findings import Claim
from cachewatch.analysis.requests.lineages import CONVERSATION
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.replicas import reads_of_older_calls
from cachewatch.analysis.requests.thresholds import (
    DISTINCT_LEVELS,
    RARE_RETURNS,
    REWRITES,
    REWRITES_PART,
    SAME_LEVEL,
    SCATTER_LIKELY,
    SHORTER,
)
from cachewatch.analysis.requests.words import of, requests
from cachewatch.analysis.segments import Bools
from cachewatch.analysis.thresholds import MINIMUM_TOKENS


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses that read an earlier level of their own conversation and are followed by growth."""
    talks = still_open & (reads.kind == CONVERSATION) & reads.grows
    shorter = talks & _shorter(reads)
    partial = talks & (reads.cached >= MINIMUM_TOKENS.default) & _grows_after(reads)
    returns = partial & _seen_as_hit(reads, partial)
    older = reads_of_older_calls(reads.batch, reads.groups, partial)
    sent = _sent_by_an_older_call(reads, partial)
    elsewhere = partial & ~returns & ~shorter & ~older & ~sent & ~reads.low
    values = reads.cached[elsewhere]
    if not len(values) or len(np.unique(values)) < DISTINCT_LEVELS.default * len(values):
        elsewhere = np.zeros(len(reads), dtype=bool)
    fallen = (returns | elsewhere) & ~shorter
    if int(fallen.sum()) < RARE_RETURNS.default * int(still_open.sum()):
        fallen[:] = False  # among many misses a few reads are equal to earlier ones by chance
    returns &= fallen | shorter
    explains = fallen | shorter
    known, drops = int((returns | shorter).sum()), int(explains.sum())
    alone = known > 0 and drops >= REWRITES_PART.default * int(still_open.sum())
    if drops < REWRITES.default and not alone:
        return None
    return Claim(
        "mid-history-divergence",
        "likely" if known >= REWRITES.default else "possible",
        explains,
        {
            "drops": drops,
            "to_an_earlier_read": int(returns.sum()),
            "after_shorter_input": int(shorter.sum()),
            "misses": int(reads.miss.sum()),
        },
        f"{of(drops, int(reads.miss.sum()))} misses fall back inside their own "
        f"conversation and grow again from there ({requests(int(returns.sum()))} to a read seen "
        f"before, {int(shorter.sum()):,} after the prompt got shorter).",
        "It does not prove what rewrote the history: an edit, another order and a compaction look "
        "the same here." + ("" if known >= SCATTER_LIKELY.default else " The count is small."),
    )


def _shorter(reads: Reads) -> Bools:
    before = reads.groups.previous()
    was = reads.batch.input_tokens[np.maximum(before, 0)]
    return (before >= 0) & (reads.batch.input_tokens < SHORTER.default * was)


def _grows_after(reads: Reads) -> Bools:
    """The next request of the lineage reads more."""
    after = reads.groups.following()
    return (after >= 0) & (reads.cached[np.maximum(after, 0)] > reads.cached)


def _seen_as_hit(reads: Reads, rows: Bools) -> Bools:
    """An earlier request of the lineage that was no miss read as much."""
    found = np.zeros(len(reads), dtype=bool)
    position, groups = reads.groups.position, reads.groups
    hit = reads.linked & ~reads.miss & (reads.cached > 0)
    for row in np.flatnonzero(rows):
        start = int(groups.starts[groups.ids[row]])
        earlier = groups.order[start : start + int(position[row])]
        apart = np.abs(reads.cached[earlier] - reads.cached[row])
        found[row] = bool((hit[earlier] & (apart < SAME_LEVEL.default)).any())
    return found


def _sent_by_an_older_call(reads: Reads, rows: Bools) -> Bools:
    """The read is the whole of what a call before the previous one sent, less a part of a step.

    On one machine the next call would have read as much too; only another one still ends there.
    """
    found = np.zeros(len(reads), dtype=bool)
    position, groups, inputs = reads.groups.position, reads.groups, reads.batch.input_tokens
    for row in np.flatnonzero(rows):
        start = int(groups.starts[groups.ids[row]])
        earlier = groups.order[start : start + int(position[row]) - 1]
        left = inputs[earlier] - reads.cached[row]
        found[row] = bool(((left >= 0) & (left < SAME_LEVEL.default)).any())
    return found
