"""The client and the bundled simulator, over a real socket."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.errors import ScopeMissing
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World

NOW_HOUR = 498_864  # 2026-11-29T00:00Z
NOW_S = NOW_HOUR * 3_600.0
ALL = ("api_key_id", "batch", "service_tier")


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    world = World(all_stories(), 1, NOW_HOUR, 42, 0)
    server = Server("127.0.0.1", 0, Api(world, Access(lenient=False), lambda: NOW_S))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"{server.url}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def reader(base_url: str, suffix: str = "") -> UsageClient:
    return UsageClient(base_url=base_url, admin_key=DEMO_KEY + suffix, clock=lambda: NOW_S)


def test_a_finer_grouping_keeps_every_total(base_url: str) -> None:
    with reader(base_url) as usage:
        coarse = usage.walk_hours(NOW_HOUR - 5, NOW_HOUR)
        fine = usage.walk_hours(NOW_HOUR - 5, NOW_HOUR, ALL)
    assert len(fine.usage.rows) > len(coarse.usage.rows)
    for field in ("requests", "input_tokens", "output_tokens"):
        totals = [sum(getattr(row, field) for row in walk.usage.rows) for walk in (coarse, fine)]
        assert totals[0] == totals[1] > 0


def test_a_grouping_that_the_provider_refuses_is_left_out_and_said(base_url: str) -> None:
    with reader(base_url, "-no-key-grouping") as usage:
        walk = usage.walk_hours(NOW_HOUR - 2, NOW_HOUR, ALL)
    assert walk.refused_grouping == ("api_key_id",)
    assert walk.grouping == ("project_id", "model", "service_tier", "batch")
    assert walk.usage.covered_hours == [NOW_HOUR - 2, NOW_HOUR - 1]


def test_names_and_scopes_are_read_and_a_missing_scope_is_said(base_url: str) -> None:
    with reader(base_url) as usage:
        names = usage.read_names()
        found = usage.probe(datetime.fromtimestamp(NOW_S, UTC))
    assert names.projects != []
    assert names.problems == []
    assert set(found.scopes.values()) == {"granted"}
    with reader(base_url, "-usage-only") as usage, pytest.raises(ScopeMissing) as caught:
        usage.list_projects()
    assert caught.value.scopes == ("api.management.read",)


def test_history_before_the_lookback_is_said_to_be_gone(base_url: str) -> None:
    with reader(base_url, "-30-days") as usage:
        walk = usage.walk_hours(NOW_HOUR - 31 * 24, NOW_HOUR - 30 * 24 + 2)
    assert walk.refused_before_hour == NOW_HOUR - 30 * 24
    assert walk.usage.covered_hours == [NOW_HOUR - 30 * 24, NOW_HOUR - 30 * 24 + 1]
