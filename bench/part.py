"""What every part of the bench is: a name, sizes, and a function that gives its figures."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Options:
    """How much is measured: `tiny` proves that a part runs, and its figures mean nothing.

    `scale`: part of the whole sizes, above 0 up to 1.
    """

    runs: int = 5
    tiny: bool = False
    scale: float = 1.0

    def size(self, whole: int, tiny: int) -> int:
        """A number of things that scales: of the whole one, or the tiny one."""
        return tiny if self.tiny else max(tiny, round(whole * self.scale))

    def fixed(self, whole: int, tiny: int) -> int:
        """A number that does not scale."""
        return tiny if self.tiny else whole


Part = Callable[[Options], Figures]


def peak_megabytes() -> int:
    """Peak resident memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def machine() -> dict[str, Any]:
    """Where it ran, and how busy the machine was when it began."""
    return {
        "cores": os.cpu_count(),
        "load_average": [round(one, 2) for one in os.getloadavg()],
        "niceness": os.nice(0),
    }
