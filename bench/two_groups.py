"""Two groups of workers on one database and one broker over TCP, against one group.

Each group has a local folder of its own, as on a machine of its own. Several sources are backfilled
and classified through the queue; afterwards no week was read twice, no bucket is doubled, and every
series has one verdict. Both groups share the cores of this machine, so that the ratio is a lower
bound of what two machines would give.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from statistics import median
from typing import Any

from bench.over_tcp import ROOT, Shared, manage, shared_servers, worker_groups
from bench.part import Figures, Options
from bench.static_pages import pages_served
from bench.timing import Target

SOURCES, SERIES, DAYS = 4, 250, 14
TARGET = Target("at_least", 1.0)


def run(options: Options) -> Figures:
    """Figures of one group and of two, in turn."""
    series, days = options.size(SERIES, 4), options.fixed(DAYS, 8)
    found: dict[int, list[dict[str, Any]]] = {1: [], 2: []}
    with pages_served(series, days + 8) as base_url:
        for turn in range(options.runs):
            for groups in ((1, 2), (2, 1))[turn % 2]:
                found[groups].append(_once(groups, base_url, days))
    wall = {groups: [one["seconds"] for one in runs] for groups, runs in found.items()}
    ratio = median(wall[1]) / median(wall[2])
    return {
        "sources": SOURCES,
        "series_of_each": series,
        "wall_seconds": {f"{groups}_groups": seconds for groups, seconds in wall.items()},
        "two_against_one": {"ratio": round(ratio, 3), "met": TARGET.met_by(ratio)},
        "after_one_group": found[1][-1],
        "after_two_groups": found[2][-1],
        "doubled": any(one["doubled"] for runs in found.values() for one in runs),
        "both_worked": all(len(one["groups"]) == 2 for one in found[2]),
    }


def _once(groups: int, base_url: str, days: int) -> dict[str, Any]:
    with shared_servers() as shared:
        manage(shared, "migrate", "--verbosity", "0")
        with worker_groups(shared, groups):
            return _driven(shared, base_url, days, groups)


def _driven(shared: Shared, base_url: str, days: int, groups: int) -> dict[str, Any]:
    """A process that puts the work on the queue, and waits until it is done."""
    numbers = [str(SOURCES), str(days), str(groups)]
    argv = [sys.executable, "-m", "bench.two_groups_work", base_url, *numbers]
    answer = subprocess.run(
        argv,
        cwd=ROOT,
        env=os.environ | shared.environment("caller"),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    found: dict[str, Any] = json.loads(answer.stdout.splitlines()[-1])
    return found
