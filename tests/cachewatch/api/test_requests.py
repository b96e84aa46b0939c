"""Pushed requests over HTTP: each row is answered, and a batch may be sent again as often as needed."""

from __future__ import annotations

import gzip
import io
import json
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.http import HttpResponse

from cachewatch.accounts.models import Role, User
from cachewatch.api.request_shapes import PushedRequests
from ingest import services
from ingest.models import IngestRun, PushedHour, PushedRequest, Source
from tests.cachewatch.api.stored_words import tables_with
from tests.cachewatch.people import API, Caller, error_of, make_member, token_caller

NDJSON = "application/x-ndjson"
NOW = datetime.now(UTC)


@pytest.fixture
def azure(db: None) -> Source:
    return services.add_pushed_source(name="Azure", kind=Source.Kind.REQUESTS, now=NOW)


@pytest.fixture
def gateway(alice: User, azure: Source) -> Caller:
    """A gateway with a token that may push."""
    return token_caller(alice, "push")


def row(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "request_id": f"req-{number}",
        "timestamp": (NOW - timedelta(hours=2)).isoformat(),
        "input_tokens": 4_000,
        "cached_input_tokens": 1_000,
    } | fields


def push(caller: Caller, *rows: object, query: str = "source=azure") -> HttpResponse:
    return caller.post(f"/requests?{query}", {"requests": rows})


def send(caller: Caller, body: bytes, query: str = "source=azure", **headers: Any) -> HttpResponse:
    content_type = headers.pop("content_type", "application/json")
    return caller.client.generic(
        "POST",
        f"{API}/requests?{query}",
        body,
        content_type=content_type,
        headers=caller.headers | headers,
    )


def test_every_row_of_a_batch_has_its_answer(gateway: Caller) -> None:
    sent = [row(1), row(2, status="failed"), row(3, input_tokens=-1), row(1, input_tokens=5)]
    answer = push(gateway, *sent)
    assert answer.status_code == 200
    assert answer.json() == {
        "source": "azure",
        "accepted": 1,
        "already_there": 1,
        "left_out": 1,
        "rejected": 1,
        "rows": [
            {"row": 1, "outcome": "accepted", "reason": ""},
            {"row": 2, "outcome": "left-out", "reason": "the request failed"},
            {
                "row": 3,
                "outcome": "rejected",
                "reason": "input_tokens is -1: a count cannot be negative",
            },
            {
                "row": 4,
                "outcome": "already-there",
                "reason": "the stored one stands, which differs in input_tokens "
                "(5 sent, 4,000 stored)",
            },
        ],
    }
    PushedRequests.model_validate(answer.json())
    again = push(gateway, *sent).json()
    assert (again["accepted"], again["already_there"], again["left_out"]) == (0, 3, 0)


def test_lines_of_json_are_taken_too_and_a_torn_one_loses_no_other(gateway: Caller) -> None:
    lines = f"{json.dumps(row(1))}\n\n{json.dumps(row(2))[:-9]}\n{json.dumps(row(3))}".encode()
    answer = send(gateway, lines, content_type=NDJSON).json()
    assert [(one["row"], one["outcome"]) for one in answer["rows"]] == [
        (1, "accepted"),
        (3, "rejected"),
        (4, "accepted"),
    ]
    assert answer["rows"][1]["reason"].startswith("it is not JSON: ")
    assert IngestRun.objects.get().rows_rejected == 1


@pytest.mark.parametrize("packed", [False, True])
def test_a_byte_order_mark_before_a_batch_is_passed_over(gateway: Caller, packed: bool) -> None:
    batch = b"\xef\xbb\xbf" + json.dumps({"requests": [row(1)]}).encode()
    lines = b"\xef\xbb\xbf" + json.dumps(row(2)).encode()
    headers = {"Content-Encoding": "gzip"} if packed else {}
    batch, lines = (gzip.compress(one) if packed else one for one in (batch, lines))
    assert send(gateway, batch, **headers).json()["accepted"] == 1
    assert send(gateway, lines, content_type=NDJSON, **headers).json()["accepted"] == 1


@pytest.mark.parametrize("empty", ["", " ", "\t\n", None])
def test_a_request_id_of_nothing_but_spaces_is_missing(gateway: Caller, empty: str | None) -> None:
    answer = push(gateway, row(1, request_id=empty)).json()["rows"][0]
    assert (answer["outcome"], answer["reason"]) == ("rejected", "request_id is missing")


def test_a_push_that_names_two_sources_is_refused(gateway: Caller) -> None:
    refused = push(gateway, row(1), query="source=other&source=azure")
    assert refused.status_code == 422
    assert error_of(refused)["fields"] == [
        {"name": "source", "message": "is given twice; a push goes to one source"}
    ]
    assert not PushedRequest.objects.exists()


def test_a_packed_batch_is_unpacked_and_one_that_unpacks_too_far_is_refused(
    gateway: Caller,
) -> None:
    batch = json.dumps({"requests": [row(1)]}).encode()
    packed = {"Content-Encoding": "gzip"}
    assert send(gateway, gzip.compress(batch), **packed).json()["accepted"] == 1
    bomb = gzip.compress(b'{"requests": [' + b" " * 17 * 1024**2 + b"]}")
    answer = send(gateway, bomb, **packed)
    assert (answer.status_code, error_of(answer)["code"]) == (413, "too_large")
    damaged = send(gateway, gzip.compress(batch)[:-5], **packed)
    assert (damaged.status_code, error_of(damaged)["code"]) == (400, "damaged")
    other = send(gateway, batch, **{"Content-Encoding": "br"})
    assert (other.status_code, error_of(other)["code"]) == (415, "unknown_packing")


def test_a_batch_that_is_too_large_is_refused_in_words(gateway: Caller) -> None:
    answer = push(gateway, *[{}] * 10_001)
    assert (answer.status_code, error_of(answer)["code"]) == (413, "too_many")
    assert error_of(answer)["message"] == "Send at most 10,000 requests at once; these are 10,001."
    lines = send(gateway, b"{}\n" * 10_001, content_type="application/x-ndjson")
    assert (lines.status_code, error_of(lines)["code"]) == (413, "too_many")
    assert error_of(lines)["message"] == "Send at most 10,000 requests at once; these are more."
    large = send(gateway, b" " * (16 * 1024**2 + 1))
    assert (large.status_code, error_of(large)["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("body", "status", "field"),
    [
        (b"no json", 400, None),
        (b"[]", 422, "requests"),
        (b'{"requests": {}}', 422, "requests"),
        (b'{"requests": [], "prompt": "x"}', 422, "prompt"),
        (b"[" * 100_000, 400, None),
    ],
)
def test_a_body_that_holds_no_batch_is_refused(
    gateway: Caller, body: bytes, status: int, field: str | None
) -> None:
    answer = send(gateway, body)
    assert answer.status_code == status
    assert [one["name"] for one in error_of(answer)["fields"]] == ([field] if field else [])


def test_the_only_source_that_takes_requests_need_not_be_named(
    gateway: Caller, azure: Source, acme: Source
) -> None:
    assert push(gateway, row(1), query="").json()["source"] == "azure"
    services.add_pushed_source(name="Bedrock", kind=Source.Kind.REQUESTS, now=NOW)
    answer = push(gateway, row(2), query="")
    assert (answer.status_code, error_of(answer)["fields"][0]["name"]) == (422, "source")
    gateway.headers["X-Cachewatch-Source"] = "bedrock"
    assert push(gateway, row(2), query="").json()["source"] == "bedrock"


def test_who_may_push(azure: Source, alice: User, charlie: User) -> None:
    admin = make_member("adam@example.org", Role.ADMIN, [azure])
    member = make_member("mia@example.org", Role.MEMBER, [azure])
    assert push(token_caller(admin, "ingest"), row(1)).status_code == 200
    codes = {
        "not_signed_in": Caller(),
        "role_too_low": token_caller(member, "ingest"),
        "scope_missing": token_caller(admin, "read", "annotate", "admin"),
        "no_membership": token_caller(charlie, "ingest"),
    }
    for code, caller in codes.items():
        assert error_of(push(caller, row(2)))["code"] == code
    assert PushedRequest.objects.count() == 1


def test_a_source_that_is_read_or_paused_takes_nothing(gateway: Caller, acme: Source) -> None:
    answer = push(gateway, row(1), query="source=acme")
    assert (answer.status_code, error_of(answer)["message"]) == (
        409,
        "Acme takes no pushed requests; make a source of the kind requests.",
    )
    Source.objects.filter(slug="azure").update(paused=True)
    assert error_of(push(gateway, row(1)))["code"] == "push_refused"


def test_a_gateway_can_say_up_to_when_it_is_complete(gateway: Caller, azure: Source) -> None:
    told = (NOW - timedelta(minutes=1)).isoformat().replace("+00:00", "Z")
    assert push(gateway, query=f"source=azure&complete_to={told}").status_code == 200
    ahead = (NOW + timedelta(hours=1)).isoformat().replace("+00:00", "Z")
    for wrong in (ahead, "soon"):
        answer = push(gateway, query=f"source=azure&complete_to={wrong}")
        assert error_of(answer)["fields"][0]["name"] == "complete_to"


def test_a_gateway_without_a_request_to_send_says_so_with_an_empty_body(
    gateway: Caller, azure: Source
) -> None:
    moment = NOW - timedelta(minutes=1)
    query = f"source=azure&complete_to={moment.isoformat().replace('+00:00', 'Z')}"
    counts = dict.fromkeys(("accepted", "already_there", "left_out", "rejected"), 0)
    bodies: list[tuple[bytes, dict[str, Any]]] = [
        (b"", {}),
        (b"", {"content_type": ""}),
        (b"", {"content_type": NDJSON}),
        (gzip.compress(b""), {"Content-Encoding": "gzip"}),
    ]
    for body, headers in bodies:
        answer = send(gateway, body, query, **headers)
        assert answer.status_code == 200
        assert answer.json() == {"source": "azure", "rows": []} | counts
    (hour,) = PushedHour.objects.filter(source=azure)
    assert hour.newest_at == moment


def test_a_row_with_more_cached_tokens_than_input_is_accepted_with_a_word(gateway: Caller) -> None:
    sent = [
        row(1, input_tokens=1_000, cached_input_tokens=4_000),
        row(2, input_tokens=1_000, cached_input_tokens=600, cache_write_tokens=500),
        row(3, input_tokens=1_000, cached_input_tokens=4_000, input_excludes_cached=True),
        row(4, input_tokens=1_000, cached_input_tokens=1_000),
        row(5, cached_input_tokens=None),
    ]
    answer = push(gateway, *sent).json()
    assert answer["accepted"] == 5
    tail = 'where input_tokens does not hold them, send "input_excludes_cached": true'
    assert [one["reason"] for one in answer["rows"]] == [
        f"it counts more cached or written tokens (4,000) than input_tokens (1,000): {tail}",
        f"it counts more cached or written tokens (1,100) than input_tokens (1,000): {tail}",
        *("", "", ""),
    ]


def test_an_empty_body_that_tells_nothing_is_refused(gateway: Caller) -> None:
    answer = send(gateway, b"")
    assert (answer.status_code, error_of(answer)["code"]) == (400, "not_json")


def test_no_prompt_and_no_identity_reaches_the_database_the_log_or_an_answer(
    gateway: Caller, azure: Source
) -> None:
    secrets = {
        "session": "SECRET-session-mira",
        "account": "SECRET-account-9",
        "prompt_cache_key": "SECRET-key-tenant",
        "prefix_hash": "SECRET-prefix",
        "request_id": "SECRET-request-1",
        "prompt": "SECRET prompt text",
        "messages": [{"role": "user", "content": "SECRET message"}],
        "user": "SECRET-user",
        "api_key": "SECRET-api-key",
    }
    heard = io.StringIO()
    handler = logging.StreamHandler(heard)
    root = logging.getLogger()
    root.addHandler(handler)
    before = root.level
    root.setLevel(logging.DEBUG)
    try:
        answers = [push(gateway, row(1, **secrets), row(2, session={"SECRET": "object"}))]
        answers.append(send(gateway, b'{"SECRET'))
        services.count_pushed(azure, now=NOW)
    finally:
        root.removeHandler(handler)
        root.setLevel(before)
    assert answers[0].json()["accepted"] == 1
    told = b"".join(answer.content for answer in answers).decode() + heard.getvalue()
    assert "SECRET" not in told
    assert tables_with("SECRET") == []
