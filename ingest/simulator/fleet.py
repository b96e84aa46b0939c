"""The machines: where each request lands and what it finds in their caches.

A request hits when the machine it lands on has seen the same beginning within the entry's
lifetime. Nothing older than one lifetime matters, so any hour can be computed from itself and
the traffic shortly before it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingest.simulator.requests import MS_PER_HOUR, Ints, Requests
from ingest.simulator.seeding import Hashes, fraction, mix
from ingest.simulator.workload import CacheRules, Fleet

MS_PER_MINUTE = 60_000


@dataclass(frozen=True)
class Conditions:
    """State of the fleet per hour from `first_hour`: spill machines and entry lifetime."""

    first_hour: int
    spill_machines: Ints
    lifetime_ms: Ints

    def at(self, time_ms: Ints) -> tuple[Ints, Ints]:
        """Spill machines and lifetime for each time."""
        place = time_ms // MS_PER_HOUR - self.first_hour
        return self.spill_machines[place], self.lifetime_ms[place]


def cached_tokens(
    requests: Requests,
    fleet: Fleet,
    rules: CacheRules,
    conditions: Conditions,
    one_machine: bool = False,
) -> Ints:
    """Tokens each request reads from cache; `requests` ordered by time.

    `one_machine` is the counterfactual of what could be had at all: the same requests and
    lifetimes on one ideal machine that reads an entry at once, whatever the key. To count only
    what is lost by leaving home, compare with a fleet that neither overflows nor strays.
    """
    count = len(requests)
    spill_machines, lifetime_ms = conditions.at(requests.time_ms)
    place = np.zeros(count, np.uint64)
    fill_ms = 0
    if not one_machine:
        place = mix(_machines(requests, fleet, spill_machines) ^ requests.account)
        fill_ms = int(fleet.fill_seconds * 1000)
    best = np.zeros(count, np.int64)
    for level in range(requests.readable.shape[1]):
        tokens = requests.readable[:, level]
        if tokens.any():
            group = mix(requests.entries[:, level] ^ place)
            warm = _seen_within(group, requests.time_ms, lifetime_ms, fill_ms)
            np.maximum(best, np.where(warm, tokens, 0), out=best)
    best = np.minimum(best, requests.input_tokens - 1)
    best -= best % rules.step_tokens
    return np.where(best >= rules.minimum_tokens, best, 0)


def written_tokens(requests: Requests, rules: CacheRules, cached: Ints) -> Ints:
    """Tokens each request writes (billed from GPT-5.6): up to its last breakpoint, beyond the read."""
    if not rules.bills_writes:
        return np.zeros(len(requests), np.int64)
    if rules.written_share is not None:
        end = np.floor(requests.input_tokens * rules.written_share).astype(np.int64)
    elif "whole" in rules.readable:
        end = requests.input_tokens
    else:
        end = requests.readable.max(axis=1, initial=0)
    return np.where(end >= rules.minimum_tokens, np.maximum(end - cached, 0), 0)


def _machines(requests: Requests, fleet: Fleet, spill_machines: Ints) -> Hashes:
    """Machine of each request: the route's home, or a spill machine beyond the overflow limit."""
    home = np.floor(fraction(mix(requests.route)) * fleet.home_machines).astype(np.int64)
    leaves = requests.spill < fleet.stray_share
    if fleet.overflow_per_minute is not None:
        leaves |= _rank_in_minute(requests.route, requests.time_ms) >= fleet.overflow_per_minute
    draw = fraction(mix(requests.spill.view(np.uint64)))
    spilled = fleet.home_machines + np.floor(draw * spill_machines).astype(np.int64)
    return np.where(leaves, spilled, home).astype(np.uint64)


def _rank_in_minute(route: Hashes, time_ms: Ints) -> Ints:
    """How many requests of the same route came before each in its minute."""
    group = mix(route ^ (time_ms // MS_PER_MINUTE).astype(np.uint64))
    order = np.argsort(group, kind="stable")
    opens = _opens_group(group[order])
    positions = np.arange(len(order))
    rank = np.empty(len(order), np.int64)
    rank[order] = positions - np.maximum.accumulate(np.where(opens, positions, 0))
    return rank


def _seen_within(
    group: Hashes, time_ms: Ints, lifetime_ms: Ints, fill_ms: int
) -> NDArray[np.bool_]:
    """True where the group was used between `fill_ms` and the lifetime before."""
    order = np.argsort(group, kind="stable")
    sorted_time, opens = time_ms[order], _opens_group(group[order])
    if not len(order):
        return np.zeros(0, np.bool_)
    if fill_ms == 0:
        age = np.diff(sorted_time, prepend=sorted_time[:1])
        warm_sorted = ~opens & (age <= lifetime_ms[order])
    else:
        warm_sorted = _filled_before(sorted_time, opens, lifetime_ms[order], fill_ms)
    warm = np.empty(len(order), np.bool_)
    warm[order] = warm_sorted
    return warm


def _filled_before(
    sorted_time: Ints, opens: NDArray[np.bool_], lifetime_ms: Ints, fill_ms: int
) -> NDArray[np.bool_]:
    group_number = np.cumsum(opens)
    since_first = sorted_time - sorted_time.min()
    span = int(since_first.max()) + fill_ms + 1
    line = group_number * span + since_first
    before = np.searchsorted(line, line - fill_ms, side="right") - 1
    known = (before >= 0) & (group_number[before] == group_number)
    warm: NDArray[np.bool_] = known & (sorted_time - sorted_time[before] <= lifetime_ms)
    return warm


def _opens_group(sorted_group: Hashes) -> NDArray[np.bool_]:
    opens = np.ones(len(sorted_group), np.bool_)
    opens[1:] = sorted_group[1:] != sorted_group[:-1]
    return opens
