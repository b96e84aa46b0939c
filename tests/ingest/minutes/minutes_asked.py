"""A series of a simulated organization over HTTP, whose minutes are asked for and read."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import httpx
import numpy as np

from ingest import queries, services
from ingest.models import IngestRun, Series, SeriesMinutes, Source
from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.retrying import Patience
from ingest.services.keys import ClientOf, put_key
from ingest.services.walks import read_hours
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World
from tests.factories import at, make_source

NOW_HOUR = 498_864  # 2026-11-29T00:00Z
NOW = at(NOW_HOUR, 5)
START = NOW_HOUR - 46  # a service day that begins at 02:00
UTC_DAY = datetime(2026, 11, 27, tzinfo=UTC).date()


@contextmanager
def organization_served() -> Iterator[str]:
    """The base URL of the usage API of all stories."""
    world = World(all_stories(), 1, NOW_HOUR, 42, 0)
    server = Server("127.0.0.1", 0, Api(world, Access(), NOW.timestamp))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"{server.url}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def with_key(source: Source, key: str) -> Source:
    """The source with another key."""
    put_key(source, key)
    source.save()
    return source


def busiest_series(base_url: str) -> Series:
    """The series with the most requests of a source with a day of hours."""
    source = with_key(make_source(base_url=base_url), DEMO_KEY)
    kind, client_of = IngestRun.Kind.MANUAL, services.client_of
    read_hours(source, START, START + 24, kind=kind, now=NOW, client_of=client_of)
    return max(Series.objects.all(), key=_requests_of)


def _requests_of(series: Series) -> float:
    return float(np.nansum(queries.load_series_hours([series.pk], START, START + 24).requests))


def read(series: Series, client_of: ClientOf = services.client_of) -> SeriesMinutes:
    """Ask for the day, and read it."""
    asked = services.ask_for_minutes(series, START, now=NOW).minutes
    return services.read_minutes(asked, now=NOW, client_of=client_of)


def answering(status: int, error: dict[str, str]) -> ClientOf:
    """A provider that answers every call so."""
    answer = httpx.MockTransport(lambda _: httpx.Response(status, json={"error": error}))
    return lambda source: UsageClient(
        base_url=source.base_url,
        admin_key=DEMO_KEY,
        transport=answer,
        patience=Patience(tries=1),
    )
