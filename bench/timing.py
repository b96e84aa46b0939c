"""Reference and subject measured in turn, so that other load on the machine falls on both."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal, NamedTuple

Clock = Callable[[], float]
Work = Callable[[], object]
Kind = Literal["at_least", "at_most"]
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


class Cost(NamedTuple):
    """What one run took: seconds on the wall, and of processor time."""

    wall_seconds: float
    cpu_seconds: float


class Step(NamedTuple):
    """A piece of work, and what is done before each run of it, unmeasured."""

    work: Work
    before: Work = lambda: None


@dataclass(frozen=True)
class Target:
    """What a ratio has to reach: `at_least` or `at_most` so much."""

    kind: Kind
    ratio: float

    def met_by(self, ratio: float) -> bool:
        """Whether a measured ratio reaches it."""
        return ratio >= self.ratio if self.kind == "at_least" else ratio <= self.ratio


def own_cpu_seconds() -> float:
    """Processor time of this process."""
    return time.process_time()


def tree_cpu_seconds(pid: int) -> float:
    """Processor time of a process and all of its children, ended ones too (Linux; else 0.0)."""
    children = _children()
    queue, seconds = [pid], 0.0
    while queue:
        one = queue.pop()
        queue += children.get(one, [])
        seconds += _cpu_seconds(one)
    return seconds


def with_servers(*pids: int) -> Clock:
    """A processor clock of this process together with server processes and their children."""
    return lambda: own_cpu_seconds() + sum(tree_cpu_seconds(pid) for pid in pids)


def cost_of(step: Step, cpu: Clock = own_cpu_seconds) -> Cost:
    """Run it once."""
    step.before()
    wall, processor = time.perf_counter(), cpu()
    step.work()
    return Cost(time.perf_counter() - wall, cpu() - processor)


def in_turn(
    steps: Mapping[str, Step], runs: int, cpu: Clock = own_cpu_seconds
) -> dict[str, list[Cost]]:
    """Run all steps `runs` times, forwards and backwards in turn, after one unmeasured round."""
    costs: dict[str, list[Cost]] = {name: [] for name in steps}
    for turn in range(runs + 1):
        order = list(steps) if turn % 2 else list(steps)[::-1]
        for name in order:
            cost = cost_of(steps[name], cpu)
            if turn:
                costs[name].append(cost)
    return costs


def seconds_of(costs: Sequence[Cost]) -> dict[str, Any]:
    """The raw seconds of every run, and their medians."""
    wall, cpu = [one.wall_seconds for one in costs], [one.cpu_seconds for one in costs]
    return {
        "wall_seconds": _rounded(wall),
        "cpu_seconds": _rounded(cpu),
        "median_wall_seconds": round(median(wall), 4),
        "median_cpu_seconds": round(median(cpu), 4),
    }


def speed_ratio(
    reference: Sequence[Cost], subject: Sequence[Cost], target: Target, work_ratio: float = 1.0
) -> dict[str, Any]:
    """How many times as fast the subject is: seconds of the reference over those of the subject.

    `work_ratio`: how much more work a run of the subject does than one of the reference.
    """
    return _ratio(reference, subject, target, work_ratio)


def time_ratio(
    reference: Sequence[Cost], subject: Sequence[Cost], target: Target
) -> dict[str, Any]:
    """How many times as long the subject takes."""
    return _ratio(subject, reference, target, 1.0)


def _ratio(
    over: Sequence[Cost], under: Sequence[Cost], target: Target, by: float
) -> dict[str, Any]:
    wall = by * median(one.wall_seconds for one in over) / median(one.wall_seconds for one in under)
    below = median(one.cpu_seconds for one in under)
    cpu = by * median(one.cpu_seconds for one in over) / below if below > 0 else None
    return {
        "ratio": round(wall, 3),
        "cpu_ratio": None if cpu is None else round(cpu, 3),
        "target": {target.kind: target.ratio},
        "met": target.met_by(wall),
    }


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(value, 4) for value in values]


def _cpu_seconds(pid: int) -> float:
    """Of one process, with its children that have ended."""
    try:
        after_name = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(int(ticks) for ticks in after_name[11:15]) / _TICKS_PER_SECOND


def _children() -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        found.setdefault(parent, []).append(int(path.parent.name))
    return found
