"""The published rule in plain Python, hour by hour: the reference of the diagnosis.

Written from the rule's description for this comparison, with lists, sorts and loops as a person
would who has no arrays. Missing numbers are zeros here, as they are in the published rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MIN_LINKED_HOURS = 24
MIN_RANKED_HOURS = 8
MIN_SPLIT_HOURS = 6
THIRD = 0.33
RHO_FLOOR, RATIO_FLOOR, QUIET_FLOOR = -0.4, 0.6, 0.15
COLD_SHARE, MIN_COLD_HOURS = 0.02, 3


class Hour(NamedTuple):
    """One hour of a series; `hour` is whole UTC hours since the epoch."""

    hour: int
    requests: int
    input_tokens: int
    cached_tokens: int


class Thirds(NamedTuple):
    """Pooled shares and requests an hour of the quietest and the busiest third."""

    quiet_share: float
    busy_share: float
    quiet_rate: float
    busy_rate: float


class PlainVerdict(NamedTuple):
    """The state, and the numbers behind it where they are defined."""

    state: str
    rho: float | None = None
    thirds: Thirds | None = None


def judge(hours: Sequence[Hour]) -> PlainVerdict:
    """The published rule's verdict on the hours of one series, in the order of time."""
    active = [one for one in hours if one.requests > 0 or one.input_tokens > 0]
    linked, cold = _by_predecessor(active)
    if len(linked) < MIN_LINKED_HOURS:
        return PlainVerdict("too-few-linked-hours")
    overall = _share(linked)
    if overall is not None and overall <= 0:
        return PlainVerdict("no-cached-tokens")
    rho = spearman([one.requests for one in linked], [_share([one]) or 0.0 for one in linked])
    thirds = _thirds(linked)
    if rho is None or thirds is None:
        return PlainVerdict("load-does-not-vary")
    state = _by_slope(rho, thirds) or _by_level(overall, _share(cold), len(cold))
    return PlainVerdict(state, rho, thirds)


def spearman(loads: Sequence[float], shares: Sequence[float]) -> float | None:
    """Rank correlation; None where the load never varies, 0.0 where only the share never does."""
    if len(loads) < MIN_RANKED_HOURS:
        return None
    x, y = _ranks(loads), _ranks(shares)
    middle = (len(loads) + 1) / 2
    sxx = sum((rank - middle) ** 2 for rank in x)
    syy = sum((rank - middle) ** 2 for rank in y)
    if sxx <= 0:
        return None
    if syy <= 0:
        return 0.0
    sxy = sum((one - middle) * (other - middle) for one, other in zip(x, y, strict=True))
    return float(sxy / (sxx**0.5 * syy**0.5))


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in range(first, last + 1):
            ranks[order[place]] = (first + last) / 2 + 1
        first = last + 1
    return ranks


def _by_predecessor(active: Sequence[Hour]) -> tuple[list[Hour], list[Hour]]:
    """Hours right after an hour with traffic, and hours after a gap."""
    seen = {one.hour for one in active}
    linked = [one for one in active if one.hour - 1 in seen]
    return linked, [one for one in active if one.hour - 1 not in seen]


def _share(hours: Sequence[Hour]) -> float | None:
    total = sum(one.input_tokens for one in hours)
    return sum(one.cached_tokens for one in hours) / total if total > 0 else None


def _thirds(linked: Sequence[Hour]) -> Thirds | None:
    ordered = sorted((one for one in linked if one.requests > 0), key=lambda one: one.requests)
    if len(ordered) < MIN_SPLIT_HOURS:
        return None
    size = max(2, int(len(ordered) * THIRD))
    quiet, busy = ordered[:size], ordered[-size:]
    quiet_share, busy_share = _share(quiet), _share(busy)
    if quiet_share is None or busy_share is None:
        return None
    return Thirds(quiet_share, busy_share, _rate(quiet), _rate(busy))


def _rate(hours: Sequence[Hour]) -> float:
    return sum(one.requests for one in hours) / len(hours)


def _by_slope(rho: float, thirds: Thirds) -> str | None:
    falls = thirds.busy_share <= thirds.quiet_share * RATIO_FLOOR
    if rho <= RHO_FLOOR and thirds.quiet_share >= QUIET_FLOOR and falls:
        return "load-correlated-misses"
    return "share-rises-with-load" if rho >= -RHO_FLOOR else None


def _by_level(overall: float | None, cold_share: float | None, cold_hours: int) -> str:
    if overall is None:
        return "healthy"
    cold = cold_hours >= MIN_COLD_HOURS and cold_share is not None and cold_share <= COLD_SHARE
    if cold and overall >= QUIET_FLOOR:
        return "cold-only-after-idle"
    return "flat-low-share" if overall < QUIET_FLOOR else "healthy"
