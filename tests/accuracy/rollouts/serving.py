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


class Usage(NamedTuple):
    """Hourly usage by cell, ordered by hour; int64 columns. `written` 0 where not billed."""

    hour: Ints
    cell: Ints
    requests: Ints
    input: Ints
    cached: Ints
    written: Ints


class Truth(NamedTuple):
    """What the repair did to the shares in the seven days after the first hour after it."""

    busy: float
    pooled: float


@dataclass(frozen=True)
class Rollout:
    """One served rollout: usage by cell, the marker, and the truth that no judge may see."""

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
    truth: Truth
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
        truth=truth_of(usage, other, marker),
        usage=usage if site.rules.bills_writes else _without_writes(usage),
    )


def _without_writes(usage: Usage) -> Usage:
    """Nothing is billed as written."""
    return usage._replace(written=np.zeros_like(usage.written))


def truth_of(usage: Usage, other: Usage, marker: int) -> Truth:
    """The shares as they came, minus those without the repair, after the marker.

    Busy hours are those at or above the 60th percentile of load of the week before, or of the week
    after where that is lower.
    """
    start = marker + 1
    before, after = (marker - WEEK_HOURS, marker), (start, start + WEEK_HOURS)
    load_before, load_after = (_by_hour(usage, usage.requests, *span) for span in (before, after))
    limit = min(
        float(np.quantile(load[load > 0], BUSY_QUANTILE)) for load in (load_before, load_after)
    )
    busy = load_after >= limit
    shares = []
    for where in (busy, load_after > 0):
        with_repair, without = (
            _by_hour(one, one.cached, *after)[where].sum()
            / _by_hour(one, one.input, *after)[where].sum()
            for one in (usage, other)
        )
        shares.append(float(with_repair - without))
    return Truth(*shares)


def _by_hour(usage: Usage, column: Ints, start: int, end: int) -> np.ndarray:
    inside = (usage.hour >= start) & (usage.hour < end)
    return np.bincount(usage.hour[inside] - start, column[inside], end - start)
