"""The whole way, over HTTP: hours, an accusation, its minutes, the verdict that they confirm."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from cachewatch.verdicts.minutes import ask_for_accused
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.services import classify_stale
from ingest import services
from ingest.models import IngestRun, Source
from ingest.services.keys import put_key
from ingest.services.walks import read_hours
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Api
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World
from tests.factories import at, make_source

NOW_HOUR = 496_368  # 2026-08-17T00:00Z
NOW = at(NOW_HOUR, 5)
SCATTERED = "proj_ragAnswer01"


@pytest.fixture
def acme(db: None) -> Iterator[Source]:
    """One story of the demo, with the hours of the last eight days read and classified."""
    stories = [one for one in all_stories() if one.project and one.project.id == SCATTERED]
    world = World(stories, 1, NOW_HOUR, 9, 0)
    server = Server("127.0.0.1", 0, Api(world, Access(), NOW.timestamp))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    source = make_source(base_url=f"{server.url}/v1")
    put_key(source, DEMO_KEY)
    source.save()
    kind, client_of = IngestRun.Kind.MANUAL, services.client_of
    read_hours(source, NOW_HOUR - 192, NOW_HOUR, kind=kind, now=NOW, client_of=client_of)
    classify_stale([source], now=NOW)
    yield source
    server.shutdown()
    thread.join()
    server.server_close()


def accused() -> dict[str, dict[str, float | None]]:
    """Project of each accused series -> the numbers of its control `minutes`."""
    found = Verdict.objects.filter(is_newest=True, code="load-correlated-misses")
    return {
        str(one.series.project_id): next(
            control["numbers"]
            for control in one.evidence["numbers"]["controls"]
            if control["name"] == "minutes"
        )
        for one in found.select_related("series")
    }


def test_the_scattered_story_is_accused_by_its_hours_and_confirmed_by_its_minutes(
    acme: Source,
) -> None:
    by_hours = accused()
    assert SCATTERED in by_hours
    assert {numbers["minutes"] for numbers in by_hours.values()} == {0}
    asked = ask_for_accused(acme, now=NOW)
    assert {str(one.series.project_id) for one in asked} == set(by_hours)
    states = {services.read_minutes(one, now=NOW).state for one in asked}
    assert states == {"fetched"}
    assert classify_stale([acme], now=NOW) == len(asked)
    numbers = accused()[SCATTERED]
    assert numbers["hours"] == 12
    assert (numbers["standard_errors"] or 0) < -5
    assert ask_for_accused(acme, now=NOW) == []
