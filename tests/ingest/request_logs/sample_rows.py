"""One row of each format, in which no number is zero."""

from __future__ import annotations

from typing import Any

SPAN_TOKENS = [
    {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "1000"}},
    {"key": "gen_ai.usage.cache_read.input_tokens", "value": {"intValue": "200"}},
    {"key": "gen_ai.usage.output_tokens", "value": {"intValue": "5"}},
    {"key": "gen_ai.response.id", "value": {"stringValue": "r"}},
]
USAGE = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 80, "cache_write_tokens": 5},
    "output_tokens": 7,
}
COUNTED = {"input_tokens": 100, "cached_input_tokens": 80, "output_tokens": 7}
OUTSIDE = {
    "input_tokens": 100,
    "cache_read_input_tokens": 80,
    "cache_creation_input_tokens": 5,
    "output_tokens": 7,
}
ROWS: dict[str, Any] = {
    "openai": {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_793_000_000,
        "status": "completed",
        "model": "m",
        "usage": USAGE,
        "prompt_cache_diagnostics": {"type": "cache_miss", "reason": "x", "cache_missed_tokens": 3},
        "metadata": {"variant": "B"},
        "reasoning": {"effort": "low"},
    },
    "generic": {
        "timestamp": "2026-11-20T13:00:00Z",
        "session": "s",
        "input_tokens": 100,
        "cached_input_tokens": 80,
        "cache_write_tokens": 5,
        "input_excludes_cached": False,
        "streamed": True,
        "status": 200,
        "request_id": "r",
    },
    "litellm": {
        "request_id": "r",
        "call_type": "acompletion",
        "startTime": "2025-01-24 09:20:46",
        "prompt_tokens": 100,
        "completion_tokens": 7,
        "metadata": {"usage_object": {"prompt_tokens_details": {"cached_tokens": 80}}},
        "status": "success",
    },
    "otlp": {
        "resourceSpans": [
            {
                "resource": {"attributes": []},
                "scopeSpans": [
                    {
                        "spans": [
                            {
                                "spanId": "a",
                                "traceId": "t",
                                "startTimeUnixNano": "1784000000000000000",
                                "attributes": SPAN_TOKENS,
                                "status": {"code": 1},
                            }
                        ]
                    }
                ],
            }
        ]
    },
    "codex": {
        "timestamp": "2026-07-01T10:00:05Z",
        "type": "event_msg",
        "payload": {
            "type": "token_count",
            "info": {"total_token_usage": COUNTED, "last_token_usage": COUNTED},
        },
    },
    "codex-exec": {"type": "turn.completed", "usage": COUNTED},
    "opencodex": {
        "requestId": "o",
        "timestamp": 1_788_480_060_000,
        "status": 200,
        "usageStatus": "reported",
        "usage": {
            "inputTokens": 100,
            "outputTokens": 7,
            "cachedInputTokens": 80,
            "cacheReadInputTokens": 80,
            "cacheCreationInputTokens": 5,
        },
        "totalTokens": 107,
    },
    "claude-code": {
        "type": "assistant",
        "timestamp": "2026-07-01T10:00:05Z",
        "sessionId": "c",
        "message": {"id": "m", "model": "claude", "usage": OUTSIDE},
    },
    "opencode": {
        "id": "msg",
        "sessionID": "s",
        "modelID": "m",
        "time": {"created": 1_733_011_200_000, "completed": 1_733_011_260_000},
        "tokens": {"input": 100, "output": 7, "cache": {"read": 80, "write": 5}},
    },
    "langfuse": {
        "id": "o",
        "traceId": "t",
        "type": "GENERATION",
        "startTime": "2025-09-30T09:04:01Z",
        "usageDetails": {"input": 100, "output": 7, "total": 107, "prompt_details.cache_read": 80},
    },
    "helicone": {
        "request_id": "r",
        "request_created_at": "2026-06-02T08:00:01Z",
        "status": 200,
        "prompt_tokens": 100,
        "prompt_cache_read_tokens": 80,
        "properties": {"Helicone-Session-Id": "s", "variant": "B"},
    },
    "openrouter": {
        "generation_id": "g",
        "created_at": "2026-06-28 03:46:57",
        "tokens_prompt": 100,
        "tokens_cached": 80,
        "model_permaslug": "m",
        "cancelled": False,
    },
    "hermes": {
        "id": "s",
        "started_at": 1.5,
        "message_count": 4,
        "input_tokens": 100,
        "cache_read_tokens": 80,
        "cache_write_tokens": 5,
    },
    "otari": {
        "source_event_id": "e",
        "timestamp": "2026-07-22T12:34:56Z",
        "status": "success",
        "input_tokens": 100,
        "cache_read_tokens": 80,
        "cache_write_tokens": 5,
    },
    "usage": {"model": "m", "request_id": "r", "usage": OUTSIDE},
}
