"""A fresh prompt_cache_key for the same prefix: each one starts with nothing to find."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.findings import Claim, Confidence
from cachewatch.analysis.requests.lineages import PRESUMED
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.statistics import Transition, transition
from cachewatch.analysis.requests.thresholds import (
    CHANCE,
    KEY_CHURN,
    KEY_CHURN_PLAIN,
    MIN_LINKED,
    MISS_AFTER,
    MISS_RATIO,
    RARE_FIRST_USES,
    RESTARTS,
    SCATTER_LIKELY,
    SCATTER_RATE,
    STRICT_CHANCE,
)
from cachewatch.analysis.requests.words import of, requests
from cachewatch.analysis.segments import Bools


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses of requests whose key no earlier request of the prefix had."""
    key, known = reads.batch.key, reads.batch.key >= 0
    if not known.any():
        return None
    # Where requests only seem to belong together, a new key may be a new prompt.
    fresh = reads.linked & reads.first_use(key) & (reads.kind != PRESUMED)
    explains = still_open & fresh
    table = transition(fresh, reads.miss, reads.linked & known)
    distinct, restarts = len(np.unique(key[known])), _restarts_agree(reads)
    churn = distinct / int(known.sum())
    if not explains.any() or not _fires(table, churn, restarts):
        return None
    return Claim(
        *("key-churn", _confidence(table, churn), explains),
        {
            "distinct_keys": distinct,
            "requests_with_key": int(known.sum()),
            "first_uses": table.changed,
            "misses_at_first_use": table.missed_changed,
            "reuses": table.same,
            "misses_at_reuse": table.missed_same,
            "restart_rule": restarts,
            "p": table.p,
        },
        _statement(reads, table, distinct, int(known.sum()), restarts=restarts),
        "It does not prove that a stable key alone brings every hit: which key each request should "
        "share is for the owner of the prompt to say.",
    )


def _fires(table: Transition, churn: float, restarts: bool) -> bool:
    follows = table.missed_changed >= table.missed_same
    reuse_helps = table.same < MIN_LINKED.default or (
        table.rate_same <= MISS_RATIO.default * table.rate_changed
    )
    often = churn >= KEY_CHURN.default or restarts or _plain(table)
    return follows and reuse_helps and often


def _plain(table: Transition) -> bool:
    """First uses of a key miss, reuses hit, and so many are first uses that misses are no exception."""
    many = table.missed_changed >= SCATTER_RATE.default * (table.changed + table.same)
    return many and table.rate_changed >= MISS_AFTER.default and table.p < STRICT_CHANCE.default


def _restarts_agree(reads: Reads) -> bool:
    """Requests that read nothing are the first uses of keys, one for one, and several times."""
    within = reads.groups.first_of(reads.batch.key)
    nothing = reads.low | ((reads.groups.position == 0) & (reads.cached == 0))
    starts = within & (reads.batch.key >= 0)
    if int(starts.sum()) < RESTARTS.default:
        return False
    return abs(int(nothing.sum()) - int(starts.sum())) <= 1 and bool(
        (nothing & starts).sum() >= starts.sum() - 1
    )


def _confidence(table: Transition, churn: float) -> Confidence:
    if table.missed_changed < RARE_FIRST_USES.default * (table.changed + table.same):
        return "possible"  # a key that changes now and then costs little, and may be meant
    if table.same >= MIN_LINKED.default and table.p < CHANCE.default:
        return "confirmed"
    many = table.changed >= SCATTER_LIKELY.default
    return "likely" if many and churn >= KEY_CHURN_PLAIN.default else "possible"


def _statement(
    reads: Reads, table: Transition, distinct: int, known: int, *, restarts: bool
) -> str:
    reuse = (
        f", {of(table.missed_same, table.same)} requests that repeat a key" if table.same else ""
    )
    rule = "; requests that read nothing are as many as keys that start" if restarts else ""
    reads_much = int((reads.high & reads.linked).sum())
    found = f"; {requests(reads_much)} read nearly all, so the prefix repeats" if reads_much else ""
    return (
        f"{requests(known)} that share their prefix carry {distinct:,} keys; "
        f"{of(table.missed_changed, table.changed)} first uses of a key miss{reuse}{rule}{found}."
    )
