"""Everything the simulated organization does: all stories, and the series made for load."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from ingest.simulator.history import SECONDS_PER_HOUR, History
from ingest.simulator.load_series import LoadSeries
from ingest.simulator.requests import Ints
from ingest.simulator.service import FIELDS
from ingest.simulator.story import ApiKey, Project, Story
from ingest.simulator.workload import Cell

HOURS_PER_DAY = 24


class World:
    """Usage of all cells. `anchor_hour`: whole UTC hours since the epoch at first start.

    Traffic begins `history_days` before the anchor; earlier hours are idle. `series` cheap
    series are added to the stories.
    """

    def __init__(
        self,
        stories: Iterable[Story],
        seed: int,
        anchor_hour: int,
        history_days: int = 42,
        series: int = 0,
    ) -> None:
        self.stories = tuple(stories)
        self.seed, self.anchor_hour = seed, anchor_hour
        self.first_hour = anchor_hour - history_days * HOURS_PER_DAY
        origin = (seed, anchor_hour, self.first_hour)
        self._load = LoadSeries(series, *origin)
        self._streams: list[History | LoadSeries] = [
            History(workload, *origin) for story in self.stories for workload in story.workloads
        ]
        self._streams.append(self._load)
        self.cells: tuple[Cell, ...] = tuple(c for stream in self._streams for c in stream.cells)

    def projects(self) -> list[tuple[Project, tuple[ApiKey, ...]]]:
        """All projects with their API keys."""
        named = [(one.project, one.keys) for one in self.stories if one.project is not None]
        loaded = zip(self._load.projects, self._load.keys, strict=True)
        return named + [(project, (key,)) for project, key in loaded]

    def selection(self, chosen: Callable[[Cell], bool]) -> Selection:
        """The usage of the cells that `chosen` accepts."""
        streams, rows, cells = [], [], []
        for stream in self._streams:
            kept = [place for place, one in enumerate(stream.cells) if chosen(one)]
            if kept:
                streams.append(stream)
                rows.append(np.array(kept))
                cells += [stream.cells[place] for place in kept]
        return Selection(streams, rows, cells)


class Selection:
    """Some cells of the world and their usage over any span of time."""

    def __init__(
        self, streams: list[History | LoadSeries], rows: list[Ints], cells: list[Cell]
    ) -> None:
        self._streams, self._rows = streams, rows
        self.cells = cells

    def prepare(self, start: int, end: int) -> None:
        """Compute the whole hours of [start, end) (seconds) that are not known yet, at once."""
        first, last = -(-start // SECONDS_PER_HOUR), end // SECONDS_PER_HOUR
        for stream in self._streams:
            stream.prepare(first, last)

    def usage(self, start: int, end: int, now: float) -> Ints:
        """Usage of [start, end) in seconds since the epoch as reported at `now`; (cells, FIELDS)."""
        total = np.zeros((len(self.cells), len(FIELDS)), np.int64)
        at = start
        while at < end:
            stop = min(end, (at // SECONDS_PER_HOUR + 1) * SECONDS_PER_HOUR)
            place = 0
            for stream, rows in zip(self._streams, self._rows, strict=True):
                total[place : place + len(rows)] += stream.usage(at, stop, now)[rows]
                place += len(rows)
            at = stop
        return total
