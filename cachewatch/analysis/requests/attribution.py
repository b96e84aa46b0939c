"""Which cause takes which miss: each miss once, by the first rule that explains it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.requests import diagnostics
from cachewatch.analysis.requests.findings import Cause, Claim, Finding, MissedTokens
from cachewatch.analysis.requests.missed_groups import missed_groups
from cachewatch.analysis.requests.reads import Reads
from cachewatch.analysis.requests.rules import (
    account_switch,
    cold_after_idle,
    fan_out_race,
    gateway_arm,
    key_churn,
    key_too_hot,
    mid_history_divergence,
    not_reported,
    plateau,
    request_shape_change,
    routing_scatter,
    size_correlated_eviction,
    writes_without_reads,
)
from cachewatch.analysis.requests.thresholds import WEIGHTS
from cachewatch.analysis.segments import Bools

Rule = Callable[[Reads, Bools], Claim | None]
RULES: tuple[Rule, ...] = (
    gateway_arm.claim,
    request_shape_change.claim,
    account_switch.claim,
    key_churn.claim,
    cold_after_idle.claim,
    fan_out_race.claim,
    plateau.claim,
    writes_without_reads.claim,
    mid_history_divergence.claim,
    size_correlated_eviction.claim,
    key_too_hot.claim,
    routing_scatter.claim,
)
# What the application did; the provider's "same structure" rules it out.
_RULED_OUT: tuple[Rule, ...] = (
    request_shape_change.claim,
    key_churn.claim,
    plateau.claim,
    mid_history_divergence.claim,
)


class Attribution(NamedTuple):
    """`claims`: of each cause, what it explains alone; `open`: (n,) misses without a cause."""

    claims: tuple[Claim, ...]
    open: Bools


def attribute(reads: Reads) -> Attribution:
    """Ask the rules one after the other; the provider's own diagnostics come first."""
    still_open = reads.miss
    claims = diagnostics.claims(reads, still_open)
    for claim in claims:
        still_open = still_open & ~claim.explains
    same = diagnostics.same_structure(reads.batch)
    for rule in RULES:
        found = rule(reads, still_open & ~same if rule in _RULED_OUT else still_open)
        if found is not None:
            claims.append(found)
            still_open = still_open & ~found.explains
    if not claims and (nothing := not_reported.claim(reads, still_open)) is not None:
        claims.append(nothing)
        still_open = still_open & ~nothing.explains
    return Attribution(_merged(claims), still_open)


def _merged(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """One claim per cause; the provider's word, which came first, leads."""
    by_cause: dict[Cause, Claim] = {}
    for claim in claims:
        first = by_cause.get(claim.cause)
        by_cause[claim.cause] = (
            claim
            if first is None
            else first._replace(
                explains=first.explains | claim.explains,
                numbers={**claim.numbers, **first.numbers},
            )
        )
    return tuple(by_cause.values())


def missed_tokens(reads: Reads, attribution: Attribution) -> MissedTokens:
    """Missed tokens by cause; they and the unknown add up to the total."""
    by_cause = {claim.cause: _sum(reads, claim.explains) for claim in attribution.claims}
    unknown = _sum(reads, attribution.open)
    groups = missed_groups(reads, attribution.claims)
    return MissedTokens(sum(by_cause.values()) + unknown, by_cause, unknown, groups)


def findings_of(reads: Reads, attribution: Attribution) -> list[Finding]:
    """A finding per claim: by missed tokens, those that are only possible weighed less."""
    total = _sum(reads, reads.miss)
    cold = int((reads.groups.position == 0).sum())
    weighed = sorted(
        attribution.claims,
        key=lambda claim: -_sum(reads, claim.explains) * WEIGHTS[claim.confidence].default,
    )
    return [_finding(claim, _sum(reads, claim.explains), total, cold) for claim in weighed]


def _finding(claim: Claim, missed: int, total: int, cold: int) -> Finding:
    numbers = {
        **claim.numbers,
        "missed_tokens": missed,
        "of_missed_tokens": missed / total if total else None,
        "cold_first_calls": cold,
    }
    return Finding(claim.cause, claim.confidence, numbers, claim.statement, claim.does_not_prove)


def _sum(reads: Reads, rows: Bools) -> int:
    return int(np.rint(reads.missed_tokens[rows].sum()))
