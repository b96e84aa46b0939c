"""Long prompts miss and shorter ones keep hitting: long entries do not stay."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.findings import Claim
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.statistics import transition
from cachewatch.analysis.requests.thresholds import (
    SIZE_AFTER,
    SIZE_AGREE,
    SIZE_ROWS,
    STRICT_CHANCE,
)
from cachewatch.analysis.requests.words import of, size
from cachewatch.analysis.segments import Bools


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses above the size that separates them from hits, where smaller requests hit afterwards."""
    limit = _limit(reads)
    if limit is None:
        return None
    above = reads.linked & (reads.batch.input_tokens > limit)
    table = transition(above, reads.low, reads.linked)
    onset = int(np.flatnonzero(above & reads.low)[0])
    hits = reads.linked & ~reads.miss & ~above
    hits_after = int(hits[onset:].sum())
    if not _fits(table.rate_changed, table.rate_same) or table.p >= STRICT_CHANCE.default:
        return None
    if hits_after < SIZE_AFTER.default or not (still_open & above).any():
        return None
    explains = still_open & above
    known = bool((explains & ~reads.loose).any())
    return Claim(
        *("size-correlated-eviction", "likely" if known else "possible", explains),
        {
            "size_tokens": limit,
            "above": table.changed,
            "misses_above": table.missed_changed,
            "below": table.same,
            "misses_below": table.missed_same,
            "hits_below_after_first_miss": hits_after,
            "p": table.p,
        },
        f"{of(table.missed_changed, table.changed)} requests above {size(limit)} read next to "
        f"nothing, {of(table.missed_same, table.same)} below; {hits_after:,} smaller ones hit after "
        "the first such miss.",
        "It does not prove eviction: long prompts may also be built in another way"
        + ("" if known else ", and prompts that are sent once look the same")
        + ". It speaks against the key, which is the same for both.",
    )


def _fits(rate_above: float, rate_below: float) -> bool:
    return rate_above >= SIZE_AGREE.default and rate_below <= 1 - SIZE_AGREE.default


def _limit(reads: Reads) -> float | None:
    """The size with the largest difference of miss rates above and below it."""
    inputs, low = reads.batch.input_tokens[reads.linked], reads.low[reads.linked]
    order = np.argsort(inputs, kind="stable")
    inputs, low = inputs[order], low[order]
    rows, least = len(inputs), int(SIZE_ROWS.default)
    if rows < 2 * least or not low.any():
        return None
    below = np.cumsum(low) / np.arange(1, rows + 1)
    above = (low.sum() - np.cumsum(low)) / np.maximum(rows - np.arange(1, rows + 1), 1)
    apart = above - below
    apart[: least - 1], apart[rows - least :] = -1, -1
    apart[:-1][np.diff(inputs) == 0] = -1
    return float(inputs[int(apart.argmax())]) if apart.max() > 0 else None
