"""What stands beside the findings: steps of the reads, keys, rates, pauses, the provider's word."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.diagnostics import diagnosed, same_structure
from cachewatch.analysis.requests.findings import Number
from cachewatch.analysis.requests.granularity import granularity_of
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.rules.key_too_hot import requests_a_minute


def facts_of(reads: Reads) -> dict[str, Number]:
    """Plain facts; None = the log cannot tell."""
    key, account = reads.batch.key, reads.batch.account
    gaps = reads.gap_seconds[~np.isnan(reads.gap_seconds)]
    rate = requests_a_minute(reads)
    told = diagnosed(reads.batch)
    return {
        "lineage": reads.by,
        "lineages": reads.groups.count,
        "cold_first_calls": int((reads.groups.position == 0).sum()),
        "granularity": granularity_of(reads.cached),
        "ceiling_share": _ceiling(reads),
        "distinct_reads": len(np.unique(reads.cached)),
        "replicas": int(reads.replicas.max(initial=1)),
        "distinct_keys": len(np.unique(key[key >= 0])) if (key >= 0).any() else None,
        "distinct_accounts": len(np.unique(account[account >= 0]))
        if (account >= 0).any()
        else None,
        "most_requests_a_minute_per_key": None if rate is None else int(rate.max()),
        "longest_pause_seconds": float(gaps.max()) if len(gaps) else None,
        "diagnosed_requests": int((reads.batch.diagnostics >= 0).sum()) if told else None,
        "same_structure_still_missed": int((same_structure(reads.batch) & reads.miss).sum())
        if told
        else None,
    }


def _ceiling(reads: Reads) -> float | None:
    """The largest share that steps of 128 tokens allow; None where reads do not come in them."""
    if granularity_of(reads.cached) not in ("128", "384 mod 512"):
        return None
    inputs = reads.batch.input_tokens
    return float((inputs // 128 * 128).sum() / inputs.sum())
