"""Cached tokens that are absent, made up, or zero on every request: look at the parser first."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.findings import Claim, Finding
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.thresholds import ALWAYS_ZERO, PRESUMED_REQUESTS
from cachewatch.analysis.requests.usable import Usable
from cachewatch.analysis.requests.words import of, requests, size
from cachewatch.analysis.segments import Bools

_OPEN = (
    "It does not prove that the prompt cache failed: a parser or gateway that drops or invents the "
    "field looks the same. Check one raw answer of the provider."
)


def finding(batch: RequestBatch, sorted_out: Usable) -> Finding | None:
    """Requests without a cached count, or with zeros on exactly the streamed ones."""
    absent, invented = int(sorted_out.unreported.sum()), int(sorted_out.invented.sum())
    if not absent and not invented:
        return None
    parts = []
    if absent:
        parts.append(f"{of(absent, len(batch))} requests report no cached tokens")
    if invented:
        others = int((sorted_out.judged & (batch.streamed == 0)).sum())
        parts.append(
            f"all {requests(invented)} that were streamed read exactly 0 while "
            f"{others:,} others do not all do so"
        )
    return Finding(
        *("not-reported", "confirmed" if absent else "likely"),
        {"requests": len(batch), "absent": absent, "streamed_zeros": invented},
        f"{' and '.join(parts)}: unknown, not zero.",
        _OPEN,
    )


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Every request is long enough and reads exactly nothing. Asked last, of logs without a cause."""
    n, linked = len(reads), int(reads.linked.sum())
    unknown = reads.by == "log" and n >= PRESUMED_REQUESTS.default
    compared = linked >= ALWAYS_ZERO.default - 1 or unknown
    if n < ALWAYS_ZERO.default or not compared or (reads.cached > 0).any():
        return None
    key = reads.batch.has("prompt_cache_key") and bool((reads.batch.key >= 0).any())
    mean = float(reads.batch.input_tokens.mean())
    return Claim(
        *("not-reported", "likely" if n >= PRESUMED_REQUESTS.default else "possible", still_open),
        {
            "requests": n,
            "read_tokens": 0,
            "mean_input_tokens": mean,
            "shortest_input_tokens": float(np.min(reads.batch.input_tokens)),
            "has_key": key,
        },
        f"All {requests(n)} read exactly 0 at {size(mean)} of input on average: check first that "
        f"the field is parsed; if it is, they are eligible and never cached"
        f"{'' if key else ', and no key is known'}.",
        _OPEN,
    )
