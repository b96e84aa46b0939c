"""No finding: what was readable is read, with isolated misses."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cachewatch.analysis.figures import percent
from cachewatch.analysis.requests.findings import Claim, Finding
from cachewatch.analysis.requests.granularity import granularity_of
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.thresholds import (
    CLEARLY_HEALTHY,
    EXPLAINED,
    HEALTHY_SHARE,
    ISOLATED,
    MIN_LINKED,
    STREAK,
)
from cachewatch.analysis.requests.words import first_calls, requests, share


def finding(reads: Reads, claims: Sequence[Claim]) -> Finding | None:
    """Whether nearly all that was readable is read, and no one cause explains the rest."""
    part, linked = reads.share_of_readable, int(reads.linked.sum())
    follows = int((reads.groups.position > 0).sum())
    if follows < MIN_LINKED.default or part < HEALTHY_SHARE.default:
        return None
    if not linked and reads.kind.max(initial=0) > 2:
        return None
    if any(claim.cause == "writes-without-reads" for claim in claims):
        return None  # what is written and never read is paid for, whatever else is read
    clearly = part >= CLEARLY_HEALTHY.default or _missed_share(reads) <= ISOLATED.default
    if not clearly and (_explained(reads, claims) or ends_in_misses(reads)):
        return None
    input_tokens, cached = float(reads.batch.input_tokens.sum()), float(reads.cached.sum())
    machines = int(reads.replicas.max(initial=1))
    cold = int((reads.groups.position == 0).sum())
    return Finding(
        *("healthy", "likely"),
        {
            "share": cached / input_tokens if input_tokens else None,
            "share_of_readable": part,
            "linked": linked,
            "misses": int(reads.miss.sum()),
            "cold_first_calls": cold,
            "replicas": machines,
            "granularity": granularity_of(reads.cached),
        },
        f"{percent(part, 1)} of what was readable is read; {share(cached, input_tokens)} in all, "
        f"{int(reads.miss.sum()):,} misses in {requests(linked)}, {first_calls(cold)} cold by rule"
        + (f", {machines} lineages of reads take turns" if machines > 1 else "")
        + ".",
        "It does not prove that a better prompt could not share more: only what earlier requests "
        "left is counted as readable.",
    )


def _missed_share(reads: Reads) -> float:
    """Missed tokens over readable ones, 0..1: what a full read leaves at its end is none."""
    readable = float(reads.readable[reads.linked].sum())
    return float(reads.missed_tokens[reads.linked].sum()) / readable if readable else 0.0


def _explained(reads: Reads, claims: Sequence[Claim]) -> bool:
    """One likely cause explains most of what is missed."""
    missed = float(reads.missed_tokens.sum())
    taken = [
        float(reads.missed_tokens[claim.explains].sum())
        for claim in claims
        if claim.confidence != "possible"
    ]
    return bool(missed) and max(taken, default=0.0) >= EXPLAINED.default * missed


def ends_in_misses(reads: Reads) -> bool:
    """A lineage ends in several requests that read next to nothing."""
    groups = reads.groups
    ends = np.append(groups.starts[1:], len(groups.order))
    for start, end in zip(groups.starts.tolist(), ends.tolist(), strict=True):
        rows = groups.order[max(start, end - int(STREAK.default)) : end]
        if len(rows) == STREAK.default and reads.low[rows].all():
            return True
    return False
