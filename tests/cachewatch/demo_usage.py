"""A week of the demo fleet as the usage API reports it, by API key, tier and batch."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cache

from cachewatch.diagnose.reading import CELL_GROUPING
from ingest.normalise import HourlyUsage
from ingest.openai_usage.client import UsageClient
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.story import Story
from ingest.simulator.world import World
from tests.cachewatch.analysis.series_of import BASE_HOUR

DAYS = 7
ANCHOR = BASE_HOUR + 13


@cache
def demo_week() -> HourlyUsage:
    """The DAYS before ANCHOR; read once."""
    return week_before(ANCHOR, all_stories())


def week_before(anchor_hour: int, stories: Iterable[Story]) -> HourlyUsage:
    """The DAYS of some stories before their anchor, as the simulator serves them over HTTP."""
    server = Server("127.0.0.1", 0, Api(World(stories, 1, anchor_hour, DAYS), Access()))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    with UsageClient(base_url=f"{server.url}/v1", admin_key=DEMO_KEY) as client:
        walk = client.walk_hours(anchor_hour - 24 * DAYS, anchor_hour, CELL_GROUPING)
    server.shutdown()
    thread.join()
    server.server_close()
    return walk.usage
