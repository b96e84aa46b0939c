"""The numbers behind one verdict, as plain values: what is stored, shown and put into words.

None is "not reported" or "undefined", never zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import isnan
from typing import Any, Literal

import numpy as np

from cachewatch.analysis.classify import (
    AFTER_GAP,
    COLD,
    FLAT_LOW,
    LOAD_FLAT,
    NO_CACHED,
    NO_INPUT,
    NO_REQUESTS,
    NOT_REPORTED,
    PUBLISHED_STATES,
    SCATTER,
    SETTLING,
    SPARSE,
    TOO_FEW,
    UNKNOWN_BEFORE,
    Classification,
    Rules,
)
from cachewatch.analysis.load_split import LoadSplit
from cachewatch.analysis.share import Pools
from cachewatch.analysis.thresholds import (
    ELIGIBLE_INPUT,
    MIN_HOURS,
    QUIET_FLOOR,
    RATIO_FLOOR,
    RHO_FLOOR,
    Threshold,
    Thresholds,
)

Side = Literal["at or above", "at or below"]
EXCLUDED: Mapping[str, int | None] = {
    "after_gap": AFTER_GAP,
    "unsettled": SETTLING,
    "no_input": NO_INPUT,
    "no_requests": NO_REQUESTS,
    "not_reported": NOT_REPORTED,
    "clipped": None,  # a part of an hour has no row: the reader counts those
    "unknown_before": UNKNOWN_BEFORE,
}
FINDINGS = frozenset({SCATTER, FLAT_LOW, COLD, SPARSE})


@dataclass(frozen=True)
class Pooled:
    """Totals of a set of hours; `share` is None without input."""

    hours: int
    requests: int
    input_tokens: int
    cached_tokens: int
    share: float | None


@dataclass(frozen=True)
class Third:
    """The quietest or the busiest third of the linked hours."""

    hours: int
    requests: int
    input_tokens: int
    cached_tokens: int
    share: float
    requests_per_hour: float
    low_requests: int
    high_requests: int


@dataclass(frozen=True)
class Distance:
    """How far a number is from the threshold where a finding starts.

    `passes` says that the number is on the finding's side; None where it is undefined. One of a
    series' distances is `closest`: of those not passed, or if all are passed of all, the one with
    the smallest distance as a part of its limit.
    """

    name: str
    label: str
    unit: str
    value: float | None
    limit: float
    side: Side
    passes: bool | None
    closest: bool = False


@dataclass(frozen=True)
class Evidence:
    """One verdict and its numbers.

    Attributes:
        verdict: code, one of classify.VERDICTS.
        published_state: what the published rule alone says of the same window.
        rules: the rules in force.
        pooled: all hours with known requests, input and cached tokens.
        linked: the hours that follow an hour with traffic, which the verdict is about.
        cold: the hours that follow an hour without traffic.
        quiet, busy: thirds of the linked hours; None with `third_reason` where there is no split.
        third_reason: "too_few_hours" or "one_load"; None where the thirds are given.
        rho: rank correlation of share and requests over the linked hours.
        excluded: hours left out, by reason.
        thresholds: in force.

    """

    verdict: str
    published_state: str
    rules: Rules
    pooled: Pooled
    linked: Pooled
    cold: Pooled
    quiet: Third | None
    busy: Third | None
    third_reason: str | None
    rho: float | None
    excluded: Mapping[str, int]
    thresholds: Thresholds

    @property
    def mean_input(self) -> float | None:
        """Input tokens a request over all counted hours; None without requests."""
        pooled = self.pooled
        return pooled.input_tokens / pooled.requests if pooled.requests > 0 else None

    @property
    def is_finding(self) -> bool:
        """See is_finding()."""
        return is_finding(self.verdict, self.mean_input, self.rules)

    def as_record(self) -> dict[str, Any]:
        """The evidence as JSON values, for storage; evidence_from_record() reads it back."""
        return asdict(self)


def is_finding(verdict: str, mean_input: float | None, rules: Rules) -> bool:
    """Whether a verdict is a finding: something to repair, exit status 1.

    "No cached tokens" is one where the mean input clearly reaches the minimum. Under the
    published rules only "misses rise with load" is.
    """
    if rules == "published":
        return verdict == SCATTER
    if verdict == NO_CACHED:
        return mean_input is not None and mean_input >= ELIGIBLE_INPUT.default
    return verdict in FINDINGS


def evidence_of(result: Classification, index: int) -> Evidence:
    """The evidence of one series of a classification."""
    numbers, thresholds = result.numbers, result.thresholds[index]
    verdict = result.verdict(index)
    quiet, busy, reason = _thirds(numbers.split, index, verdict)
    rho = None if verdict == TOO_FEW else _known(numbers.rho[index])
    return Evidence(
        verdict=verdict,
        published_state=PUBLISHED_STATES[result.published.state[index]],
        rules=result.rules,
        pooled=_pooled(numbers.counted, index),
        linked=_pooled(numbers.linked, index),
        cold=_pooled(numbers.cold, index),
        quiet=quiet,
        busy=busy,
        third_reason=reason,
        rho=rho,
        excluded=_excluded(result, index),
        thresholds=thresholds,
    )


def _excluded(result: Classification, index: int) -> dict[str, int]:
    counts = result.hour_counts[index]
    if result.rules == "published":  # every hour counts there, but those after a gap
        counts = np.where(np.arange(len(counts)) == AFTER_GAP, counts, 0)
    return {
        reason: result.clipped_hours if state is None else int(counts[state])
        for reason, state in EXCLUDED.items()
    }


def _pooled(pools: Pools, index: int) -> Pooled:
    hours, requests, tokens, cached = (int(values[index]) for values in pools)
    return Pooled(hours, requests, tokens, cached, cached / tokens if tokens > 0 else None)


def _thirds(
    split: LoadSplit, index: int, verdict: str
) -> tuple[Third | None, Third | None, str | None]:
    if verdict == TOO_FEW:
        return None, None, "too_few_hours"
    quiet = _third(_pooled(split.quiet, index), split.quiet_low[index], split.quiet_high[index])
    busy = _third(_pooled(split.busy, index), split.busy_low[index], split.busy_high[index])
    if verdict == LOAD_FLAT or quiet is None or busy is None:
        return None, None, "one_load"
    return quiet, busy, None


def _third(pooled: Pooled, low: float, high: float) -> Third | None:
    if pooled.share is None:
        return None
    return Third(
        hours=pooled.hours,
        requests=pooled.requests,
        input_tokens=pooled.input_tokens,
        cached_tokens=pooled.cached_tokens,
        share=pooled.share,
        requests_per_hour=pooled.requests / pooled.hours,
        low_requests=int(low),
        high_requests=int(high),
    )


def _known(value: float) -> float | None:
    return None if isnan(value) else float(value)


def distances(evidence: Evidence) -> tuple[Distance, ...]:
    """Where each number stands against the thresholds of "misses rise with load"."""
    limits, quiet, busy = evidence.thresholds, evidence.quiet, evidence.busy
    ratio = busy.share / quiet.share if quiet and busy and quiet.share > 0 else None
    rows = [
        _distance(RHO_FLOOR, evidence.rho, limits.rho_floor, "at or below"),
        _distance(QUIET_FLOOR, quiet.share if quiet else None, limits.quiet_floor, "at or above"),
        _distance(RATIO_FLOOR, ratio, limits.ratio_floor, "at or below"),
        _distance(MIN_HOURS, evidence.linked.hours, limits.min_hours, "at or above"),
    ]
    closest = min(rows, key=_nearness)
    return tuple(replace(row, closest=row is closest) for row in rows)


def _distance(threshold: Threshold, value: float | None, limit: float, side: Side) -> Distance:
    passes = None
    if value is not None:
        passes = value <= limit if side == "at or below" else value >= limit
    return Distance(threshold.name, threshold.label, threshold.unit, value, limit, side, passes)


def _nearness(row: Distance) -> tuple[int, float]:
    """Sorts thresholds that are not passed first, then the passed, then the undefined."""
    if row.value is None:
        return 2, 0.0
    return int(bool(row.passes)), abs(row.value - row.limit) / max(abs(row.limit), 0.01)


def evidence_from_record(record: Mapping[str, Any]) -> Evidence:
    """Read back what Evidence.as_record() gave, after a trip through JSON."""
    parts = dict(record)
    for name in ("pooled", "linked", "cold"):
        parts[name] = Pooled(**parts[name])
    for name in ("quiet", "busy"):
        parts[name] = Third(**parts[name]) if parts[name] else None
    return Evidence(**parts | {"thresholds": Thresholds(**parts["thresholds"])})
