"""What the analysis of requests answers with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from cachewatch.analysis.segments import Bools

Cause = Literal[
    "routing-scatter",
    "key-churn",
    "key-too-hot",
    "account-switch",
    "fan-out-race",
    "plateau",
    "mid-history-divergence",
    "writes-without-reads",
    "size-correlated-eviction",
    "cold-after-idle",
    "request-shape-change",
    "gateway-arm",
    "ineligible",
    "not-reported",
    "accounting-suspect",
    "healthy",
    "inconclusive",
]
Confidence = Literal["confirmed", "likely", "possible"]
Number = float | int | str | bool | None


class Claim(NamedTuple):
    """What a rule says of the misses that were still open, and which of them it explains.

    `explains`: (n,) of the reads it was given.
    """

    cause: Cause
    confidence: Confidence
    explains: Bools
    numbers: dict[str, Number]
    statement: str
    does_not_prove: str


@dataclass(frozen=True)
class Finding:
    """One cause, with the numbers that speak for it and what they leave open."""

    cause: Cause
    confidence: Confidence
    numbers: Mapping[str, Number]
    statement: str
    does_not_prove: str


class MissedGroup(NamedTuple):
    """Missed tokens of one model, service tier, UTC day and cause; None = not reported.

    Attributes:
        day: days since the epoch. cause: None where no rule explains them.
        tokens: missed. written_tokens: the part of them that was written to the prompt cache.

    """

    model: str | None
    tier: str | None
    day: int | None
    cause: Cause | None
    tokens: int
    written_tokens: float


@dataclass(frozen=True)
class MissedTokens:
    """Tokens that were readable and not read; `by_cause` and `unknown` add up to `total`.

    `groups`: the same tokens by what decides their price; two logs that differ in days alone are
    the same findings.
    """

    total: int
    by_cause: Mapping[Cause, int]
    unknown: int
    groups: tuple[MissedGroup, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Arm:
    """One arm. `full` reads are those of `full_read` and more; the interval is of their fraction.

    `values`: column to value; `first_is_cold`: its first request read nothing; the Wilson interval
    is of 95 %.
    """

    values: Mapping[str, str]
    n: int
    zeros: int
    partial: int
    full: int
    input_tokens: int
    cached_tokens: int
    share: float | None
    hit_interval: tuple[float, float]
    first_is_cold: bool = False
    distinct_keys: int | None = None

    @property
    def label(self) -> str:
        """The value; of several columns: "header absent, key present"."""
        if len(self.values) == 1:
            return next(iter(self.values.values()))
        return ", ".join(f"{column} {value}" for column, value in self.values.items())


@dataclass(frozen=True)
class Comparison:
    """Arm a against arm b. `p` is two-sided; None where there is nothing to compare.

    `layout`: the order of both arms; `full_reads`: what both read, in short.
    """

    a: str
    b: str
    p: float | None
    method: str
    statement: str
    layout: str = ""
    full_reads: str = ""


@dataclass(frozen=True)
class Floor:
    """The append-only floor: fresh tokens of conversations if each repeated nothing.

    Attributes:
        requests, sessions: of conversations.
        input_tokens, fresh_tokens: fresh = not read from the prompt cache.
        ideal_fresh_tokens: each conversation's last prompt once.
        excess_tokens: fresh beyond the ideal; excess_ratio: over the ideal.
        share, ideal_share: cached over input; *_after_first leave the first calls out, which are
            cold by rule; None without input.
        key_recovers_at_most_tokens: excess in misses that routing could explain.
        tail_tokens: excess below the size of a miss (steps, the newest turn).
        otherwise_explained_tokens: excess in misses with another cause.

    """

    requests: int
    sessions: int
    input_tokens: int
    fresh_tokens: int
    ideal_fresh_tokens: int
    excess_tokens: int
    excess_ratio: float | None
    share: float | None
    ideal_share: float | None
    share_after_first: float | None
    ideal_share_after_first: float | None
    key_recovers_at_most_tokens: int
    tail_tokens: int
    otherwise_explained_tokens: int
    statement: str


@dataclass(frozen=True)
class RequestFindings:
    """The first finding is the verdict.

    `facts`: what stands beside it: granularity, keys, gaps, rates, the provider's diagnostics.
    """

    findings: tuple[Finding, ...]
    missed_tokens: MissedTokens
    arms: tuple[Arm, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    floor: Floor | None = None
    facts: Mapping[str, Number] = field(default_factory=dict)

    @property
    def verdict(self) -> Cause:
        """The cause of the first finding."""
        return self.findings[0].cause
