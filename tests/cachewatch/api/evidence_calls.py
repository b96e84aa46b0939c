"""How the tests send logs."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from cachewatch.tasks import read_evidence
from tests.cachewatch.evidence.logs import lines, replay
from tests.cachewatch.people import API, Caller


def send(caller: Caller, content: bytes, query: str = "", **headers: Any) -> HttpResponse:
    given = {"content_type": "application/octet-stream", "headers": caller.headers} | headers
    path = f"{API}/evidence?source=acme&name=replay.jsonl{query}"
    return caller.client.generic("POST", path, content, **given)


def sent(caller: Caller, content: bytes | None = None, query: str = "") -> dict[str, Any]:
    """An import that a worker has read."""
    answer = send(caller, lines(replay()) if content is None else content, query)
    assert answer.status_code == 202
    read_evidence()
    row = caller.get(f"/evidence/{answer.json()['id']}").json()
    return {name: row[name] for name in answer.json()}
