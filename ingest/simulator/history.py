"""The usage of one workload, computed hour by hour when asked for, and kept."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

import numpy as np

from ingest.simulator.requests import MS_PER_HOUR, Ints
from ingest.simulator.service import FIELDS, Served, arrived
from ingest.simulator.workload import Cell, Workload

SECONDS_PER_HOUR = 3600
HOURS_AT_ONCE = 168
REQUEST_HOURS_KEPT = 26


class History:
    """Usage of a workload from `first_hour` on; hours before it are idle. Safe in threads.

    Which hours were asked before never changes an answer.
    """

    def __init__(self, workload: Workload, seed: int, anchor_hour: int, first_hour: int) -> None:
        self.workload = workload
        self._seed, self._anchor_hour, self._first_hour = seed, anchor_hour, first_hour
        self._totals: dict[int, tuple[Ints, Ints]] = {}
        self._requests: OrderedDict[int, Served] = OrderedDict()
        self._lock = Lock()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells its totals have rows for."""
        return self.workload.cells

    def usage(self, start: int, end: int, now: float) -> Ints:
        """Usage of [start, end), within one UTC hour, as reported at `now`; (cells, FIELDS).

        Times in seconds since the epoch. Requests after `now` have not happened yet.
        """
        hour = start // SECONDS_PER_HOUR
        if hour < self._first_hour or start >= now:
            return np.zeros((len(self.cells), len(FIELDS)), np.int64)
        end_ms = min(end * 1000, int(now * 1000))
        if end_ms - start * 1000 == MS_PER_HOUR:
            whole, on_time = self._hour_totals(hour)
            return on_time if self._awaits_revision(hour, now) else whole
        served = self._hour_requests(hour).between(start * 1000, end_ms)
        if self._awaits_revision(hour, now):
            served = served.on_time()
        return served.totals(len(self.cells))

    def prepare(self, first_hour: int, end_hour: int) -> None:
        """Compute the missing hours of [first_hour, end_hour) in long runs."""
        with self._lock:
            missing = [
                hour
                for hour in range(max(first_hour, self._first_hour), end_hour)
                if hour not in self._totals
            ]
            for run in _runs(missing):
                self._compute(run.start, run.stop)

    def _hour_totals(self, hour: int) -> tuple[Ints, Ints]:
        known = self._totals.get(hour)
        if known is None:
            self.prepare(hour, hour + 1)
            known = self._totals[hour]
        return known

    def _compute(self, first_hour: int, end_hour: int) -> None:
        served = arrived(self.workload, self._seed, self._anchor_hour, first_hour, end_hour).serve()
        whole = served.by_hour(first_hour, end_hour, len(self.cells))
        on_time = whole
        if self.workload.revision is not None:
            on_time = served.on_time().by_hour(first_hour, end_hour, len(self.cells))
        for place, hour in enumerate(range(first_hour, end_hour)):
            self._totals[hour] = (whole[place], on_time[place])

    def _hour_requests(self, hour: int) -> Served:
        with self._lock:
            known = self._requests.pop(hour, None)
            if known is None:
                known = arrived(
                    self.workload, self._seed, self._anchor_hour, hour, hour + 1
                ).serve()
            self._requests[hour] = known
            while len(self._requests) > REQUEST_HOURS_KEPT:
                self._requests.popitem(last=False)
            return known

    def _awaits_revision(self, hour: int, now: float) -> bool:
        revision = self.workload.revision
        if revision is None or hour % revision.every:
            return False
        return now < (hour + 1 + revision.delay_hours) * SECONDS_PER_HOUR


def _runs(hours: list[int]) -> list[range]:
    """Consecutive hours as ranges of at most HOURS_AT_ONCE."""
    runs: list[range] = []
    for hour in hours:
        if runs and runs[-1].stop == hour and len(runs[-1]) < HOURS_AT_ONCE:
            runs[-1] = range(runs[-1].start, hour + 1)
        else:
            runs.append(range(hour, hour + 1))
    return runs
