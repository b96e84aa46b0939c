"""Counts that cannot be: more cached than went in. The source's token semantics need a look."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.batch import RequestBatch
from cachewatch.analysis.requests.findings import Finding
from cachewatch.analysis.requests.usable import Usable
from cachewatch.analysis.requests.words import of, share


def finding(batch: RequestBatch, sorted_out: Usable) -> Finding | None:
    """Requests whose cached and written tokens exceed their input; None without any."""
    rows = sorted_out.suspect
    n = int(rows.sum())
    if not n:
        return None
    cached = float(np.nansum(batch.cached_tokens[rows]))
    total = float(np.nansum(batch.input_tokens[rows]))
    return Finding(
        *("accounting-suspect", "confirmed"),
        {
            "requests": n,
            "of": len(batch),
            "cached_tokens": cached,
            "input_tokens": total,
        },
        f"{of(n, len(batch))} requests count more cached or written tokens than input, "
        f"{share(cached, total)} cached: check whether this source reports input without cached tokens.",
        "It does not prove which count is wrong; such requests are left out of every rate.",
    )
