"""How the tests post and list markers."""

from __future__ import annotations

from typing import Any

from tests.cachewatch.people import Caller
from tests.factories import HOUR, at

NOW = at(HOUR + 24 * 4 + 2, 10)
KEY = {"source": "acme", "kind": "key-shipped", "project_id": "proj_a", "model": "gpt-5.4"}
DEPLOYED = KEY | {
    "at": "2026-11-06T01:30:00+01:00",
    "link": "https://git.example.org/rag/pull/812",
    "external_id": "deploy-812",
    "particulars": {"key": "rag-{tenant}", "granularity": "tenant-document"},
}


def posted(caller: Caller, body: dict[str, Any], status: int = 201) -> dict[str, Any]:
    """The marker that a post answers with."""
    answer = caller.post("/markers", body)
    assert answer.status_code == status, answer.content
    return dict(answer.json())


def listed(caller: Caller, query: str = "") -> list[int]:
    """The ids of a list, in its order."""
    return [item["id"] for item in caller.get(f"/markers?{query}").json()["items"]]
