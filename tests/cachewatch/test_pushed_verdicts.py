"""From requests that a gateway pushed over HTTP to a verdict in the API, with no provider read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import timezone

from cachewatch.accounts.models import User
from cachewatch.verdicts.services import classify_stale
from ingest import tasks
from ingest.models import Source
from tests.cachewatch.people import Caller, token_caller
from tests.cachewatch.verdicts.histories import DAY_LOAD, falling

HOURS = 172
ROWS_AT_ONCE = 5_000


def scattered(end_hour: int) -> Iterator[dict[str, Any]]:
    """A week of one template: the busier the hour, the more of its requests find nothing cached."""
    for hour in range(end_hour - HOURS, end_hour):
        load = DAY_LOAD[hour % 24]
        count = load // 20
        for number in range(count):
            second = hour * 3600 + 3599 * number // count
            is_read = (number * 37 % count) / count < falling(load) / 0.96
            yield {
                "request_id": f"{hour}-{number}",
                "timestamp": datetime.fromtimestamp(second, UTC).isoformat(),
                "project": "assistant",
                "model": "gpt-5.4",
                "prompt_cache_key": f"tenant-{number % 5}",
                "input_tokens": 4_000,
                "cached_input_tokens": 3_840 if is_read else 0,
            }


@pytest.mark.django_db
def test_a_week_of_pushed_requests_that_scatter_gets_its_verdict(alice: User) -> None:
    owner, gateway = Caller(alice), token_caller(alice, "ingest")
    assert owner.post("/sources", {"name": "Azure", "kind": "requests"}).status_code == 201
    source = Source.objects.get()
    end_hour = int(timezone.now().timestamp()) // 3600
    rows = list(scattered(end_hour))
    for start in range(0, len(rows), ROWS_AT_ONCE):
        answer = gateway.post("/requests", {"requests": rows[start : start + ROWS_AT_ONCE]}).json()
        assert answer["accepted"] == len(rows[start : start + ROWS_AT_ONCE])
    tasks.count_pushed_source(source.pk)
    assert classify_stale([source], now=timezone.now()) == 1
    (series,) = owner.get("/series").json()["items"]
    assert (series["project_id"], series["model"]) == ("assistant", "gpt-5.4")
    assert series["verdict"]["code"] == "load-correlated-misses"
    detail = owner.get(f"/series/{series['id']}").json()
    assert detail["verdict"]["code"] == "load-correlated-misses"
    row = owner.get("/sources/azure").json()
    assert (row["buckets_stored"], row["hours_stored"], row["problem"]) == (HOURS, HOURS, "")
    assert row["last_run"]["kind"] == "pushed"
    assert owner.get("/freshness").json()["stale"] is False
    runs = owner.get("/runs?source=azure").json()["items"]
    assert runs[0]["seconds"] is None
    assert [(run["kind"], run["status"], run["rows_new"]) for run in runs] == [
        ("pushed", "ok", HOURS)
    ]
