"""Serves a rollout with and without its repair: hourly usage, and what is true about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ingest.simulator.fleet import cached_tokens, written_tokens
from ingest.simulator.requests import MS_PER_HOUR, Ints
from ingest.simulator.seeding import mix, name_hash
from ingest.simulator.workload import Cell, Workload
from tests.accuracy.rollouts.scene import RolloutScene
from tests.accuracy.scene import Scene
from tests.accuracy.series import CellName
from tests.accuracy.serving import _requests

BUSY_QUANTILE = 0.60
WEEK_HOURS = 168
# USD a token: fresh, read, and written where writes are billed.
PRICES_USD = (2.0e-6, 0.2e-6, 2.5e-6)


class Usage(NamedTuple):
    """Hourly usage by cell, ordered by hour; int64 columns. `written` 0 where not billed."""

    hour: Ints
    cell: Ints
    requests: Ints
    input: Ints
    cached: Ints
    written: Ints


class Truth(NamedTuple):
    """What the repair does: in the seven days after the first hour after it, or for good.

    `busy`, `pooled`: to the shares of busy and of all hours; `first`: to that of hours after one
    without traffic, None where there is none; `cost`: to the net input cost, as a part of it.
    """

    busy: float
    pooled: float
    first: float | None = None
    cost: float = 0.0


@dataclass(frozen=True)
class Rollout:
    """One served rollout: usage by cell, the marker, and the truth that no judge may see.

    `truth` is of the week after the marker. `lasting` is of four weeks with the repair against the
    same four weeks without it: what one week's estimate is an estimate of.
    """

    family: str
    seed: int
    model: str
    generation: str
    kind: str
    first_hour: int
    end_hour: int
    marker_hour: int
    marked_too: bool
    cells: tuple[CellName, ...]
    bills_writes: bool
    truth: Truth
    lasting: Truth
    usage: Usage


def served_usage(
    scene: Scene, seed: int, stray: tuple[int, float] | None = None
) -> tuple[tuple[Cell, ...], Usage]:
    """The hourly usage of a scene; `stray`: from this hour on, that part of requests finds nothing."""
    cells = tuple(dict.fromkeys(cell for work in scene.workloads for cell in work.cells))
    parts = [_usage(scene, work, seed, cells, stray) for work in scene.workloads]
    hour, cell, *columns = (np.concatenate([part[i] for part in parts]) for i in range(6))
    place, inverse = np.unique(hour * len(cells) + cell, return_inverse=True)
    sums = [np.bincount(inverse, one, len(place)).astype(np.int64) for one in columns]
    return cells, Usage(place // len(cells), place % len(cells), *sums)


def _usage(
    scene: Scene,
    work: Workload,
    seed: int,
    cells: tuple[Cell, ...],
    stray: tuple[int, float] | None,
) -> Usage:
    requests, conditions = _requests(scene, work, seed)
    cached = cached_tokens(requests, work.fleet, work.rules, conditions)
    hour = requests.time_ms // MS_PER_HOUR
    if stray is not None:
        draws = mix(requests.spill.view(np.uint64) ^ np.uint64(name_hash("stray")))
        lost = draws.astype(np.float64) / 2.0**64 < stray[1]
        cached = np.where(lost & (hour >= stray[0]), 0, cached)
    written = written_tokens(requests, work.rules, cached)
    inside = requests.time_ms >= scene.site.first_hour * MS_PER_HOUR
    place = np.array([cells.index(one) for one in work.cells], np.int64)
    columns = (
        hour,
        place[requests.cell],
        np.ones(len(hour), np.int64),
        requests.input_tokens,
        cached,
        written,
    )
    return Usage(*(column[inside] for column in columns))


def serve_rollout(family: str, seed: int, simulator_seed: int, scene: RolloutScene) -> Rollout:
    """Both runs of a rollout."""
    site = scene.site
    end = site.anchor_hour
    stray = None if scene.stray_from is None else (end + scene.stray_from, scene.stray)
    shipped, untouched = scene.scenes
    cells, usage = served_usage(shipped, simulator_seed, stray)
    other = usage
    if scene.shipped != scene.untouched:
        _, other = served_usage(untouched, simulator_seed, stray)
    always = other
    if scene.repaired is not None:
        _, always = served_usage(Scene(site, scene.repaired), simulator_seed, stray)
    marker = end + scene.marker
    return Rollout(
        family=family,
        seed=seed,
        model=site.model,
        generation=site.generation,
        kind=scene.kind,
        first_hour=site.first_hour,
        end_hour=end,
        marker_hour=marker,
        marked_too=scene.marked_too,
        cells=tuple(CellName(c.api_key_id, c.batch, c.service_tier, c.model) for c in cells),
        bills_writes=site.rules.bills_writes,
        truth=truth_of(usage, other, marker),
        lasting=change_between(always, other, (site.first_hour + 1, end), busy_from(other, marker)),
        usage=usage,
    )


def truth_of(usage: Usage, other: Usage, marker: int) -> Truth:
    """The shares as they came, minus those without the repair, in the week after the marker."""
    start = marker + 1
    return change_between(usage, other, (start, start + WEEK_HOURS), busy_from(usage, marker))


def busy_from(usage: Usage, marker: int) -> float:
    """Requests an hour from which an hour is busy.

    The 60th percentile of load of the week before, or of the week after where that is lower.
    """
    spans = (marker - WEEK_HOURS, marker), (marker + 1, marker + 1 + WEEK_HOURS)
    loads = [_by_hour(usage, usage.requests, *span) for span in spans]
    return min(float(np.quantile(load[load > 0], BUSY_QUANTILE)) for load in loads)


def change_between(usage: Usage, other: Usage, span: tuple[int, int], busy: float) -> Truth:
    """The shares and the cost of `usage`, beside those of `other`, over the hours of a span."""
    start, end = span
    load = _by_hour(usage, usage.requests, start, end)
    idle_before = _by_hour(usage, usage.requests, start - 1, end - 1) == 0
    shares = [
        _change_of_share(usage, other, span, where)
        for where in (load >= busy, load > 0, (load > 0) & idle_before)
    ]
    costs = [cost_of(one, start, end) for one in (usage, other)]
    return Truth(shares[0] or 0.0, shares[1] or 0.0, shares[2], costs[0] / costs[1] - 1.0)


def _change_of_share(
    usage: Usage, other: Usage, span: tuple[int, int], where: np.ndarray
) -> float | None:
    if not where.any():
        return None
    with_repair, without = (
        _by_hour(one, one.cached, *span)[where].sum() / _by_hour(one, one.input, *span)[where].sum()
        for one in (usage, other)
    )
    return float(with_repair - without)


def cost_of(usage: Usage, start: int, end: int) -> float:
    """USD of the input of the hours from `start` to before `end`, for fresh, read and written parts."""
    inside = (usage.hour >= start) & (usage.hour < end)
    fresh = usage.input - usage.cached - usage.written
    parts = (fresh, usage.cached, usage.written)
    return float(
        sum(price * part[inside].sum() for price, part in zip(PRICES_USD, parts, strict=True))
    )


def _by_hour(usage: Usage, column: Ints, start: int, end: int) -> np.ndarray:
    inside = (usage.hour >= start) & (usage.hour < end)
    return np.bincount(usage.hour[inside] - start, column[inside], end - start)
