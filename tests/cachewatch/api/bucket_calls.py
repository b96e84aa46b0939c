"""Pushes of hours, as the tests of POST /buckets make them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse

from ingest.models import IngestRun, SourceHour, UsageBucket
from tests.cachewatch.people import API, Caller, error_of
from tests.factories import HOUR

WEEK_END = HOUR + 168
ROW = {
    "project_id": "proj_a",
    "model": "gpt-5.4",
    "api_key_id": "key_1",
    "service_tier": "default",
    "batch": False,
    "requests": 10,
    "input_tokens": 20_000,
    "cached_input_tokens": 8_000,
}


def hour(at_hour: int = HOUR, *rows: dict[str, Any]) -> dict[str, Any]:
    return {"start_time": at_hour * 3600, "rows": list(rows)}


def push(caller: Caller, *hours: object, query: str = "source=warehouse") -> HttpResponse:
    return caller.post(f"/buckets?{query}", {"hours": hours})


def send(caller: Caller, body: bytes, **headers: str) -> HttpResponse:
    return caller.client.generic(
        "POST",
        f"{API}/buckets?source=warehouse",
        body,
        content_type="application/json",
        headers=caller.headers | headers,
    )


def refused(answer: HttpResponse) -> dict[str, str]:
    assert answer.status_code == 422, answer.content
    assert not UsageBucket.objects.exists()
    assert not SourceHour.objects.exists()
    assert not IngestRun.objects.exists()
    return {field["name"]: field["message"] for field in error_of(answer)["fields"]}


def stored(*columns: str) -> list[tuple[Any, ...]]:
    return list(UsageBucket.objects.order_by("hour", "slice_id").values_list("hour", *columns))
