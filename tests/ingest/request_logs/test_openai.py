"""OpenAI Responses and Chat Completions objects."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.ingest.request_logs.logs import lines, told, told_rows


def response(number: int = 1, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1_793_000_000 + number,
        "status": "completed",
        "model": "gpt-5.6-sol",
        "service_tier": "default",
        "prompt_cache_key": "tenant-a:v3",
        "reasoning": {"effort": "low", "summary": None},
        "usage": {
            "input_tokens": 4020,
            "input_tokens_details": {"cached_tokens": 8, "cache_write_tokens": 4012},
            "output_tokens": 5,
        },
        **fields,
    }


CHAT = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1_793_000_000,
    "model": "gpt-5.4",
    "usage": {
        "prompt_tokens": 4020,
        "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 1024},
    },
}


def test_a_response_tells_key_tier_effort_writes_and_time():
    row = told_rows(response()).one
    assert (row.input_tokens, row.cached_input_tokens, row.cache_write_tokens) == (4020, 8, 4012)
    assert (row.request_id, row.model, row.time) == ("resp_1", "gpt-5.6-sol", 1_793_000_001.0)
    assert (row.prompt_cache_key, row.service_tier, row.reasoning_effort) == (
        "tenant-a:v3",
        "default",
        "low",
    )


def test_written_tokens_are_part_of_the_input():
    assert told_rows(response()).totals == (1, 4020, 8)


def test_a_chat_completion_is_read_alike():
    row = told_rows(CHAT).one
    assert (row.input_tokens, row.cached_input_tokens, row.cache_write_tokens) == (4020, 1024, None)
    assert (row.output_tokens, row.time) == (4, 1_793_000_000.0)


@pytest.mark.parametrize(
    ("told_as", "diagnostics", "missed"),
    [
        ({"type": "cache_hit"}, "cache_hit", None),
        (
            {"type": "cache_miss", "reason": "tools_changed", "cache_missed_tokens": 9},
            "tools_changed",
            9,
        ),
        ({"type": "cache_miss"}, "cache_miss", None),
        ({"type": "comparison_response_not_found"}, "comparison_response_not_found", None),
        ({"type": "unavailable"}, "unavailable", None),
        (None, None, None),
    ],
)
def test_the_providers_own_diagnostics_are_kept(told_as, diagnostics, missed):
    row = told_rows(response(prompt_cache_diagnostics=told_as)).one
    assert (row.diagnostics, row.diagnostics_missed_tokens) == (diagnostics, missed)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"status": "failed", "usage": None}, "failed"),
        ({"status": "cancelled"}, "cancelled"),
        ({"status": "in_progress", "usage": None}, "unfinished"),
        ({"status": "queued", "usage": None}, "unfinished"),
        ({"usage": None}, "not-reported"),
        ({"error": {"code": "server_error"}}, "failed"),
    ],
)
def test_what_did_not_complete_is_left_out_by_reason(fields, reason):
    read = told_rows(response(2), response(**fields))
    assert len(read.requests) == 1
    assert read.left_out == {reason: 1}


def test_an_incomplete_response_was_answered_and_counts():
    assert told_rows(response(status="incomplete")).totals == (1, 4020, 8)


def test_the_same_id_counts_once():
    read = told_rows(response(), response(2), response())
    assert (len(read.requests), read.left_out) == (2, {"duplicate": 1})


def test_details_without_cached_tokens_are_unknown():
    row = told_rows(response(usage={"input_tokens": 9, "input_tokens_details": {}})).one
    assert (row.input_tokens, row.cached_input_tokens) == (9, None)


def test_null_details_are_unknown():
    usage = {"prompt_tokens": 9, "prompt_tokens_details": None}
    assert told_rows(CHAT | {"usage": usage}).one.cached_input_tokens is None


def test_events_of_a_stream_are_one_request():
    events = [
        {"type": "response.created", "response": response(status="in_progress", usage=None)},
        {"type": "response.output_text.delta", "delta": "velvet"},
        {"type": "response.completed", "response": response()},
    ]
    read = told_rows(*events)
    assert read.rejected == []
    assert (read.totals, read.left_out) == ((1, 4020, 8), {"unfinished": 1})
    assert read.requests[0].streamed is True


def test_chunks_of_a_chat_stream_are_one_request():
    chunk = {**CHAT, "object": "chat.completion.chunk"}
    read = told_rows(*[chunk | {"usage": None}] * 9, chunk)
    assert (read.totals, read.left_out) == ((1, 4020, 1024), {"unfinished": 1})


def test_a_zero_that_a_gateway_added_is_not_read():
    details = {"cached_tokens": 0, "cached_read_tokens": 0, "cached_write_tokens": 0}
    event = {
        "type": "response.completed",
        "response": response(usage={"input_tokens": 46, "input_tokens_details": details}),
    }
    row = told_rows(event).one
    assert (row.cached_input_tokens, row.cache_write_tokens) == (0, None)


def test_what_the_provider_sent_goes_before_what_a_gateway_made_of_it():
    raw = {"response": {"usage": {"input_tokens": 46, "input_tokens_details": {}}}}
    event = {
        "response": response(
            usage={"input_tokens": 46, "input_tokens_details": {"cached_tokens": 0}}
        ),
        "extra_fields": {"raw_response": json.dumps(raw), "provider": "openai"},
    }
    row = told_rows(event).one
    assert row.cached_input_tokens is None
    assert row.arms["provider"] == "openai"


def test_the_request_beside_a_chat_completion_tells_its_key():
    request = {"prompt_cache_key": "k", "reasoning_effort": "high", "stream": False, "messages": []}
    row = told_rows({"request": request, "response": CHAT, "session": "s", "arm": "B"}).one
    assert (row.prompt_cache_key, row.reasoning_effort, row.streamed) == ("k", "high", False)
    assert (row.session, row.arms) == ("s", {"arm": "B"})


def test_a_batch_says_that_it_is_one():
    row = told_rows({"custom_id": "7", "response": {"status_code": 200, "body": CHAT}}).one
    assert (row.service_tier, row.input_tokens) == ("batch", 4020)


def test_a_request_that_got_no_answer_failed():
    broken = {"custom_id": "8", "response": None, "error": {"code": "batch_expired"}}
    assert told_rows(response(), broken).left_out == {"failed": 1}


def test_a_line_a_list_an_indented_object_and_objects_after_another_read_the_same():
    rows = [response(1), response(2)]
    for text in (
        lines(*rows),
        json.dumps(rows),
        json.dumps(rows, indent=2),
        "\n".join(json.dumps(row, indent=1) for row in rows),
        json.dumps({"data": rows}),
        json.dumps({"object": "list", "data": rows, "has_more": False}, indent=1),
    ):
        read = told(text)
        assert (read.totals, read.rejected) == ((2, 8040, 16), []), text[:40]
    assert told(json.dumps(response(), indent=1)).totals == (1, 4020, 8)


def test_a_null_key_says_that_none_was_sent_and_no_key_field_says_nothing():
    assert told_rows(response(prompt_cache_key=None)).one.without_key is True
    assert told_rows(response()).one.without_key is False
    assert told_rows(CHAT).one.without_key is False
    assert (
        told_rows({"request": {"prompt_cache_key": None}, "response": CHAT}).one.without_key is True
    )
