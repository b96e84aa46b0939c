"""What one series is made of: its draws, its place in time, its workloads, its family."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar
from zlib import crc32

import numpy as np

from ingest.simulator.workload import CacheRules, Workload

T = TypeVar("T")
Generation = Literal["until-5.4", "5.5", "from-5.6"]
LeavesHome = Literal["by the minute", "by the hour", "never"]


class Draw:
    """Random parameters of one series; each has a name and is kept for the list of errors."""

    def __init__(self, family: str, seed: int) -> None:
        self.simulator_seed = crc32(f"{family}/{seed}".encode())
        self.parameters: dict[str, float | str] = {}
        self._rng = np.random.Generator(np.random.PCG64([self.simulator_seed, 1]))

    def uniform(self, name: str, low: float, high: float) -> float:
        """Evenly between two values."""
        return self._keep(name, float(self._rng.uniform(low, high)))

    def log_uniform(self, name: str, low: float, high: float) -> float:
        """Evenly between two positive values on a logarithmic scale."""
        return self._keep(name, math.exp(float(self._rng.uniform(math.log(low), math.log(high)))))

    def integer(self, name: str, low: int, high: int) -> int:
        """A whole number from low to high, both included."""
        return int(self._keep(name, int(self._rng.integers(low, high + 1))))

    def chance(self, name: str, probability: float) -> bool:
        """True with that probability."""
        return bool(self._keep(name, float(self._rng.random() < probability)))

    def choice(self, name: str, options: Sequence[T]) -> T:
        """One of the options, all equally likely."""
        place = int(self._rng.integers(len(options)))
        self.parameters[name] = str(options[place])
        return options[place]

    def _keep(self, name: str, value: float) -> float:
        self.parameters[name] = round(value, 4)
        return value


@dataclass(frozen=True)
class Site:
    """When the window lies and what the model's cache does.

    `anchor_hour` ends the window of `days`; both in whole UTC hours since the epoch.
    `now_minutes`: minutes after the window's end at which the usage is read. `newest_part`: how
    much of the newest hour is reported by then.
    """

    anchor_hour: int
    days: int
    now_minutes: float
    newest_part: float
    model: str
    generation: Generation
    rules: CacheRules
    lifetime_seconds: float

    @property
    def first_hour(self) -> int:
        """The window's first hour."""
        return self.anchor_hour - self.days * 24


@dataclass(frozen=True)
class Scene:
    """One series before it is served.

    Attributes:
        site: its time and cache.
        workloads: what sends the requests; each cell of a workload gets an even part of it.
        current_from: hours after the window's first at which the present state of affairs began.
        flushed_hours: hours of the window (0-based) in which nothing is found in any cache.
        pool_follows_clock: the spill pool grows with the hour of the day at other customers, not
            with the series' own load.
        unreported_share: part of the hours whose cached tokens are not reported.

    """

    site: Site
    workloads: tuple[Workload, ...]
    current_from: int = 0
    flushed_hours: tuple[int, ...] = ()
    pool_follows_clock: bool = False
    unreported_share: float = 0.0


@dataclass(frozen=True)
class Family:
    """One cause.

    Attributes:
        name: its name in tables.
        cause: the cause in one sentence.
        draw: gives one series of it.
        acceptable: words a careful engineer could sign where nothing is lost to scatter; written
            before the family is run.
        acceptable_guilty: the same where the counterfactual shows a loss to scatter.
        leaves_home: what sends requests away from the home machine, if anything can: the rate of
            the minute (overflow), the load of the hour (rotation over a growing pool), or nothing.

    """

    name: str
    cause: str
    draw: Callable[[Draw], Scene]
    acceptable: tuple[str, ...]
    acceptable_guilty: tuple[str, ...] = ("load-correlated-misses",)
    leaves_home: LeavesHome = "by the minute"
