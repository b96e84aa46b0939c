"""A simulated organization over HTTP, whose history does not change while it is read."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ingest.simulator.access import Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.world import World


@contextmanager
def usage_served(*, series: int, days: int) -> Iterator[str]:
    """The base URL of a usage API with so many series and days of history; the key is DEMO_KEY."""
    anchor_hour = int(time.time()) // 3600
    world = World((), seed=7, anchor_hour=anchor_hour, history_days=days, series=series)
    server = Server("127.0.0.1", 0, Api(world, Access()))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"{server.url}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
