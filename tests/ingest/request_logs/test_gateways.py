"""Logs of gateways and observability tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.ingest.request_logs.logs import told, told_rows


def spend(number: int = 1, details: Any = None, **fields: Any) -> dict[str, Any]:
    metadata = {"usage_object": {"prompt_tokens": 4020, "prompt_tokens_details": details}}
    return {
        "request_id": f"chatcmpl-{number}",
        "session_id": "s-1",
        "call_type": "acompletion",
        "startTime": "2025-01-24 09:20:46.847371",
        "model": "gpt-4o",
        "team_id": "team",
        "metadata": json.dumps(metadata),
        "prompt_tokens": 4020,
        "completion_tokens": 20,
        "cache_hit": "None",
        "status": "success",
        "messages": "{}",
        **fields,
    }


def test_litellm_keeps_the_providers_cached_tokens_in_its_metadata():
    row = told_rows(spend(details={"cached_tokens": 1024})).one
    assert (row.input_tokens, row.cached_input_tokens, row.project) == (4020, 1024, "team")
    assert row.time == 1_737_710_446.847371


def test_litellm_metadata_may_be_an_object():
    metadata = {"additional_usage_values": {"cache_read_input_tokens": 7}}
    assert told_rows(spend(metadata=metadata)).one.cached_input_tokens == 7


def test_litellm_null_details_are_unknown():
    assert told_rows(spend()).one.cached_input_tokens is None


def test_litellm_own_response_cache_is_not_the_prompt_cache():
    assert told_rows(spend(cache_hit="True")).left_out == {"response-cache": 1}


def test_litellm_failures_and_repeats_are_left_out():
    read = told_rows(spend(1), spend(2, status="failure"), spend(1))
    assert (len(read.requests), read.left_out) == (1, {"failed": 1, "duplicate": 1})


def test_litellm_metadata_that_is_no_json_is_rejected():
    assert told_rows(spend(metadata="{broken")).why == "metadata is a text that is not JSON"


def test_openrouter_rows_are_read_by_name_whatever_their_order():
    head = "created_at,tokens_cached,model_permaslug,tokens_prompt,cancelled,api_key_name,provider_name"
    rows = (
        '2026-06-28 03:46:57.713,4012,openai/gpt-5.6-sol,4020,false,"team, key",Azure\n'
        "2026-06-28 03:46:58.713,,openai/gpt-5.6-sol,4020,false,k,OpenAI\n"
        "2026-06-28 03:46:59.713,0,openai/gpt-5.6-sol,4020,true,k,OpenAI\n"
    )
    read = told(f"{head}\n{rows}")
    assert (read.formats, read.left_out) == (["openrouter"], {"cancelled": 1})
    assert [row.cached_input_tokens for row in read.requests] == [4012, None]
    assert read.requests[0].account == "team, key"
    assert read.requests[0].arms == {"provider_name": "Azure"}


def test_helicone_rows_are_read():
    row = {
        "request_id": "r",
        "request_created_at": "2026-06-02T08:00:01.000Z",
        "model": "gpt-4o",
        "status": 200,
        "prompt_tokens": 1349,
        "prompt_cache_read_tokens": 1024,
        "properties": {"Helicone-Session-Id": "sess-1", "variant": "B"},
    }
    one = told(json.dumps([row])).one
    assert (one.input_tokens, one.cached_input_tokens, one.session) == (1349, 1024, "sess-1")
    assert one.arms == {"variant": "B"}
    assert told_rows(row | {"status": -3}).left_out == {"cancelled": 1}


def observation(number: int, usage: dict[str, int], **fields: Any) -> dict[str, Any]:
    return {
        "id": f"o-{number}",
        "traceId": "t",
        "type": "GENERATION",
        "startTime": "2025-09-30T09:04:01.001Z",
        "usageDetails": usage,
        **fields,
    }


@pytest.mark.parametrize(
    ("usage", "whole", "cached"),
    [
        ({"input": 85, "output": 29, "total": 114, "prompt_details.cache_read": 40}, 85, 40),
        ({"input": 85, "output": 29, "total": 154, "prompt_details.cache_read": 40}, 125, 40),
        ({"input": 85, "output": 29, "total": 154, "input_cache_read": 40}, 125, 40),
        ({"input": 85, "output": 29, "total": 114, "input_cache_read": 40}, 85, 40),
        ({"input": 85, "output": 29, "input_cache_read": 40}, 125, 40),
        ({"input": 85, "output": 29, "prompt_details.cache_read": 40}, 85, 40),
        ({"input": 5, "output": 29, "prompt_details.cache_read": 40}, 45, 40),
        (
            {
                "input": 179,
                "output": 35,
                "output_reasoning": 64,
                "total": 278,
                "input_cache_read": 0,
            },
            179,
            0,
        ),
        ({"input": 5, "output": 94, "total": 99}, None, None),
    ],
)
def test_langfuse_rows_are_made_whole_as_their_total_adds_up(usage, whole, cached):
    row = told_rows(observation(1, usage)).one
    assert (row.input_tokens, row.cached_input_tokens) == (whole, cached)


@pytest.mark.parametrize("parent_first", [True, False])
def test_langfuse_parents_repeat_their_children(parent_first):
    usage = {"input": 10, "output": 1, "prompt_details.cache_read": 0}
    parent, child = observation(1, usage), observation(2, usage, parentObservationId="o-1")
    agent = observation(3, usage, type="AGENT")
    order = (parent, child, agent) if parent_first else (child, agent, parent)
    read = told_rows(*order)
    assert ([row.request_id for row in read.requests], read.left_out) == (
        ["o-2"],
        {"parent-total": 2},
    )


def test_otari_events_have_cached_tokens_outside_unless_they_say_otherwise():
    event = {
        "source_event_id": "e",
        "timestamp": "2026-07-22T12:34:56Z",
        "status": "success",
        "input_tokens": 1200,
        "cache_read_tokens": 8000,
        "cache_write_tokens": 1024,
    }
    assert told(json.dumps({"source": "x", "events": [event]}, indent=1)).totals == (1, 10224, 8000)
    assert told_rows(event | {"cache_tokens_in_prompt": True}).totals == (1, 1200, 8000)


@pytest.mark.parametrize(
    ("usage", "whole", "cached", "written"),
    [
        (
            {"input_tokens": 3, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 7},
            100,
            90,
            7,
        ),
        (
            {"inputTokens": 3, "cacheReadInputTokens": 90, "cacheReadInputTokenCount": 90},
            93,
            90,
            None,
        ),
        ({"promptTokenCount": 345, "cachedContentTokenCount": 230}, 345, 230, None),
        ({"promptTokenCount": 345}, 345, None, None),
        ({"prompt_tokens": 70, "num_cached_tokens": 69}, 70, 69, None),
        (
            {"prompt_tokens": 563, "prompt_cache_hit_tokens": 512, "prompt_cache_miss_tokens": 51},
            563,
            512,
            None,
        ),
        (
            {
                "billed_units": {"input_tokens": 2406},
                "tokens": {"input_tokens": 2935},
                "cached_tokens": 2928,
            },
            2935,
            2928,
            None,
        ),
        ({"prompt_tokens": 9, "prompt_tokens_details": None}, 9, None, None),
    ],
)
def test_usage_objects_are_read_as_their_provider_counts(usage, whole, cached, written):
    row = told_rows({"model": "m", "usage": usage}).one
    assert (row.input_tokens, row.cached_input_tokens, row.cache_write_tokens) == (
        whole,
        cached,
        written,
    )
