"""Pushed hours over HTTP that cannot be stored: a fault stores nothing, and is told in words."""

from __future__ import annotations

import gzip
import json
from datetime import datetime

import pytest

from cachewatch.accounts.models import User
from ingest import services
from ingest.models import Source
from tests.cachewatch.api.bucket_calls import ROW, WEEK_END, hour, push, refused, send, stored
from tests.cachewatch.people import Caller, error_of, token_caller
from tests.cachewatch.usage_pages import bucket, page, result
from tests.factories import HOUR, at

MOST = "at most 744 hours with 50,000 rows are taken at once, so send it in parts"
NO_HOUR = "not a whole UTC hour such as 2026-11-20T13:00:00Z, or seconds since the epoch"


def test_a_walk_that_is_not_finished_is_refused(tool: Caller, warehouse: Source) -> None:
    one = page([bucket(HOUR, [result((HOUR, 10, 20_000, 8_000))])], cursor="p2")
    (reason,) = refused(send(tool, json.dumps(one).encode())).values()
    assert "page" in reason


def test_pages_with_an_hour_that_has_not_begun_are_refused_whole(
    tool: Caller, warehouse: Source
) -> None:
    one = bucket(HOUR, [result((HOUR, 10, 20_000, 8_000))])
    body = json.dumps(page([one, bucket(WEEK_END + 3, [])])).encode()
    assert refused(send(tool, body)) == {
        "body": "2026-11-09T03:00Z lies ahead of the server's clock"
    }


def test_a_page_with_a_value_that_cannot_be_read_is_refused_whole(
    tool: Caller, warehouse: Source
) -> None:
    bad = result((HOUR + 1, 10, 20_000, 8_000)) | {"input_tokens": -5}
    good = result((HOUR, 10, 20_000, 8_000))
    body = page([bucket(HOUR, [good]), bucket(HOUR + 1, [bad])])
    assert refused(send(tool, json.dumps(body).encode())) == {
        "body": "body, bucket 2026-11-02T01:00Z, row 1, input_tokens: it is negative"
    }


def test_every_fault_is_named_by_place_and_reason_and_nothing_is_stored(
    tool: Caller, warehouse: Source
) -> None:
    hours = [
        hour(HOUR, ROW),
        hour(HOUR + 1, ROW | {"input_tokens": "many", "cached_tokens": 5}, ROW, ROW),
        hour(HOUR + 2, {"project_id": "proj_a"}, ROW | {"batch": "no", "model": "m" * 301}),
        {"hour": "2026-11-02T03:30:00Z", "rows": []},
        {"hour": "2026-11-02T03:00:00.5Z", "rows": []},
        {"hour": "2026-11-02T03:00:00", "rows": [7]},
        {"rows": []},
        {"start_time": HOUR * 3600, "rows": None, "end_time": 3},
        hour(WEEK_END + 3),
        hour(0),
        "an hour",
        hour(HOUR),
    ]
    assert refused(push(tool, *hours)) == {
        "hours.1.rows.0.cached_tokens": "is not a field that can be sent here",
        "hours.1.rows.1": "has the project, model, key, tier and batch of row 0",
        "hours.1.rows.2": "has the project, model, key, tier and batch of row 0",
        "hours.1.rows.0.input_tokens": "it is a text, not a whole number",
        "hours.2.rows.0": "reports neither requests nor tokens",
        "hours.2.rows.1.batch": "is a text, not true or false",
        "hours.2.rows.1.model": "it is longer than 300 characters",
        "hours.3.hour": "is not the beginning of a whole UTC hour",
        "hours.4.hour": f'is "2026-11-02T03:00:00.5Z", {NO_HOUR}',
        "hours.5.hour": f'is "2026-11-02T03:00:00", {NO_HOUR}',
        "hours.5.rows.0": "is a number, not an object",
        "hours.6.start_time": "is missing: say when the hour begins",
        "hours.7.end_time": "is not a field that can be sent here",
        "hours.7.rows": "is null, not a list",
        "hours.8.start_time": "lies ahead of the server's clock",
        "hours.9.start_time": "1970-01-01T00:00Z is more than 3,660 days old; such hours are not kept",
        "hours.10": "is a text, not an object",
        "hours.11": "is the hour of hours.0: send it once, whole",
    }


@pytest.mark.parametrize(
    ("body", "name", "reason"),
    [
        ({"hours": []}, "hours", "is empty: send at least one hour; an idle one has no rows"),
        ({"hours": 3}, "hours", "is a number, not a list of hours"),
        ({"hours": [], "source": "x"}, "source", "is not a field that can be sent here"),
        (
            {"hours": [{"start_time": 3600 * n, "rows": []} for n in range(745)]},
            "hours",
            f"holds 745 hours with 0 rows; {MOST}",
        ),
        (
            {"hours": [hour(HOUR, *[{}] * 50_001)]},
            "hours",
            f"holds 1 hour with 50,001 rows; {MOST}",
        ),
    ],
)
def test_what_is_no_batch_of_hours_is_refused_in_words(
    tool: Caller, warehouse: Source, body: object, name: str, reason: str
) -> None:
    assert refused(send(tool, json.dumps(body).encode())) == {name: reason}


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b'{"rows": []}', b"\xff\xfe\x00"])
def test_what_is_neither_hours_nor_pages_is_refused_in_words(
    tool: Caller, warehouse: Source, body: bytes
) -> None:
    (reason,) = refused(send(tool, body)).values()
    assert reason


def test_a_body_that_does_not_say_that_it_is_packed_is_not_unpacked(
    tool: Caller, warehouse: Source
) -> None:
    packed = gzip.compress(json.dumps(page([bucket(HOUR, [])])).encode())
    reason = "is packed with gzip: send it packed once, with the header Content-Encoding: gzip"
    assert refused(send(tool, packed)) == {"body": reason}
    twice = send(tool, gzip.compress(packed), **{"Content-Encoding": "gzip"})
    assert refused(twice) == {"body": reason}


def test_many_faults_are_counted_and_the_first_are_named(tool: Caller, warehouse: Source) -> None:
    answer = push(tool, hour(HOUR, *[{"project_id": str(n)} for n in range(40)]))
    error = error_of(answer)
    assert len(error["fields"]) == 20
    assert error["message"] == (
        "40 values cannot be used; nothing was stored. The first 20 are named."
    )


def test_only_a_source_for_hours_takes_hours(tool: Caller, warehouse: Source, acme: Source) -> None:
    answer = push(tool, hour(HOUR, ROW), query="source=acme")
    assert (answer.status_code, error_of(answer)["message"]) == (
        409,
        "Acme takes no pushed hours; make a source of the kind buckets.",
    )
    assert push(tool, hour(HOUR, ROW), query="").json()["source"] == "warehouse"
    services.update_source(warehouse, now=at(HOUR), paused=True)
    paused = push(tool, hour(HOUR, ROW))
    assert (paused.status_code, error_of(paused)["message"]) == (
        409,
        "Warehouse is paused; it takes hours once it is resumed.",
    )
    assert stored("requests") == [(HOUR, 10)]


def test_a_token_needs_the_scope_push(alice: User, warehouse: Source) -> None:
    answer = push(token_caller(alice, "read", "annotate"), hour(HOUR, ROW))
    assert (answer.status_code, error_of(answer)["code"]) == (403, "scope_missing")


def test_a_removed_source_takes_nothing(tool: Caller, warehouse: Source, clock: datetime) -> None:
    services.remove_source(warehouse, now=clock)
    assert push(tool, hour(HOUR, ROW)).status_code == 404
