"""docs/pushing.md: what it shows works as it is written."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from cachewatch.accounts.models import User
from cachewatch.api import pushed_bodies, requests
from cachewatch.api.request_shapes import PushedRow
from ingest import services
from tests.cachewatch.people import Caller, token_caller

TEXT = (Path(__file__).parents[3] / "docs" / "pushing.md").read_text("utf-8")


def bodies() -> list[dict[str, object]]:
    """What its curl calls send, in order."""
    return [json.loads(body) for body in re.findall(r"--json '(.*?)'", TEXT, re.DOTALL)]


def test_its_calls_make_a_source_and_push_to_it(alice: User) -> None:
    new, batch = bodies()
    assert Caller(alice).post("/sources", new).status_code == 201
    (row,) = batch["requests"]  # type: ignore[misc]
    sent = {"requests": [row | {"timestamp": datetime.now(UTC).isoformat()}]}
    answer = token_caller(alice, "ingest").post("/requests?source=azure", sent)
    assert answer.json()["accepted"] == 1


def test_its_outcomes_and_limits_are_those_of_the_api() -> None:
    outcomes = get_args(PushedRow.model_fields["outcome"].annotation)
    assert tuple(re.findall(r"^\| `([a-z-]+)` \|", TEXT, re.MULTILINE)) == outcomes
    words = " ".join(TEXT.split())
    assert f"at most {requests.MOST_ROWS:,} rows and {pushed_bodies.MOST_MIB} MiB" in words
    assert f"Rows are kept for {services.RETENTION_DAYS} days" in words


def test_its_callback_is_python() -> None:
    (callback,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    compile(callback, "docs/pushing.md", "exec")


def test_the_calls_that_the_page_of_a_source_shows_are_taken(alice: User) -> None:
    page = Path(__file__).parents[3] / "frontend" / "src" / "pages" / "sources" / "push-samples.ts"
    row, hour = map(
        json.loads, re.findall(r"^  '(\{.*\})';$", page.read_text("utf-8"), re.MULTILINE)
    )
    caller, tool = Caller(alice), token_caller(alice, "ingest")
    for kind in ("requests", "buckets"):
        assert caller.post("/sources", {"name": kind, "kind": kind}).status_code == 201
    now = datetime.now(UTC)
    answer = tool.post("/requests", {"requests": [row | {"timestamp": now.isoformat()}]})
    assert answer.json()["accepted"] == 1
    past = int(now.timestamp()) // 3600 * 3600 - 7_200
    answer = tool.post("/buckets", {"hours": [hour | {"start_time": past}]})
    assert (answer.status_code, answer.json()["new"]) == (200, 1)
