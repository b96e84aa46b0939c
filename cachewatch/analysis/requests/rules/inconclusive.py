"""No cause and not healthy: what is there, and what would settle it."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.figures import percent
from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.findings import Finding
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.rules.healthy import ends_in_misses
from cachewatch.analysis.requests.statistics import wilson
from cachewatch.analysis.requests.thresholds import MIN_LINKED, SMALL_ARM
from cachewatch.analysis.requests.words import of, requests

_COLUMNS = {
    "session": "session",
    "prompt_cache_key": "key",
    "account": "account",
    "prefix_hash": "prefix hash",
    "timestamp": "time",
    "service_tier": "service tier",
}
_OPEN = "It proves nothing yet: neither a fault nor its absence."


def nothing_to_judge(batch: RequestBatch) -> Finding:
    """No request could be judged."""
    return Finding(
        *("inconclusive", "possible"),
        {"requests": len(batch), "linked": 0},
        f"None of {requests(len(batch))} can be judged.",
        _OPEN,
    )


def finding(reads: Reads) -> Finding:
    """What the log shows, with the interval of its full reads."""
    linked, full = int(reads.linked.sum()), int((reads.linked & ~reads.miss).sum())
    low, high = wilson(full, linked)
    streak = ends_in_misses(reads)
    return Finding(
        *("inconclusive", "possible"),
        {
            "requests": len(reads),
            "linked": linked,
            "full": full,
            "low": int(reads.low.sum()),
            "hit_interval_low": low,
            "hit_interval_high": high,
            "zero_streak": streak,
            "cold_first_calls": int((reads.groups.position == 0).sum()),
        },
        _statement(reads, linked, full, (low, high), streak=streak),
        _OPEN + _wanted(reads.batch),
    )


def _statement(
    reads: Reads, linked: int, full: int, interval: tuple[float, float], *, streak: bool
) -> str:
    if linked < MIN_LINKED.default:
        return (
            f"{requests(linked)} can be compared with an earlier one, too few for a cause; first "
            "calls are cold by rule."
        )
    seen = (
        f"{of(full, linked)} requests after the first read in full "
        f"({percent(interval[0])} to {percent(interval[1])})"
    )
    if streak and bool(np.any(reads.cached > 0)):
        return (
            f"{seen}, and the log ends in a streak of reads of next to nothing that never "
            "recovers: another machine or eviction, which only account, region or tier could tell."
        )
    small = "; n is small" if linked < SMALL_ARM.default else ""
    return f"{seen} and no pattern explains the others{small}."


def _wanted(batch: RequestBatch) -> str:
    missing = [word for column, word in _COLUMNS.items() if not batch.has(column)]
    return f" Columns that would help: {', '.join(missing)}." if missing else ""
