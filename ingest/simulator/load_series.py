"""Many cheap series for load tests: closed curves with noise, no request by request."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ingest.simulator.requests import Ints
from ingest.simulator.seeding import generator
from ingest.simulator.service import CACHED, FIELDS, INPUT, OUTPUT, REQUESTS
from ingest.simulator.story import ApiKey, Project
from ingest.simulator.workload import Cell

SECONDS_PER_HOUR = 3600
MODELS = (
    "gpt-5.4-2026-03-05",
    "gpt-5.4-mini-2026-03-17",
    "gpt-5.2-2025-12-11",
    "gpt-5.5-2026-04-23",
    "gpt-5.1-2025-11-13",
)
OUTPUT_TOKENS = 210  # per request
SHAPES = 5  # flat high, falls with load, rises with load, flat low, nothing cached

Floats = NDArray[np.float64]


class LoadSeries:
    """`count` series of one cell each, MODELS to a project, from `first_hour` on.

    Within an hour usage runs evenly, so that any cut of it adds up to the hour.
    """

    def __init__(self, count: int, seed: int, anchor_hour: int, first_hour: int) -> None:
        self.projects = tuple(
            Project(f"proj_load{number:05d}", f"load-{number:05d}")
            for number in range((count + len(MODELS) - 1) // len(MODELS))
        )
        self.keys = tuple(
            ApiKey(f"key_load{number:05d}", f"load-{number:05d} key")
            for number in range(len(self.projects))
        )
        self.cells = tuple(_cell(number) for number in range(count))
        self._seed, self._anchor_hour, self._first_hour = seed, anchor_hour, first_hour
        rng = generator(seed, anchor_hour, "load series")
        self._quiet = rng.uniform(20.0, 200.0, count)
        self._swing = rng.uniform(1.5, 15.0, count)
        self._peak_hour = rng.uniform(8.0, 18.0, count)
        self._size = rng.uniform(1500.0, 9000.0, count)
        self._level = rng.uniform(0.45, 0.85, count)
        self._shape = np.arange(count) % SHAPES

    def prepare(self, first_hour: int, end_hour: int) -> None:
        """Nothing to prepare: an hour costs next to nothing."""

    def usage(self, start: int, end: int, now: float) -> Ints:
        """Usage of [start, end), within one UTC hour, as known at `now`; (series, FIELDS)."""
        hour = start // SECONDS_PER_HOUR
        if hour < self._first_hour or start >= now or not self.cells:
            return np.zeros((len(self.cells), len(FIELDS)), np.int64)
        parts = self._parts(hour)
        begin, finish = start % SECONDS_PER_HOUR, min(end, int(now)) - hour * SECONDS_PER_HOUR
        cut = parts * finish // SECONDS_PER_HOUR - parts * begin // SECONDS_PER_HOUR
        cut[:, INPUT] += cut[:, CACHED]
        return cut

    def _parts(self, hour: int) -> Ints:
        """Usage of one whole hour, uncached tokens standing where FIELDS has input."""
        rng = generator(self._seed, self._anchor_hour, "load series", hour)
        noise = rng.standard_normal((3, len(self.cells)))
        height = (1.0 + np.cos(2.0 * np.pi * (hour % 24 - self._peak_hour) / 24.0)) / 2.0
        rate = self._quiet * self._swing**height * np.exp(0.1 * noise[0])
        requests = np.maximum(1, np.round(rate)).astype(np.int64)
        tokens = np.round(requests * self._size * np.exp(0.03 * noise[1])).astype(np.int64)
        share = np.clip(self._share(height) + 0.01 * noise[2], 0.0, 0.95)
        share[self._shape == SHAPES - 1] = 0.0
        cached = np.floor(tokens * share / 128.0).astype(np.int64) * 128
        parts = np.zeros((len(self.cells), len(FIELDS)), np.int64)
        for field, values in (
            (REQUESTS, requests),
            (INPUT, tokens - cached),
            (CACHED, cached),
            (OUTPUT, requests * OUTPUT_TOKENS),
        ):
            parts[:, field] = values
        return parts

    def _share(self, height: Floats) -> Floats:
        curves = np.stack(
            [
                self._level,
                self._level * (1.0 - 0.75 * height),
                self._level * (0.25 + 0.75 * height),
                0.1 * self._level,
                0.0 * self._level,
            ]
        )
        chosen: Floats = curves[self._shape, np.arange(len(self._shape))]
        return chosen


def _cell(number: int) -> Cell:
    project = number // len(MODELS)
    return Cell(
        project_id=f"proj_load{project:05d}",
        model=MODELS[number % len(MODELS)],
        api_key_id=f"key_load{project:05d}",
    )
