"""OTLP/JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ingest.request_logs import Rejected, read_values
from ingest.request_logs.otlp_spellings import CACHED, INPUT, WRITTEN
from tests.ingest.request_logs.logs import sorted_out, told, told_rows


def attribute(name: str, value: Any) -> dict[str, Any]:
    kind = {bool: "boolValue", int: "intValue", float: "doubleValue"}.get(
        type(value), "stringValue"
    )
    return {"key": name, "value": {kind: str(value) if kind == "intValue" else value}}


def span(own: str, attributes: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "traceId": "t",
        "spanId": own,
        "startTimeUnixNano": "1784000000000000000",
        "attributes": [attribute(*item) for item in attributes.items()],
        **fields,
    }


def document(*spans: Any) -> dict[str, Any]:
    resource = {
        "attributes": [attribute("service.name", "rag"), attribute("service.version", "1.2")]
    }
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": list(spans)}]}]}


def log(*entries: Any) -> dict[str, Any]:
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": list(entries)}]}]}


TOKENS = {"gen_ai.usage.input_tokens": 1000, "gen_ai.usage.cache_read.input_tokens": 200}


def test_a_span_is_a_request_with_cached_tokens_inside():
    row = told_rows(
        document(
            span(
                "a",
                TOKENS
                | {
                    "gen_ai.response.model": "gpt-4o-2024-08-06",
                    "gen_ai.provider.name": "openai",
                    "gen_ai.conversation.id": "c",
                    "gen_ai.response.id": "resp_1",
                    "gen_ai.openai.response.service_tier": "default",
                    "gen_ai.input.messages": "velvet",
                    "shop.variant": "B",
                },
            )
        )
    ).one
    assert (row.input_tokens, row.cached_input_tokens, row.time) == (1000, 200, 1_784_000_000.0)
    assert (row.model, row.session, row.request_id) == ("gpt-4o-2024-08-06", "c", "resp_1")
    assert (row.project, row.service_tier) == ("rag", "default")
    assert row.arms == {"provider": "openai", "service_version": "1.2", "shop.variant": "B"}


@pytest.mark.parametrize("sent", INPUT)
@pytest.mark.parametrize("cached", CACHED)
def test_every_spelling_is_read(sent, cached):
    row = told_rows(document(span("a", {sent: 10, cached: 4, WRITTEN[0]: 1}))).one
    assert (row.input_tokens, row.cached_input_tokens, row.cache_write_tokens) == (10, 4, 1)


def test_a_malformed_resource_or_scope_loses_no_good_span():
    bad_resource = {"resource": {"attributes": 7}, "scopeSpans": [{"spans": [span("a", TOKENS)]}]}
    bad_scopes = {"scopeSpans": ["x", {"spans": "y"}, {"spans": [span("b", TOKENS)]}]}
    (good,) = document(span("c", TOKENS))["resourceSpans"]
    sent = {"resourceSpans": [bad_resource, 5, bad_scopes, {"scopeSpans": 1}, good]}
    found = list(read_values([sent], "otlp"))
    told = [
        f"{one.where}: {one.why}" if isinstance(one, Rejected) else one.request_id for one in found
    ]
    assert sorted(told) == [
        "body, resource 1: attributes is 7, not a list",
        "body, resource 3: scopeSpans holds a text, not an object",
        "body, resource 3: spans is a text, not a list",
        "body, resource 4: scopeSpans is 1, not a list",
        "body: resourceSpans holds 5, not an object",
        "t/b",
        "t/c",
    ]


def test_a_span_without_a_cached_attribute_is_unknown():
    row = told_rows(document(span("a", {"gen_ai.usage.input_tokens": 10}))).one
    assert row.cached_input_tokens is None


def test_spans_that_are_no_requests_are_passed_over():
    read = told_rows(document(span("a", {"http.method": "GET"}), span("b", TOKENS)))
    assert (len(read.requests), read.left_out) == (1, {})


@pytest.mark.parametrize("parent_first", [True, False])
def test_a_span_over_requests_adds_them_up_and_is_left_out(parent_first):
    parent, child = span("a", TOKENS), span("b", TOKENS, parentSpanId="a")
    order = [parent, child] if parent_first else [child, parent]
    read = told_rows(*[document(each) for each in order])
    assert (len(read.requests), read.left_out) == (1, {"parent-total": 1})


def test_agents_and_tools_add_up():
    read = told_rows(
        document(span("a", TOKENS | {"gen_ai.operation.name": "invoke_agent"}), span("b", TOKENS))
    )
    assert (len(read.requests), read.left_out) == (1, {"parent-total": 1})


def test_a_batch_sent_again_and_a_call_logged_by_two_are_counted_once():
    one = document(span("a", TOKENS | {"gen_ai.response.id": "r"}))
    other = document(span("b", TOKENS | {"gen_ai.response.id": "r"}))
    read = told_rows(one, one, other)
    assert (len(read.requests), read.left_out) == (1, {"duplicate": 2})


@pytest.mark.parametrize(
    ("attributes", "fields", "reason"),
    [
        ({}, {"status": {"code": 2}}, "failed"),
        ({}, {"status": {"code": "STATUS_CODE_ERROR"}}, "failed"),
        ({"error.type": "timeout"}, {}, "timed-out"),
        ({"error.type": "CancelledError"}, {}, "cancelled"),
        ({"error.type": "500"}, {}, "failed"),
    ],
)
def test_spans_that_failed_are_left_out(attributes, fields, reason):
    assert told_rows(document(span("a", TOKENS | attributes, **fields))).left_out == {reason: 1}


def test_codex_and_claude_events_are_read_each_as_its_program_counts():
    codex = {
        "timeUnixNano": "1784000000000000000",
        "attributes": [
            attribute("event.name", "codex.sse_event"),
            attribute("event.kind", "response.completed"),
            attribute("conversation.id", "c"),
            attribute("input_token_count", 1000),
            attribute("cached_token_count", 200),
        ],
    }
    claude = {
        "timeUnixNano": "1784000001000000000",
        "body": {"stringValue": "claude_code.api_request"},
        "attributes": [
            attribute("session.id", "s"),
            attribute("input_tokens", "10"),
            attribute("cache_read_tokens", "80"),
            attribute("cache_creation_tokens", "10"),
        ],
    }
    read = told_rows(log(codex, claude), log(codex))
    assert [(row.input_tokens, row.cached_input_tokens) for row in read.requests] == [
        (1000, 200),
        (100, 80),
    ]
    assert read.left_out == {"duplicate": 1}


def test_a_bad_span_is_rejected_alone():
    read = told_rows(document(span("a", {"gen_ai.usage.input_tokens": -4}), span("b", TOKENS), 7))
    assert len(read.requests) == 1
    assert [(item.where, item.why) for item in read.rejected] == [
        ("a.log, line 1, span 1", "gen_ai.usage.input_tokens is -4: a count cannot be negative"),
        ("a.log, line 1, span 3", "it is 7, not an object"),
    ]


def test_a_large_document_is_cut_by_resource():
    spans = [{"scopeSpans": [{"spans": [span(str(n), TOKENS)]}]} for n in range(50)]
    read = told(json.dumps({"resourceSpans": spans}, indent=1))
    assert read.totals == (50, 50_000, 10_000)


def test_pushed_documents_are_read_as_files_are():
    read = sorted_out(read_values([document(span("a", TOKENS))], "otlp"))
    assert (read.totals, read.formats) == ((1, 1000, 200), [])
