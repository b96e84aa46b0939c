"""docs/pushing.md: what it shows works as it is written."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any, get_args

import pytest

from cachewatch.accounts.models import User
from cachewatch.api import pushed_bodies, requests
from cachewatch.api.evidence_waiting import LONGEST_WAIT_S
from cachewatch.api.request_shapes import PushedRow
from ingest import services
from tests.cachewatch.people import Caller, token_caller

TEXT = (Path(__file__).parents[3] / "docs" / "pushing.md").read_text("utf-8")


def bodies() -> list[dict[str, object]]:
    """What its curl calls send, in order, as a shell makes it."""
    words = re.findall(r"--json ('.*?')$", TEXT, re.DOTALL | re.MULTILINE)
    printed = [["sh", "-c", f"printf %s {word}"] for word in words]
    return [json.loads(subprocess.check_output(command, text=True)) for command in printed]


def test_its_calls_make_a_source_and_push_to_it(alice: User) -> None:
    new, batch = bodies()
    assert Caller(alice).post("/sources", new).status_code == 201
    answer = token_caller(alice, "push").post("/requests?source=azure", batch)
    assert answer.json()["accepted"] == 1


def test_its_outcomes_and_limits_are_those_of_the_api() -> None:
    outcomes = get_args(PushedRow.model_fields["outcome"].annotation)
    assert tuple(re.findall(r"^\| `([a-z-]+)` \|", TEXT, re.MULTILINE)) == outcomes
    words = " ".join(TEXT.split())
    assert f"at most {requests.MOST_ROWS:,} rows and {pushed_bodies.MOST_MIB} MiB" in words
    assert f"Rows are kept for {services.RETENTION_DAYS} days" in words
    assert f"`days` is from 1 to {services.RETENTION_DAYS}, 7 where left out" in words
    assert f"`wait`, from 0 to {LONGEST_WAIT_S} and 0 where left out" in words


@pytest.fixture
def statuses(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """What a server at CACHEWATCH_URL answers, one after the other; the proxy's class is left empty."""
    left: list[int] = []

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(left.pop(0))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    proxy = ModuleType("litellm.integrations.custom_logger")
    proxy.CustomLogger = object  # type: ignore[attr-defined]
    for name in ("litellm", "litellm.integrations", proxy.__name__):
        monkeypatch.setitem(sys.modules, name, proxy)
    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("CACHEWATCH_URL", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("CACHEWATCH_TOKEN", "cw_x")
        yield left
        server.shutdown()


def test_its_callback_keeps_rows_until_they_are_taken_or_refused_for_what_they_are(
    statuses: list[int],
) -> None:
    (callback,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    sample: dict[str, Any] = {}
    quick = callback.replace("sleep(5)", "sleep(0)").replace("5_000, 100_000", "2, 6")
    exec(compile(quick, "docs/pushing.md", "exec"), sample)
    push = sample["push"]
    push.rows = [{"request_id": str(number)} for number in range(9)]
    statuses += [401, 403, 409, 429, 503, 200, 422, 200]
    with ThreadPoolExecutor(1) as pool:  # beside a loop that this thread may have
        pool.submit(asyncio.run, push.send()).result()
    assert (push.rows, statuses) == ([], [])  # six kept, of which no answer but three dropped any


def test_the_calls_that_the_page_of_a_source_shows_are_taken(alice: User) -> None:
    page = Path(__file__).parents[3] / "frontend" / "src" / "pages" / "sources" / "push-samples.ts"
    row, hour = map(
        json.loads, re.findall(r"^  '(\{.*\})';$", page.read_text("utf-8"), re.MULTILINE)
    )
    caller, tool = Caller(alice), token_caller(alice, "push")
    for kind in ("requests", "buckets"):
        assert caller.post("/sources", {"name": kind, "kind": kind}).status_code == 201
    now = datetime.now(UTC)
    answer = tool.post("/requests", {"requests": [row | {"timestamp": now.isoformat()}]})
    assert answer.json()["accepted"] == 1
    past = int(now.timestamp()) // 3600 * 3600 - 7_200
    answer = tool.post("/buckets", {"hours": [hour | {"start_time": past}]})
    assert (answer.status_code, answer.json()["new"]) == (200, 1)
