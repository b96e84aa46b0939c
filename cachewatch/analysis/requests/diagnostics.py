"""The provider's own word on a miss: nine reasons. None of them is routing."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.findings import Cause, Claim, Number
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.words import requests
from cachewatch.analysis.segments import Bools

REASONS: dict[str, Cause] = {
    "model_changed": "request-shape-change",
    "tools_changed": "request-shape-change",
    "text_format_changed": "request-shape-change",
    "reasoning_effort_changed": "request-shape-change",
    "verbosity_changed": "request-shape-change",
    "service_tier_changed": "request-shape-change",
    "prompt_cache_key_changed": "key-churn",
    "context_compacted": "mid-history-divergence",
    "input_changed": "mid-history-divergence",
}
SAME_STRUCTURE = ("cache_hit", "cache_miss")


def diagnosed(batch: RequestBatch) -> bool:
    """Whether the log carries the provider's diagnostics."""
    return bool((batch.diagnostics >= 0).any())


def same_structure(batch: RequestBatch) -> Bools:
    """Requests that the provider compared without finding a change; (n,)."""
    return _named(batch, SAME_STRUCTURE)


def claims(reads: Reads, still_open: Bools) -> list[Claim]:
    """One claim per cause that the provider names, of misses with that reason."""
    found = []
    for cause in dict.fromkeys(REASONS.values()):
        names = [name for name, of_cause in REASONS.items() if of_cause == cause]
        rows = still_open & _named(reads.batch, names)
        if rows.any():
            found.append(_claim(reads, cause, rows))
    return found


def _claim(reads: Reads, cause: Cause, rows: Bools) -> Claim:
    codes, counts = np.unique(reads.batch.diagnostics[rows], return_counts=True)
    named = {
        reads.batch.diagnostics_names[code]: int(n)
        for code, n in zip(codes.tolist(), counts.tolist(), strict=True)
    }
    numbers: dict[str, Number] = {"diagnosed": int(rows.sum()), **named}
    words = ", ".join(f"{name} {n:,}" for name, n in sorted(named.items(), key=lambda one: -one[1]))
    return Claim(
        *(cause, "confirmed", rows, numbers),
        f"The provider's diagnostics name the reason of {requests(int(rows.sum()))}: {words}.",
        "It does not prove which part of the program made the change; the provider compares with "
        "one earlier response only.",
    )


def _named(batch: RequestBatch, names: tuple[str, ...] | list[str]) -> Bools:
    codes = [code for code, name in enumerate(batch.diagnostics_names) if name in names]
    return np.isin(batch.diagnostics, codes)
