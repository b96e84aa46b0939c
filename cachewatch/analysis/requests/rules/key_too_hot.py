"""One key carries more requests a minute than one machine takes, and misses in those minutes."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.findings import Claim
from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.statistics import transition
from cachewatch.analysis.requests.thresholds import CHANCE, HOT_KEY, HOT_REQUESTS, MISS_RATIO
from cachewatch.analysis.requests.words import of
from cachewatch.analysis.segments import Bools, Ints

_SECONDS = 60


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses of a hot key in its hot minutes, where its calm minutes and other keys hit."""
    key = reads.batch.key
    rate = requests_a_minute(reads)
    if rate is None or not (rate > HOT_KEY.default).any():
        return None
    hot = rate > HOT_KEY.default
    of_hot_key = np.isin(key, np.unique(key[hot])) & (key >= 0)
    table = transition(hot, reads.miss, reads.linked & of_hot_key)
    others = reads.linked & (key >= 0) & ~of_hot_key
    elsewhere = int((reads.miss & others).sum()) / max(int(others.sum()), 1)
    enough = min(table.changed, table.same) >= HOT_REQUESTS.default
    apart = _apart(table.rate_changed, table.rate_same, elsewhere)
    explains = still_open & hot & reads.linked
    if not enough or not apart or table.p >= CHANCE.default or not explains.any():
        return None
    return Claim(
        *("key-too-hot", "likely", explains),
        {
            "keys": len(np.unique(key[hot])),
            "most_requests_a_minute": int(rate.max()),
            "hot": table.changed,
            "misses_hot": table.missed_changed,
            "calm": table.same,
            "misses_calm": table.missed_same,
            "miss_rate_other_keys": elsewhere,
            "p": table.p,
        },
        f"{of(table.missed_changed, table.changed)} requests miss in minutes with more than "
        f"{HOT_KEY.default:.0f} requests under one key (up to {int(rate.max()):,}), "
        f"{of(table.missed_same, table.same)} in its other minutes.",
        "It does not prove that shards help: where the key carries one hot prefix, a few machines "
        "warm up and then hit, and shards only make more entries.",
    )


def _apart(hot: float, calm: float, elsewhere: float) -> bool:
    """Hot minutes miss at least twice as often as calm ones and as other keys."""
    return hot > 0 and max(calm, elsewhere) <= MISS_RATIO.default * hot


def requests_a_minute(reads: Reads) -> Ints | None:
    """Requests of the same key in the same UTC minute, at each request; None without key or time."""
    key, time = reads.batch.key, reads.batch.time
    if not (key >= 0).any() or np.isnan(time).all():
        return None
    minute = np.where(np.isnan(time), -1, np.nan_to_num(time) // _SECONDS).astype(np.int64)
    minute = np.unique(minute, return_inverse=True)[1].astype(np.int64)
    same = groups_of(key, minute)
    rate = same.sizes[same.ids]
    return np.where((key >= 0) & ~np.isnan(time), rate, 0)
