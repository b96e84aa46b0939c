"""One prefix, reads that are next to nothing or nearly all: the entry is there, not always found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.requests.diagnostics import same_structure
from cachewatch.analysis.requests.findings import Claim, Comparison, Confidence
from cachewatch.analysis.requests.granularity import granularity_of
from cachewatch.analysis.requests.lineages import PRESUMED
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.replicas import reads_of_older_calls
from cachewatch.analysis.requests.sizes import differ_in_size
from cachewatch.analysis.requests.thresholds import (
    ALL_BUT_FEW,
    BEYOND,
    CHANCE,
    MIN_LINKED,
    MISS_AFTER,
    SCATTER_LIKELY,
    SCATTER_MISSES,
    SCATTER_PROOFS,
    SCATTER_RATE,
    SIMILAR_SPREAD,
    SMALLER_MISSES,
    STABLE_KEYS,
)
from cachewatch.analysis.requests.words import of, requests
from cachewatch.analysis.segments import Bools, Floats

_BY_TURNS = ("A/B/A", "alternating", "mixed")


class _Evidence(NamedTuple):
    linked: int
    low: int
    middle: int
    high: int
    recoveries: int
    older: int
    probe: int
    same_structure: int

    @property
    def proofs(self) -> int:
        """Ways in which the log shows that an entry was there and not found."""
        return self.recoveries + self.older + self.probe + self.same_structure


def claim(reads: Reads, still_open: Bools) -> Claim | None:
    """Misses of lineages in which full reads come back after misses."""
    in_time = still_open & ~reads.after_a_lifetime
    older = reads_of_older_calls(reads.batch, reads.groups, in_time)
    recovered = reads.high & _after_a_low(reads, in_time) & ~_warm_up(reads, in_time)
    recovered &= reads.cached <= BEYOND.default * reads.readable
    probe = _proven_by_another_arm(reads, in_time)
    same = in_time & same_structure(reads.batch)
    proven = reads.groups.any(recovered | older | same) | probe
    evidence = _Evidence(
        int(reads.linked.sum()),
        int((in_time & reads.low & proven).sum()),
        int((in_time & ~reads.low & ~older & proven).sum()),
        *(int(reads.high.sum()), int(recovered.sum()), int(older.sum())),
        *(int((probe & reads.low & in_time).sum()), int(same.sum())),
    )
    if not _fires(evidence, in_time, reads):
        return None
    return Claim(
        *("routing-scatter", _confidence(reads, evidence), still_open & proven),
        {
            "linked": evidence.linked,
            "low": evidence.low,
            "middle": evidence.middle,
            "high": evidence.high,
            "recoveries": evidence.recoveries,
            "reads_of_older_calls": evidence.older,
            "proven_by_another_arm": evidence.probe,
            "same_structure_still_missed": evidence.same_structure,
            "distinct_keys": _distinct_keys(reads),
            "granularity": granularity_of(reads.cached),
        },
        _statement(reads, evidence),
        _does_not_prove(reads),
    )


def _fires(evidence: _Evidence, in_time: Bools, reads: Reads) -> bool:
    bimodal = evidence.middle <= evidence.high + evidence.older + evidence.probe
    enough = evidence.linked >= MIN_LINKED.default and evidence.low >= SCATTER_MISSES.default
    often = int(in_time.sum()) >= SCATTER_RATE.default * evidence.linked
    return bimodal and enough and often and evidence.proofs > 0 and not _new_prompts(reads, in_time)


def _after_a_low(reads: Reads, misses: Bools) -> Bools:
    """A request of the lineage before this one read next to nothing."""
    return reads.groups.highest_before((misses & reads.low).astype(np.float64)) > 0


def _warm_up(reads: Reads, misses: Bools) -> Bools:
    """Lineages whose misses all come before their reads, and are fewer."""
    low = misses & reads.low
    place = reads.groups.position.astype(np.float64)
    last_low = reads.groups.highest(np.where(low, place, -1.0))
    first_high = -reads.groups.highest(np.where(reads.high, -place, -np.inf))
    counts = [_counted(reads, mask) for mask in (low, reads.high)]
    return (last_low < first_high) & (counts[0] <= counts[1])


def _counted(reads: Reads, mask: Bools) -> Floats:
    counts = np.bincount(reads.groups.ids[mask], minlength=reads.groups.count)
    return counts[reads.groups.ids].astype(np.float64)


def _proven_by_another_arm(reads: Reads, misses: Bools) -> Bools:
    """Misses of one arm where requests of the same size in another arm read nearly all."""
    none = np.zeros(len(reads), dtype=bool)
    names = [name for name in reads.arms if name in reads.batch.arms]
    if not names or not reads.high.any():
        return none
    middle = float(np.median(reads.batch.input_tokens[reads.high]))
    alike = np.abs(reads.batch.input_tokens - middle) <= SIMILAR_SPREAD.default * middle
    alike &= np.isin(reads.batch.model, np.unique(reads.batch.model[reads.high]))
    return misses & alike & ~reads.groups.any(reads.high)


def _new_prompts(reads: Reads, misses: Bools) -> bool:
    """Most misses are of other sizes than the hits, as prompts are that are sent for the first time.

    Only asked where requests merely seem to belong together. Without any identity it is enough that
    they are the shorter ones, as first calls are.
    """
    low = misses & reads.low
    asked = low & reads.loose
    if not asked.any() or int(asked.sum()) < int(low.sum()) / 2:
        return False
    sizes = reads.batch.input_tokens
    hits = sizes[reads.high & reads.loose]
    if not len(hits):
        return False
    if differ_in_size(sizes[asked], hits):
        return True
    of_log = asked & (reads.kind == PRESUMED)
    smaller = 1 - np.searchsorted(np.sort(hits), sizes[of_log], "right") / len(hits)
    return bool(2 * len(smaller) >= low.sum() and smaller.mean() >= SMALLER_MISSES.default)


def _distinct_keys(reads: Reads) -> int | None:
    key = reads.batch.key
    return len(np.unique(key[key >= 0])) if reads.batch.has("prompt_cache_key") else None


def _decided_by(reads: Reads) -> Comparison | None:
    found = [one for one in reads.comparisons if one.p is not None and one.p < CHANCE.default]
    return min(found, key=lambda one: one.p or 0.0, default=None)


def _confidence(reads: Reads, evidence: _Evidence) -> Confidence:
    arms = _decided_by(reads)
    if arms is not None:
        return "confirmed" if arms.layout in _BY_TURNS else "likely"
    keys = _distinct_keys(reads)
    known_keys = keys is not None and keys <= max(1, STABLE_KEYS.default * len(reads))
    enough = evidence.proofs >= SCATTER_PROOFS.default and (
        evidence.low + evidence.high >= SCATTER_LIKELY.default
    )
    presumed = bool((reads.kind == PRESUMED).any())
    # Without times a pause or a burst looks the same, but not what only another machine can read.
    certain = evidence.proofs - evidence.recoveries >= SCATTER_PROOFS.default
    told = (certain or not _timeless(reads)) and not _accounts_rotate(reads)
    return "likely" if enough and known_keys and told and not presumed else "possible"


def _accounts_rotate(reads: Reads) -> bool:
    """Most misses come on another account than the request before, whose entries are separate."""
    moved = reads.low & reads.changed(reads.batch.account)
    return bool(moved.sum() > MISS_AFTER.default * reads.low.sum())


def _timeless(reads: Reads) -> bool:
    """Most requests have no time."""
    return bool(np.isnan(reads.batch.time).mean() > 1 - ALL_BUT_FEW.default)


def _statement(reads: Reads, evidence: _Evidence) -> str:
    low = f"{of(evidence.low, evidence.linked)} requests after the first read next to nothing"
    parts = [f"{low} and {evidence.high:,} nearly all of what was readable"]
    if evidence.recoveries:
        parts.append(f"{requests(evidence.recoveries)} read nearly all after such a miss")
    if evidence.older:
        parts.append(f"{requests(evidence.older)} read what an older call had left")
    if evidence.probe:
        parts.append("another arm reads the same prefix")
    if evidence.same_structure:
        parts.append(f"the provider found the same structure in {evidence.same_structure:,} misses")
    arms = _decided_by(reads)
    if arms is not None:
        parts.append(arms.full_reads)
    if not reads.batch.has("prompt_cache_key"):
        parts.append("check keys first, the log has no key column")
    return "; ".join(parts) + "."


def _does_not_prove(reads: Reads) -> str:
    key = (
        "A key that is new on each request looks the same: count the distinct keys before a key is "
        "recommended. "
        if not reads.batch.has("prompt_cache_key")
        else ""
    )
    time = "Pauses and bursts look the same: the log has no times. " if _timeless(reads) else ""
    accounts = (
        "Most misses come on another account than the request before, and accounts share no entries. "
        if _accounts_rotate(reads)
        else ""
    )
    return (
        key
        + time
        + accounts
        + "It does not prove where requests went: machines, accounts behind a gateway and early "
        "eviction are not in the log."
    )
