"""A week of the demo fleet as the usage API reports it, by API key, tier and batch."""

from __future__ import annotations

import threading
from functools import cache

from cachewatch.diagnose.reading import CELL_GROUPING
from ingest.normalise import HourlyUsage
from ingest.openai_usage.client import UsageClient
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World
from tests.cachewatch.analysis.series_of import BASE_HOUR

DAYS = 7
ANCHOR = BASE_HOUR + 13


@cache
def demo_week() -> HourlyUsage:
    """The DAYS before ANCHOR; read once, as the simulator serves it over HTTP."""
    server = Server("127.0.0.1", 0, Api(World(all_stories(), 1, ANCHOR, DAYS), Access()))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    with UsageClient(base_url=f"{server.url}/v1", admin_key=DEMO_KEY) as client:
        walk = client.walk_hours(ANCHOR - 24 * DAYS, ANCHOR, CELL_GROUPING)
    server.shutdown()
    thread.join()
    server.server_close()
    return walk.usage
