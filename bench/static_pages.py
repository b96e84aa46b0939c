"""A usage API whose pages are made once: the simulator's, kept by their address.

`python -m bench.static_pages --series 1000 --days 49` prints its base URL and serves until its
standard input ends. It runs in a process of its own, so that its work is not that of the client.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ingest.simulator.access import Access
from ingest.simulator.api import Answer, Api, Call
from ingest.simulator.server import Server
from ingest.simulator.world import World


class KeptApi(Api):
    """Every address is answered anew only the first time."""

    def __init__(self, world: World, access: Access) -> None:
        super().__init__(world, access)
        self._kept: dict[str, Answer] = {}

    def answer(self, call: Call) -> Answer:
        """The kept answer, where there is one."""
        if call.target not in self._kept:
            self._kept[call.target] = super().answer(call)
        return self._kept[call.target]


@contextmanager
def pages_served(series: int, days: int) -> Iterator[str]:
    """The base URL of such an API in another process; its key is DEMO_KEY."""
    argv = [sys.executable, "-m", "bench.static_pages"]
    options = ["--series", str(series), "--days", str(days)]
    with subprocess.Popen(
        [*argv, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield (process.stdout.readline() if process.stdout else "").strip()
        finally:
            process.terminate()


def main() -> int:
    """Serve until the standard input ends."""
    parser = argparse.ArgumentParser(prog="python -m bench.static_pages", description=__doc__)
    parser.add_argument("--series", type=int, default=1000)
    parser.add_argument("--days", type=int, default=49)
    options = parser.parse_args()
    anchor_hour = int(time.time()) // 3600
    world = World(
        (), seed=7, anchor_hour=anchor_hour, history_days=options.days, series=options.series
    )
    server = Server("127.0.0.1", 0, KeptApi(world, Access()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(f"{server.url}/v1\n")
    sys.stdout.flush()
    sys.stdin.read()
    return 0


if __name__ == "__main__":
    sys.exit(main())
