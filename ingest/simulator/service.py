"""One workload served by its fleet: hours in, usage per request and per hour out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingest.simulator.fleet import Conditions, cached_tokens, written_tokens
from ingest.simulator.requests import MS_PER_HOUR, Ints, Requests, join, requests_started_in
from ingest.simulator.workload import Workload

FIELDS = ("requests", "input", "cached", "written_30m", "written_12h", "output")
REQUESTS, INPUT, CACHED, WRITTEN_30M, WRITTEN_12H, OUTPUT = range(len(FIELDS))
NOON_UTC_HOUR = 14


@dataclass(frozen=True)
class Served:
    """Requests of [first_hour, end_hour) ordered by time; `usage` has one column per FIELDS."""

    time_ms: Ints
    cell: Ints
    usage: Ints
    late: NDArray[np.bool_]

    def between(self, start_ms: int, end_ms: int) -> Served:
        """The requests of [start_ms, end_ms)."""
        low, high = np.searchsorted(self.time_ms, [start_ms, end_ms])
        rows = slice(low, high)
        return Served(self.time_ms[rows], self.cell[rows], self.usage[rows], self.late[rows])

    def on_time(self) -> Served:
        """Without the requests that are reported late."""
        kept = ~self.late
        return Served(self.time_ms[kept], self.cell[kept], self.usage[kept], self.late[kept])

    def totals(self, cells: int) -> Ints:
        """Sums by cell, shape (cells, FIELDS)."""
        return _sums(self.cell, self.usage, cells)

    def by_hour(self, first_hour: int, end_hour: int, cells: int) -> Ints:
        """Sums by hour and cell, shape (hours, cells, FIELDS)."""
        hours = end_hour - first_hour
        place = (self.time_ms // MS_PER_HOUR - first_hour) * cells + self.cell
        return _sums(place, self.usage, hours * cells).reshape(hours, cells, len(FIELDS))


@dataclass(frozen=True)
class Arrived:
    """A workload's requests from the warm-up of `first_hour` to `end_hour`, ordered by time."""

    workload: Workload
    requests: Requests
    conditions: Conditions
    first_hour: int
    end_hour: int

    def serve(self, one_machine: bool = False) -> Served:
        """What the fleet makes of the requests; or one ideal machine in its place."""
        workload, requests = self.workload, self.requests
        cached = cached_tokens(
            requests, workload.fleet, workload.rules, self.conditions, one_machine
        )
        written = written_tokens(requests, workload.rules, cached)
        none = np.zeros_like(written)
        by_lifetime = (none, written) if workload.rules.twelve_hours else (written, none)
        counted = _counted(workload, requests.time_ms)
        usage = np.stack(
            [counted, requests.input_tokens, cached, *by_lifetime, requests.output_tokens], axis=1
        )
        served = Served(requests.time_ms, requests.cell, usage, requests.late)
        return served.between(self.first_hour * MS_PER_HOUR, self.end_hour * MS_PER_HOUR)

    def hourly_usage(self, one_machine: bool = False) -> Ints:
        """Usage by hour and cell, shape (hours, cells, FIELDS), all requests reported."""
        served = self.serve(one_machine)
        return served.by_hour(self.first_hour, self.end_hour, len(self.workload.cells))


def arrived(
    workload: Workload, seed: int, anchor_hour: int, first_hour: int, end_hour: int
) -> Arrived:
    """The requests of [first_hour, end_hour) after a warm-up of one entry lifetime.

    A function of its arguments alone: an hour comes out the same alone or within a longer run.
    """
    warm_from = first_hour - _warm_up_hours(workload)
    earliest = warm_from - (1 if workload.prompts.turns > 1.0 else 0)
    started = [
        requests_started_in(workload, seed, anchor_hour, hour) for hour in range(earliest, end_hour)
    ]
    requests = join(started)
    order = np.argsort(requests.time_ms, kind="stable")
    edges = np.array([warm_from, end_hour]) * MS_PER_HOUR
    low, high = np.searchsorted(requests.time_ms[order], edges)
    conditions = _conditions(workload, seed, anchor_hour, warm_from, end_hour)
    return Arrived(workload, requests.take(order[low:high]), conditions, first_hour, end_hour)


def _conditions(
    workload: Workload, seed: int, anchor_hour: int, first_hour: int, end_hour: int
) -> Conditions:
    fleet, load = workload.fleet, workload.load
    hours = range(first_hour, end_hour)
    rates = [load.intensity(seed, anchor_hour, workload.stream_name, hour) for hour in hours]
    spill = [
        max(1, round(fleet.spill_at_peak * (rate / load.peak_per_hour) ** fleet.spill_exponent))
        for rate in rates
    ]
    lifetime = [_lifetime_ms(workload, hour, rate) for hour, rate in zip(hours, rates, strict=True)]
    return Conditions(first_hour, np.array(spill, np.int64), np.array(lifetime, np.int64))


def _lifetime_ms(workload: Workload, hour: int, rate: float) -> int:
    """Entry lifetime in an hour: shorter when its own load, or the clock's, presses on the memory."""
    fleet = workload.fleet
    seconds = fleet.lifetime_seconds
    if fleet.lifetime_at_peak_seconds is not None:
        seconds *= (fleet.lifetime_at_peak_seconds / seconds) ** workload.load.busyness(rate)
    if fleet.lifetime_at_noon_seconds is not None:
        turn = 2.0 * math.pi * (hour % 24 - NOON_UTC_HOUR) / 24.0
        pressure = (1.0 + math.cos(turn)) / 2.0
        seconds *= (fleet.lifetime_at_noon_seconds / fleet.lifetime_seconds) ** pressure
    return round(seconds * 1000.0)


def _warm_up_hours(workload: Workload) -> int:
    return math.ceil(workload.fleet.lifetime_seconds / 3600.0)


def _counted(workload: Workload, time_ms: Ints) -> Ints:
    """1 per request; 0 in the hours whose tokens arrive without a request count."""
    if not workload.uncounted_every:
        return np.ones(len(time_ms), np.int64)
    counted: Ints = np.sign((time_ms // MS_PER_HOUR) % workload.uncounted_every)
    return counted


def _sums(place: Ints, usage: Ints, size: int) -> Ints:
    """Exact integer sums: float64 sums of whole numbers below 2**53 lose nothing."""
    sums = np.zeros((size, len(FIELDS)), np.int64)
    for field, column in enumerate(usage.T):
        sums[:, field] = np.bincount(place, weights=column, minlength=size)
    return sums
