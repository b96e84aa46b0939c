"""OTLP over HTTP: what an exporter sends, and what it is answered."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.http import HttpResponse

from cachewatch.accounts.models import User
from ingest import services
from ingest.models import PushedRequest, Source
from tests.cachewatch.api.stored_words import tables_with
from tests.cachewatch.people import Caller, token_caller

NOW = datetime.now(UTC)
START_NS = str(int((NOW - timedelta(hours=2)).timestamp()) * 10**9)


@pytest.fixture
def azure(db: None) -> Source:
    return services.add_pushed_source(name="Azure", kind=Source.Kind.REQUESTS, now=NOW)


@pytest.fixture
def exporter(alice: User, azure: Source) -> Caller:
    return token_caller(alice, "push")


def attributes(values: dict[str, object]) -> list[dict[str, object]]:
    def told(value: object) -> dict[str, object]:
        return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}

    return [{"key": key, "value": told(value)} for key, value in values.items()]


def span(number: int, **more: object) -> dict[str, object]:
    values = {
        "gen_ai.operation.name": "chat",
        "gen_ai.response.model": "gpt-5.4",
        "gen_ai.conversation.id": "run-7",
        "gen_ai.usage.input_tokens": 4_000,
        "gen_ai.usage.cache_read.input_tokens": 1_000,
    } | more
    return {
        "traceId": "5b8efff798038103d269b633813fc60c",
        "spanId": f"{number:016x}",
        "name": "chat gpt-5.4",
        "startTimeUnixNano": START_NS,
        "attributes": attributes(values),
    }


def traces(*spans: object) -> dict[str, object]:
    resource = {"attributes": attributes({"service.name": "assistant"})}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": list(spans)}]}]}


def send(
    caller: Caller, document: object, signal: str = "traces", query: str = "", **headers: str
) -> HttpResponse:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    content_type = headers.pop("content_type", "application/json")
    return caller.client.generic(
        "POST",
        f"/otlp/v1/{signal}{query}",
        body,
        content_type=content_type,
        headers=caller.headers | headers,
    )


def test_spans_become_requests_and_a_retry_of_the_exporter_changes_nothing(
    exporter: Caller,
) -> None:
    document = traces(span(1), span(2, **{"gen_ai.response.id": "resp-9"}), {"spanId": "9"})
    for _ in range(2):
        answer = send(exporter, document)
        assert (answer.status_code, answer.json()) == (200, {})
        assert answer["Content-Type"] == "application/json"
    rows = PushedRequest.objects.all()
    assert [(row.project_id, row.model, row.input_tokens, row.cached_tokens) for row in rows] == [
        ("assistant", "gpt-5.4", 4_000, 1_000)
    ] * 2


def test_entries_of_a_log_become_requests_too(exporter: Caller) -> None:
    entry = {"timeUnixNano": START_NS, "attributes": span(1)["attributes"]}
    document = {"resourceLogs": [{"scopeLogs": [{"logRecords": [entry, entry]}]}]}
    for _ in range(2):
        answer = send(exporter, document, "logs")
        assert (answer.status_code, answer.json()) == (200, {})
    assert PushedRequest.objects.count() == 1


def test_a_bad_span_is_told_as_a_partial_success(exporter: Caller) -> None:
    bad = span(2, **{"gen_ai.usage.input_tokens": "many"})
    answer = send(exporter, traces(span(1), bad))
    assert answer.status_code == 200
    assert answer.json() == {
        "partialSuccess": {
            "rejectedSpans": "1",
            "errorMessage": "body, span 2: gen_ai.usage.input_tokens is a text, not a whole number",
        }
    }
    assert PushedRequest.objects.count() == 1


def test_what_is_left_out_and_rejected_stands_in_the_run_of_the_pushes(
    alice: User, exporter: Caller
) -> None:
    failed = span(2) | {"status": {"code": 2}}
    bad = span(3, **{"gen_ai.usage.input_tokens": "many"})
    for _ in range(2):  # what is not stored is counted as often as it is sent
        assert send(exporter, traces(span(1), failed, bad)).status_code == 200
    (run,) = Caller(alice).get("/runs?source=azure").json()["items"]
    assert (run["kind"], run["status"], run["rows_rejected"]) == ("pushed", "ok", 2)
    assert run["notices"] == ["2 requests left out: the request failed"]


def test_protobuf_is_answered_415_with_a_sentence(exporter: Caller) -> None:
    answer = send(exporter, b"\x0a\x00", content_type="application/x-protobuf")
    assert answer.status_code == 415
    assert answer.json() == {
        "code": 3,
        "message": "Send OTLP as JSON (Content-Type: application/json); protobuf is not read here. "
        "In an OpenTelemetry collector set `encoding: json` on the otlphttp exporter.",
    }


def test_a_packed_document_is_unpacked_and_a_bomb_is_refused(exporter: Caller) -> None:
    packed = {"Content-Encoding": "gzip"}
    body = gzip.compress(json.dumps(traces(span(1))).encode())
    assert send(exporter, body, **packed).json() == {}
    assert PushedRequest.objects.count() == 1
    bomb = send(exporter, gzip.compress(b" " * 17 * 1024**2), **packed)
    assert (bomb.status_code, bomb.json()["code"]) == (413, 8)


@pytest.mark.parametrize("document", [traces(*[0] * 20_001), {"resourceSpans": [0] * 20_001}])
def test_a_document_of_too_many_entries_is_refused_in_words(
    exporter: Caller, document: object
) -> None:
    answer = send(exporter, document)
    assert answer.status_code == 413
    assert answer.json() == {
        "code": 8,
        "message": "Send at most 20,000 entries at once; these are 20,001.",
    }


@pytest.mark.parametrize("body", [b"no json", b"[]", b"[" * 100_000])
def test_what_is_no_document_is_refused(exporter: Caller, body: bytes) -> None:
    answer = send(exporter, body)
    assert (answer.status_code, answer.json()["code"]) == (400, 3)


def test_an_exporter_needs_a_token_and_a_source(
    exporter: Caller, alice: User, azure: Source
) -> None:
    assert send(Caller(), traces(span(1))).status_code == 401
    assert send(Caller(alice), traces(span(1))).status_code == 401  # a browser sends no spans
    assert send(token_caller(alice, "read"), traces(span(1))).json() == {
        "code": 7,
        "message": "This needs a token with the scope `push`.",
    }
    assert send(exporter, traces(span(1)), query="?source=other").json()["code"] == 5
    services.add_pushed_source(name="Bedrock", kind=Source.Kind.REQUESTS, now=NOW)
    answer = send(exporter, traces(span(1)))
    assert answer.json()["message"] == (
        "One value cannot be used. source: name the source, as ?source=SLUG or in the header "
        "X-Cachewatch-Source; azure, bedrock takes requests"
    )
    named = {"X-Cachewatch-Source": "bedrock"}
    assert send(exporter, traces(span(1)), **named).status_code == 200
    assert PushedRequest.objects.get().source.slug == "bedrock"


def test_other_signals_and_methods_are_refused_in_words(exporter: Caller) -> None:
    answer = send(exporter, {}, "metrics")
    assert (answer.status_code, answer.json()["code"]) == (404, 5)
    got = exporter.client.get("/otlp/v1/traces", headers=exporter.headers)
    assert (got.status_code, got.json()["message"]) == (405, "Send the spans or logs as POST.")


def test_a_span_over_others_and_a_failed_one_are_not_counted(
    exporter: Caller, azure: Source
) -> None:
    agent = span(1, **{"gen_ai.operation.name": "invoke_agent"})
    failed = span(3) | {"status": {"code": 2}}
    child: dict[str, Any] = span(2) | {"parentSpanId": agent["spanId"]}
    assert send(exporter, traces(child, agent, failed)).json() == {}
    assert PushedRequest.objects.count() == 1


def test_no_content_and_no_identity_of_a_span_is_stored(exporter: Caller, azure: Source) -> None:
    told = span(
        1,
        **{
            "gen_ai.input.messages": "SECRET prompt",
            "gen_ai.output.messages": "SECRET answer",
            "gen_ai.conversation.id": "SECRET-session",
            "gen_ai.response.id": "SECRET-response",
            "prompt_cache_key": "SECRET-key",
            "acme.user_email": "SECRET@example.org",
            "acme.variant": "blue",
        },
    )
    assert send(exporter, traces(told | {"name": "SECRET name"})).json() == {}
    services.count_pushed(azure, now=NOW)
    row = PushedRequest.objects.get()
    assert row.arms == {"acme.variant": "blue"}
    assert row.session_hash is not None
    assert row.key_hash is not None
    assert tables_with("SECRET") == []
