"""Zero, partial or full: how the requests of arms are counted."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.requests.groups import groups_of
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.thresholds import FULL_READ, SIMILAR_SPREAD
from cachewatch.analysis.segments import Bools, Floats


def full_reads(reads: Reads) -> Bools:
    """Requests that read nearly all there is to read; (n,).

    Of one body or template: of the largest read seen, in any arm. Else: of what was readable, and
    of its own input for a first call. So that arms compare where none of them reads all there is. A
    miss is against what was readable, and may be a full read: `Strip.missed_in_full` counts these.
    """
    reference = _reference(reads)
    return (reads.cached > 0) & (reads.cached >= FULL_READ.default * reference)


def _reference(reads: Reads) -> Floats:
    inputs = reads.batch.input_tokens
    by_model = groups_of(reads.batch.model)
    mean = by_model.mean(inputs)[by_model.ids]
    spread = np.sqrt(by_model.mean((inputs - mean) ** 2))[by_model.ids] / np.maximum(mean, 1)
    largest = np.minimum(by_model.highest(reads.cached), inputs)
    own = np.where(reads.linked, reads.readable, inputs)
    return np.where(spread <= SIMILAR_SPREAD.default, largest, own)
