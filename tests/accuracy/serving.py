"""Serves a scene three times: as it is, with everybody at home, and on one ideal machine."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ingest.simulator.fleet import Conditions, cached_tokens, written_tokens
from ingest.simulator.requests import MS_PER_HOUR, Ints, Requests, join, requests_started_in
from ingest.simulator.service import _conditions, _counted, _warm_up_hours
from ingest.simulator.workload import Cell, Fleet, Workload
from tests.accuracy.scene import Scene

FIELDS = ("requests", "counted", "input", "cached", "written", "home", "ideal")
REQUESTS, COUNTED, INPUT, CACHED, WRITTEN, HOME, IDEAL = range(len(FIELDS))
MS_PER_MINUTE = 60_000
CLOCK_PEAK_UTC_HOUR = 14


@dataclass(frozen=True)
class ServedScene:
    """All requests of the window, ordered by workload.

    Attributes:
        cells: the distinct cells; `cell` indexes them.
        usage: int64 (requests, len(FIELDS)). `counted` is 0 where the provider counts no request;
            `home` and `ideal` are the tokens read from cache in the two counterfactuals.
        late: not reported yet when the usage is read.

    """

    cells: tuple[Cell, ...]
    time_ms: Ints
    cell: Ints
    usage: Ints
    late: NDArray[np.bool_]

    def sums(self, rows: NDArray[np.bool_], unit_ms: int) -> tuple[Ints, Ints, Ints]:
        """Unit numbers, cells and summed usage of the chosen requests, by unit of time and cell."""
        place = self.time_ms[rows] // unit_ms * len(self.cells) + self.cell[rows]
        found, inverse = np.unique(place, return_inverse=True)
        sums = np.stack(
            [np.bincount(inverse, column, len(found)) for column in self.usage[rows].T], axis=1
        )
        return found // len(self.cells), found % len(self.cells), sums.astype(np.int64)


def serve_scene(scene: Scene, seed: int) -> ServedScene:
    """Serve every workload of the scene with all three fleets."""
    cells = tuple(dict.fromkeys(cell for work in scene.workloads for cell in work.cells))
    parts = [_serve(scene, workload, seed, cells) for workload in scene.workloads]
    time_ms, cell, usage, late = (np.concatenate([part[i] for part in parts]) for i in range(4))
    return ServedScene(cells, time_ms, cell, usage, late)


def at_home(fleet: Fleet) -> Fleet:
    """The same fleet in which nobody leaves the home machine of the route."""
    return replace(fleet, overflow_per_minute=None, stray_share=0.0)


def _serve(
    scene: Scene, workload: Workload, seed: int, cells: tuple[Cell, ...]
) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
    requests, conditions = _requests(scene, workload, seed)
    fleet, rules = workload.fleet, workload.rules
    cached = cached_tokens(requests, fleet, rules, conditions)
    home = cached_tokens(requests, at_home(fleet), rules, conditions)
    ideal = cached_tokens(requests, fleet, rules, conditions, one_machine=True)
    written = written_tokens(requests, rules, cached)
    ones = np.ones(len(requests), np.int64)
    counted = _counted(workload, requests.time_ms)
    usage = np.stack([ones, counted, requests.input_tokens, cached, written, home, ideal], axis=1)
    place = np.array([cells.index(cell) for cell in workload.cells], np.int64)
    inside = requests.time_ms >= scene.site.first_hour * MS_PER_HOUR
    late = _unreported(scene, workload, requests)
    return requests.time_ms[inside], place[requests.cell[inside]], usage[inside], late[inside]


def _requests(scene: Scene, workload: Workload, seed: int) -> tuple[Requests, Conditions]:
    """The workload's requests from one lifetime before the window to its end, and the fleet's state."""
    site = scene.site
    warm_from = site.first_hour - _warm_up_hours(workload)
    earliest = warm_from - (1 if workload.prompts.turns > 1.0 else 0)
    hours = _active_hours(workload, site.anchor_hour, earliest)
    requests = join([requests_started_in(workload, seed, site.anchor_hour, h) for h in hours])
    order = np.argsort(requests.time_ms, kind="stable")
    edges = np.array([warm_from, site.anchor_hour]) * MS_PER_HOUR
    low, high = np.searchsorted(requests.time_ms[order], edges)
    conditions = _conditions(workload, seed, site.anchor_hour, warm_from, site.anchor_hour)
    return requests.take(order[low:high]), _in_this_scene(scene, workload, conditions)


def _active_hours(workload: Workload, anchor_hour: int, earliest: int) -> range:
    """The hours in which the workload may start requests; at least one, for empty columns."""
    begins = earliest if workload.begins is None else max(earliest, anchor_hour + workload.begins)
    ends = anchor_hour if workload.ends is None else min(anchor_hour, anchor_hour + workload.ends)
    return range(begins, max(ends, begins + 1))


def _in_this_scene(scene: Scene, workload: Workload, conditions: Conditions) -> Conditions:
    lifetime, spill = conditions.lifetime_ms.copy(), conditions.spill_machines
    for hour in scene.flushed_hours:
        lifetime[scene.site.first_hour + hour - conditions.first_hour] = 0
    if scene.pool_follows_clock:
        hours = conditions.first_hour + np.arange(len(spill))
        turn = 2.0 * math.pi * (hours % 24 - CLOCK_PEAK_UTC_HOUR) / 24.0
        pool = workload.fleet.spill_at_peak ** ((1.0 + np.cos(turn)) / 2.0)
        spill = np.maximum(1, np.round(pool)).astype(np.int64)
    return Conditions(conditions.first_hour, spill, lifetime)


def _unreported(scene: Scene, workload: Workload, requests: Requests) -> NDArray[np.bool_]:
    """Requests the provider has not counted yet when the usage is read."""
    site, revision = scene.site, workload.revision
    not_there_ms = (site.anchor_hour - 1 + site.newest_part) * MS_PER_HOUR
    missing: NDArray[np.bool_] = requests.time_ms >= not_there_ms
    if revision is not None:
        restated = requests.time_ms // MS_PER_HOUR + 1 + revision.delay_hours
        missing |= requests.late & (restated > site.anchor_hour + site.now_minutes / 60.0)
    return missing
