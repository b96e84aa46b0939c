"""A source that goes away while somebody else changes it stays away."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from django.db import connection
from django.utils import timezone

from cachewatch.accounts.models import User
from ingest import services
from ingest.models import Source
from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Answer, Api, Call
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World
from tests.cachewatch.people import Caller, error_of
from tests.factories import make_source


class RemovingApi(Api):
    """A usage API that takes so long that somebody removes the source meanwhile."""

    def answer(self, call: Call) -> Answer:
        for source in Source.objects.filter(removed_at=None):
            services.remove_source(source, now=timezone.now())
        connection.close()
        return super().answer(call)


@pytest.fixture
def provider() -> Iterator[str]:
    world = World(all_stories()[:1], seed=1, anchor_hour=int(time.time()) // 3600, history_days=1)
    server = Server("127.0.0.1", 0, RemovingApi(world, Access(DEMO_KEY)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"{server.url}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.django_db(transaction=True)
def test_a_change_whose_source_was_removed_during_the_probe_is_404_and_undoes_nothing(
    provider: str,
) -> None:
    owner = Caller(User.objects.create_superuser("alice@example.org"))
    make_source("acme")
    answer = owner.patch("/sources/acme", {"admin_key": DEMO_KEY, "base_url": provider})
    assert (answer.status_code, error_of(answer)["code"]) == (404, "not_found")
    source = Source.objects.get()
    assert source.removed_at is not None
    assert (source.key_encrypted, source.base_url) == (None, "https://usage.example/v1")
    assert owner.get("/sources").json()["items"] == []
