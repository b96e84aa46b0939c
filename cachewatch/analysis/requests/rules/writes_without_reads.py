"""Nearly the whole prompt is written on every request and next to nothing is read."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.figures import count
from cachewatch.analysis.requests.findings import Claim
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.thresholds import (
    LOW_READ,
    SCATTER_LIKELY,
    WRITES_AGREE,
    WRITES_ROWS,
    WRITTEN,
)
from cachewatch.analysis.requests.words import of
from cachewatch.analysis.segments import Bools


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses that write most of their prompt, where nearly all requests do so."""
    batch = reads.batch
    reported = ~np.isnan(batch.write_tokens)
    unread = batch.cached_tokens <= LOW_READ.default * batch.input_tokens
    writes = reported & unread & (batch.write_tokens >= WRITTEN.default * batch.input_tokens)
    rows, writing = int(reported.sum()), int(writes.sum())
    if writing < WRITES_ROWS.default or writing < WRITES_AGREE.default * rows:
        return None
    written, read = float(batch.write_tokens[reported].sum()), float(reads.cached[reported].sum())
    return Claim(
        "writes-without-reads",
        "likely" if writing >= SCATTER_LIKELY.default else "possible",
        still_open & writes,
        {
            "requests": rows,
            "writing": writing,
            "written_tokens": written,
            "read_tokens": read,
            "input_tokens": float(batch.input_tokens[reported].sum()),
        },
        f"{of(writing, rows)} requests write most of their prompt and read next to nothing: "
        f"{count(written)} tokens written, {count(read)} read.",
        "It does not prove what changes: look for a time, an id or a counter before the breakpoint. "
        "Writes cost more than plain input, so this costs more than no prompt cache.",
    )
