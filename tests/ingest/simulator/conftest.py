"""A simulated organization at a fixed time, called without a socket and over one."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlencode

import pytest

from ingest.simulator.access import DEMO_KEY, Access
from ingest.simulator.api import Answer, Api, Call
from ingest.simulator.server import Server
from ingest.simulator.stories import all_stories
from ingest.simulator.world import World

ANCHOR_HOUR = 498_864  # 2026-11-29 00:00 UTC, a Sunday
COMPLETIONS = "/v1/organization/usage/completions"


@dataclass
class Clock:
    """The time the simulator believes it is, in seconds since the epoch."""

    seconds: float = ANCHOR_HOUR * 3600.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Caller:
    """Calls an Api in process and reads its JSON."""

    api: Api
    clock: Clock = field(default_factory=Clock)

    def answer(self, path: str, key: str = DEMO_KEY, **parameters: object) -> Answer:
        query = urlencode(parameters, doseq=True)
        headers = {"authorization": f"Bearer {key}"} if key else {}
        return self.api.answer(Call("GET", f"{path}?{query}", headers))

    def json(self, path: str, key: str = DEMO_KEY, **parameters: object):
        answer = self.answer(path, key, **parameters)
        assert answer.status == 200, answer.body
        return json.loads(answer.body)

    def completions(self, **parameters: object):
        return self.json(COMPLETIONS, **parameters)

    def error(self, path: str, key: str = DEMO_KEY, **parameters: object):
        answer = self.answer(path, key, **parameters)
        return answer.status, json.loads(answer.body)["error"]


def caller_of(lenient: bool = False, series: int = 0, history_days: int = 42) -> Caller:
    clock = Clock()
    world = World(all_stories(), 1, ANCHOR_HOUR, history_days, series)
    return Caller(Api(world, Access(lenient=lenient), clock, lambda seconds: None), clock)


@pytest.fixture(scope="module")
def shared_api() -> Caller:
    return caller_of()


@pytest.fixture
def api(shared_api: Caller) -> Iterator[Caller]:
    yield shared_api
    shared_api.clock.seconds = Clock().seconds


@pytest.fixture
def serving() -> Iterator[Callable[[Caller], str]]:
    """Serve a caller's Api on a real port; gives the address."""
    servers: list[Server] = []

    def serve(caller: Caller) -> str:
        server = Server("127.0.0.1", 0, caller.api)
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}).start()
        return server.url

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
