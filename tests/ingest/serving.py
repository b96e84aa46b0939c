"""What other processes read in a test: a simulated organization over HTTP, and the database."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from ingest.simulator.access import Access
from ingest.simulator.api import Answer, Api, Call
from ingest.simulator.server import Server
from ingest.simulator.world import World


class CountedApi(Api):
    """An Api that knows how often it was called, and can do something at each call."""

    calls = 0

    def on_call(self) -> None:
        """Nothing, until a test puts something here."""

    def answer(self, call: Call) -> Answer:
        self.calls += 1
        self.on_call()
        return super().answer(call)


@contextmanager
def usage_served(*, series: int, days: int) -> Iterator[str]:
    """The base URL of a usage API with so many series and days of history; the key is DEMO_KEY.

    The history does not change while it is read.
    """
    with api_served(series=series, days=days) as (url, _):
        yield url


@contextmanager
def api_served(*, series: int, days: int) -> Iterator[tuple[str, CountedApi]]:
    """The same, with the Api behind the URL."""
    anchor_hour = int(time.time()) // 3600
    world = World((), seed=7, anchor_hour=anchor_hour, history_days=days, series=series)
    api = CountedApi(world, Access())
    server = Server("127.0.0.1", 0, api)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"{server.url}/v1", api
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def database_url() -> str:
    """The address of the database that the running test uses, for another process."""
    address, _, options = os.environ["DATABASE_URL"].partition("?")
    return f"{address.rpartition('/')[0]}/{connection.settings_dict['NAME']}?{options}"
