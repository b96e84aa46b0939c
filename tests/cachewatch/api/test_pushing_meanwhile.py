"""A push over HTTP whose source goes away after it was looked up: refused in words, by every door."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection, transaction
from django.http import HttpResponse

from cachewatch.accounts.models import User
from ingest import services
from ingest.models import Source
from tests.cachewatch.people import Caller, token_caller

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime.now(UTC)
SECONDS = int(NOW.timestamp()) - 7_200
GONE = "There is no such source, or you may not see it."
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"
REQUEST = {"request_id": "r-1", "timestamp": SECONDS, "input_tokens": 4_000}
SPAN = {
    "traceId": "5b8efff798038103d269b633813fc60c",
    "spanId": "0000000000000001",
    "startTimeUnixNano": str(SECONDS * 10**9),
    "attributes": [{"key": "gen_ai.usage.input_tokens", "value": {"intValue": "4000"}}],
}


def push_request(caller: Caller) -> HttpResponse:
    return caller.post("/requests?source=azure", {"requests": [REQUEST]})


def push_hour(caller: Caller) -> HttpResponse:
    hour = {"start_time": SECONDS // 3600 * 3600, "rows": []}
    return caller.post("/buckets?source=azure", {"hours": [hour]})


def push_span(caller: Caller) -> HttpResponse:
    document = {"resourceSpans": [{"scopeSpans": [{"spans": [SPAN]}]}]}
    return caller.client.post(
        "/otlp/v1/traces?source=azure",
        document,
        content_type="application/json",
        headers=caller.headers,
    )


def message_of(answer: HttpResponse) -> str:
    told: dict[str, Any] = answer.json()
    return str(told["error"]["message"] if "error" in told else told["message"])


@pytest.mark.parametrize(
    ("push", "kind"), [(push_request, "requests"), (push_span, "requests"), (push_hour, "buckets")]
)
def test_a_push_whose_source_is_removed_meanwhile_is_404_in_words(
    push: Callable[[Caller], HttpResponse], kind: str
) -> None:
    owner = User.objects.create_superuser("alice@example.org")
    source = services.add_pushed_source(name="Azure", kind=Source.Kind(kind), now=NOW)
    caller = token_caller(owner, "push")

    def send() -> HttpResponse:
        try:
            return push(caller)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            services.remove_source(source, now=NOW)
            answer = pool.submit(send)
            until_it_waits(answer)
        assert answer.result(60).status_code == 404
    assert message_of(answer.result()) == GONE


def until_it_waits(pushing: Future[HttpResponse]) -> None:
    """Until the push waits for the source's row."""
    with connection.cursor() as cursor:
        while not pushing.done():
            cursor.execute(WAITING)
            if cursor.fetchone()[0]:
                return
            time.sleep(0.02)
    raise AssertionError("the push did not wait")
