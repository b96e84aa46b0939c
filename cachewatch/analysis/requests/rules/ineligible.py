"""Requests that are too short for the prompt cache, or of a batch job: nobody's fault."""

from __future__ import annotations

from cachewatch.analysis.figures import count
from cachewatch.analysis.requests.findings import Finding
from cachewatch.analysis.requests.usable import Usable
from cachewatch.analysis.requests.words import of
from cachewatch.analysis.thresholds import MINIMUM_TOKENS


def finding(sorted_out: Usable) -> Finding | None:
    """How many requests are below the minimum or of a batch job; None without any."""
    short, batch, n = (
        int(sorted_out.ineligible.sum()),
        int(sorted_out.batch_tier.sum()),
        len(sorted_out.judged),
    )
    if not short and not batch:
        return None
    parts = []
    if short:
        parts.append(f"{of(short, n)} requests are below {count(MINIMUM_TOKENS.default)} tokens")
    if batch:
        parts.append(
            f"{of(batch, n)} requests are of a batch job, whose parts do not see each other"
        )
    return Finding(
        *("ineligible", "confirmed"),
        {
            "requests": n,
            "below_minimum": short,
            "batch_requests": batch,
            "minimum_tokens": MINIMUM_TOKENS.default,
        },
        f"{' and '.join(parts)}: they are left out.",
        "It does not prove that longer prompts would hit: older models may need up to 2,048 tokens.",
    )
