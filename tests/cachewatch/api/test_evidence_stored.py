"""Requests that were pushed, read as evidence of their series: they show what their log would show."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from cachewatch.accounts.models import User
from cachewatch.evidence.spool import uploads_folder
from cachewatch.tasks import read_evidence
from ingest import services
from ingest.models import Series, Source
from tests.cachewatch.evidence.logs import ARMS, replay
from tests.cachewatch.people import Caller, error_of, token_caller

NOW = datetime.now(UTC)


@pytest.fixture
def azure(alice: User) -> Source:
    """A source that took one replay of three arms, two hours ago, and a request that failed."""
    source = services.add_pushed_source(name="Azure", kind=Source.Kind.REQUESTS, now=NOW)
    first_second = (NOW - timedelta(hours=2)).timestamp()
    rows: list[dict[str, Any]] = [
        row | {"request_id": f"r-{number}", "timestamp": first_second + 20 * number}
        for number, row in enumerate(replay(project="assistant"))
    ]
    failed = rows[0] | {"request_id": "failed", "status": 500}
    other = rows[0] | {"request_id": "other", "project": "other"}
    services.push_requests(source, [*rows, failed, other], now=NOW)
    services.count_pushed(source, now=NOW)
    return source


def series_of(source: Source, project: str = "assistant") -> Series:
    return Series.objects.get(source=source, project_id=project)


def read(caller: Caller, series: Series, query: str = "") -> Any:
    return caller.post(f"/evidence/stored-requests?series_id={series.pk}{query}")


def test_stored_requests_show_what_their_log_shows(azure: Source, alice: User) -> None:
    owner = Caller(alice)
    answer = read(owner, series_of(azure))
    assert answer.status_code == 202
    read_evidence()
    row = owner.get(f"/evidence/{answer.json()['id']}").json()
    assert row["verdict"]["cause"] == "routing-scatter"
    assert (row["format"], row["requests"], row["left_out"], row["rejected"]) == (
        "generic",
        33,
        1,
        0,
    )
    assert (row["pooled"]["cached_tokens"], row["pooled"]["input_tokens"]) == (42752, 135696)
    numbers = row["numbers"]
    assert [arm["label"] for arm in numbers["arms"]] == list(ARMS)
    assert [arm["p_text"] for arm in numbers["arms"]] == ["baseline", "p = 0.21", "p = 0.008"]
    assert [arm["distinct_keys"] for arm in numbers["arms"]] == [0, 11, 1]
    assert numbers["missed_total"] == 80293
    assert row["series"]["id"] == series_of(azure).pk
    assert row["file_name"].startswith("pushed requests 20")
    again = read(owner, series_of(azure))
    assert (again.status_code, again.json()["id"]) == (200, row["id"])
    assert list(uploads_folder().iterdir()) == []


def test_what_is_told_of_a_stored_request_names_its_time_and_no_line_of_a_file(
    azure: Source, alice: User
) -> None:
    when = NOW.replace(microsecond=0) - timedelta(minutes=90)
    odd = {"request_id": "odd", "timestamp": when.timestamp(), "cached_input_tokens": 9_999_999}
    services.push_requests(azure, [replay(project="assistant")[0] | odd], now=NOW)
    services.count_pushed(azure, now=NOW)
    owner = Caller(alice)
    answer = read(owner, series_of(azure))
    read_evidence()
    numbers = owner.get(f"/evidence/{answer.json()['id']}").json()["numbers"]
    (warning,) = numbers["warnings"]
    assert warning.startswith("pushed requests: 1 request has more cached than input tokens, ")
    assert f"(first: the request of {when:%Y-%m-%d %H:%M:%S} UTC)" in warning
    assert numbers["strip_heading"].endswith(
        "; 1 more is left out (1 with impossible token counts)"
    )


def test_only_those_of_the_days_asked_for_are_read(azure: Source, alice: User) -> None:
    later = services.add_pushed_source(name="Later", kind=Source.Kind.REQUESTS, now=NOW)
    old = replay(project="assistant")[0] | {
        "request_id": "old",
        "timestamp": (NOW - timedelta(days=9)).timestamp(),
    }
    services.push_requests(later, [old], now=NOW)
    services.count_pushed(later, now=NOW)
    answer = read(Caller(alice), series_of(later))
    assert answer.status_code == 422
    assert error_of(answer)["fields"] == [
        {"name": "series_id", "message": "no request of this series was pushed in the last 7 days"}
    ]
    assert read(Caller(alice), series_of(later), "&days=10").status_code == 202
    read_evidence()


def test_a_source_that_is_read_stores_no_requests(acme: Source, bob: User) -> None:
    series = Series.objects.create(source=acme, project_id="p", model="m")
    answer = read(Caller(bob), series)
    assert (answer.status_code, error_of(answer)["code"]) == (409, "push_refused")


def test_a_tool_with_the_scope_ingest_may_have_them_read(
    azure: Source, alice: User, charlie: User
) -> None:
    assert read(token_caller(alice, "ingest"), series_of(azure)).status_code == 202
    read_evidence()
    assert error_of(read(token_caller(alice, "read"), series_of(azure)))["code"] == "scope_missing"
    assert error_of(read(Caller(charlie), series_of(azure)))["code"] == "no_membership"
