"""The published rule once more, hour by hour in plain Python: the oracle of the fast one.

Written from the rule's description, with nothing of cachewatch in it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass


@dataclass(frozen=True)
class Hour:
    index: int
    requests: int
    input_tokens: int
    cached_tokens: int


@dataclass(frozen=True)
class NaiveVerdict:
    state: str
    linked_hours: int
    cold_hours: int
    overall: float | None
    rho: float | None = None
    quiet_share: float | None = None
    busy_share: float | None = None
    quiet_rate: float | None = None
    busy_rate: float | None = None


def pooled_share(hours: list[Hour]) -> float | None:
    total = sum(hour.input_tokens for hour in hours)
    return sum(hour.cached_tokens for hour in hours) / total if total > 0 else None


def divide_by_gaps(hours: list[Hour]) -> tuple[list[Hour], list[Hour]]:
    """(hours right after an hour with traffic, hours after a gap)."""
    seen = {hour.index for hour in hours}
    linked = [hour for hour in hours if hour.index - 1 in seen]
    return linked, [hour for hour in hours if hour.index - 1 not in seen]


def ranks(values: list[float]) -> list[float]:
    ordered = sorted(values)
    return [(bisect_left(ordered, v) + bisect_right(ordered, v) + 1) / 2 for v in values]


def spearman(xs: list[float], ys: list[float]) -> float | None:
    if len(xs) < 8 or len(set(xs)) == 1:
        return None
    if len(set(ys)) == 1:
        return 0.0
    middle = (len(xs) + 1) / 2
    x = [rank - middle for rank in ranks(xs)]
    y = [rank - middle for rank in ranks(ys)]
    products = sum(a * b for a, b in zip(x, y, strict=True))
    return products / (sum(a * a for a in x) ** 0.5 * sum(b * b for b in y) ** 0.5)


def thirds(hours: list[Hour]) -> tuple[list[Hour], list[Hour]] | None:
    active = sorted((h for h in hours if h.requests > 0), key=lambda h: (h.requests, h.index))
    if len(active) < 6:
        return None
    size = max(2, int(len(active) * 0.33))
    return active[:size], active[-size:]


def rate(hours: list[Hour]) -> float:
    return sum(hour.requests for hour in hours) / len(hours)


def judge(
    hours: list[Hour], rho_floor: float = -0.4, ratio_floor: float = 0.6, quiet_floor: float = 0.15
) -> NaiveVerdict:
    hours = [hour for hour in hours if hour.requests > 0 or hour.input_tokens > 0]
    linked, cold = divide_by_gaps(hours)
    counts = {"linked_hours": len(linked), "cold_hours": len(cold), "overall": pooled_share(linked)}
    overall = counts["overall"]
    if len(linked) < 24:
        return NaiveVerdict("too-few-linked-hours", **counts)
    if overall is not None and overall == 0:
        return NaiveVerdict("no-cached-tokens", **counts)
    rho = spearman([h.requests for h in linked], [pooled_share([h]) or 0.0 for h in linked])
    split = thirds(linked)
    if rho is None or split is None or None in map(pooled_share, split):
        return NaiveVerdict("load-does-not-vary", **counts)
    quiet, busy = map(pooled_share, split)
    numbers = counts | {"rho": rho, "quiet_share": quiet, "busy_share": busy}
    numbers |= {"quiet_rate": rate(split[0]), "busy_rate": rate(split[1])}
    return NaiveVerdict(
        _by_slope(rho, quiet, busy, rho_floor, ratio_floor, quiet_floor)
        or _by_level(overall, pooled_share(cold), len(cold), quiet_floor),
        **numbers,
    )


def _by_slope(rho, quiet, busy, rho_floor, ratio_floor, quiet_floor) -> str | None:
    if rho <= rho_floor and quiet >= quiet_floor and busy <= quiet * ratio_floor:
        return "load-correlated-misses"
    return "share-rises-with-load" if rho >= -rho_floor else None


def _by_level(overall, cold_share, cold_hours, quiet_floor) -> str:
    cold = cold_hours >= 3 and cold_share is not None and cold_share <= 0.02
    if cold and overall >= quiet_floor:
        return "cold-only-after-idle"
    return "flat-low-share" if overall < quiet_floor else "healthy"
