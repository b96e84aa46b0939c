"""Logs of coding agents: Codex, OpenCodeX, Claude Code, opencode, Hermes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.request_logs import read
from tests.ingest.request_logs.logs import lines, sorted_out, stream, told, told_rows

T = "2026-07-01T10:00:{:02d}.000Z"


def usage(sent: int, cached: int, output: int = 10) -> dict[str, int]:
    return {"input_tokens": sent, "cached_input_tokens": cached, "output_tokens": output}


def meta(second: int = 0, **payload: Any) -> dict[str, Any]:
    return {
        "timestamp": T.format(second),
        "type": "session_meta",
        "payload": {"id": "s-1", **payload},
    }


def turn(model: str = "gpt-5.5", effort: str = "low") -> dict[str, Any]:
    return {"type": "turn_context", "payload": {"model": model, "effort": effort}}


def count(second: int, last: Any, total: Any) -> dict[str, Any]:
    info = {"last_token_usage": last, "total_token_usage": total}
    payload = {"type": "token_count", "info": info}
    return {"timestamp": T.format(second), "type": "event_msg", "payload": payload}


def record(second: int, response: str, own: dict[str, int], **payload: Any) -> dict[str, Any]:
    return {
        "timestamp": T.format(second),
        "type": "token_usage_record",
        "payload": {
            "session_id": "s-1",
            "response_id": response,
            "usage": own,
            "thread_token_usage": usage(999_999, 99_999),
            **payload,
        },
    }


FIRST, SECOND = (usage(100, 0), usage(100, 0)), (usage(200, 90), usage(300, 90))


def test_a_rollout_counts_requests_and_not_its_running_totals():
    told_them = told_rows(meta(), turn(), count(5, *FIRST), count(9, *SECOND))
    assert told_them.totals == (2, 300, 90)
    row = told_them.requests[1]
    assert (row.session, row.model, row.reasoning_effort) == ("s-1", "gpt-5.5", "low")
    assert row.time == 1_782_900_009.0


def test_an_event_that_is_written_again_is_left_out():
    told_them = told_rows(meta(), count(5, *FIRST), count(6, *FIRST), count(9, *SECOND))
    assert (told_them.totals, told_them.left_out) == ((2, 300, 90), {"re-emission": 1})


def test_a_null_info_is_no_request():
    empty = {"type": "event_msg", "payload": {"type": "token_count", "info": None}}
    assert told_rows(meta(), empty, count(5, *FIRST)).totals == (1, 100, 0)


def test_totals_that_go_back_after_a_compaction_lose_nothing():
    told_them = told_rows(
        meta(), count(5, *SECOND), {"type": "compacted", "payload": {}}, count(9, *FIRST)
    )
    assert told_them.totals == (2, 300, 90)


def test_totals_alone_are_taken_apart_and_left_out_where_they_go_back():
    told_them = told_rows(
        meta(),
        count(1, None, usage(100, 0)),
        count(2, None, usage(300, 90, 20)),
        count(3, None, usage(50, 0)),
    )
    assert (told_them.totals, told_them.left_out) == ((2, 300, 90), {"compaction": 1})


def test_a_fork_is_counted_from_where_its_own_history_begins():
    parent = lines(meta(0), count(5, *FIRST), count(9, *SECOND))
    own = count(40, usage(400, 290), usage(700, 380))
    fork = lines(
        meta(30, id="s-2", forked_from_id="s-1"),
        meta(30),
        count(30, *FIRST),
        count(30, *SECOND),
        own,
    )
    both = sorted_out(read([stream(parent, "1.jsonl"), stream(fork, "2.jsonl")]))
    assert (both.totals, both.left_out) == ((3, 700, 380), {"replay": 2})
    assert both.requests[2].session == "s-2"
    alone = told(fork)
    assert (alone.totals, alone.left_out) == ((1, 400, 290), {"replay": 2})


def test_two_sessions_that_happen_to_begin_alike_are_both_counted():
    one, other = lines(meta(), count(5, *FIRST)), lines(meta(id="s-2"), count(5, *FIRST))
    assert sorted_out(read([stream(one, "1.jsonl"), stream(other, "2.jsonl")])).totals == (
        2,
        200,
        0,
    )


def test_a_request_told_by_a_record_and_by_an_event_counts_once():
    told_them = told_rows(
        meta(),
        turn(),
        record(5, "r1", FIRST[0]),
        count(5, *FIRST),
        count(9, *SECOND),
        record(9, "r2", SECOND[0]),
    )
    assert (told_them.totals, told_them.left_out) == ((2, 300, 90), {"re-emission": 2})
    assert told_them.requests[0].request_id == "r1"


def test_a_record_is_known_by_its_response():
    told_them = told_rows(meta(), record(5, "r1", FIRST[0]), record(6, "r1", FIRST[0]))
    assert (told_them.totals, told_them.left_out) == ((1, 100, 0), {"re-emission": 1})


def test_codex_exec_prints_totals_of_sessions_which_are_told_but_not_counted():
    told_them = told_rows(
        {"type": "thread.started", "thread_id": "t-1"},
        {"type": "turn.completed", "usage": usage(1_000, 0)},
        {"type": "turn.completed", "usage": usage(3_000, 900)},
    )
    assert (told_them.requests, told_them.left_out) == ([], {"session-total": 2})
    assert "900 of 3,000 input tokens were cached (30.0%)" in told_them.warnings[0]


def test_hermes_sessions_are_told_but_not_counted():
    row = {"id": "s", "started_at": 1.5, "message_count": 4}
    tokens = {"input_tokens": 1200, "cache_read_tokens": 50, "cache_write_tokens": 20}
    told_them = told(json.dumps([row | tokens]))
    assert (told_them.requests, told_them.left_out) == ([], {"session-total": 1})
    assert "50 of 1,270" in told_them.warnings[0]


def ocx(number: int, usage_status: str = "reported", **fields: Any) -> dict[str, Any]:
    return {
        "requestId": f"o-{number}",
        "timestamp": 1_788_480_060_000 + number,
        "model": "gpt-5.6-sol",
        "status": 200,
        "usageStatus": usage_status,
        **fields,
    }


def test_opencodex_rows_are_read_with_their_sum_and_not_their_attempts():
    numbers = {"inputTokens": 100, "cachedInputTokens": 50, "cacheReadInputTokens": 50}
    row = told_rows(
        ocx(1, usage=numbers | {"contextTotalTokens": 9_999}, attempts=[{"usage": numbers}] * 2)
    ).one
    assert (row.input_tokens, row.cached_input_tokens, row.time) == (100, 50, 1_788_480_060.001)


def test_old_opencodex_rows_keep_read_and_written_tokens_in_one_number():
    numbers = {
        "inputTokens": 744002,
        "cachedInputTokens": 743998,
        "cacheCreationInputTokens": 743000,
    }
    row = told_rows(ocx(1, usage=numbers)).one
    assert (row.cached_input_tokens, row.cache_write_tokens) == (998, 743000)
    bad = numbers | {"cacheCreationInputTokens": 743999}
    assert "less than" in told_rows(ocx(1, usage=bad)).why


def test_old_opencodex_rows_whose_total_has_cached_tokens_outside_are_made_whole():
    numbers = {"inputTokens": 5, "outputTokens": 10, "cacheReadInputTokens": 900}
    assert told_rows(ocx(1, usage=numbers, totalTokens=915)).one.input_tokens == 905
    assert told_rows(ocx(1, usage=numbers, totalTokens=15)).one.input_tokens == 5


def test_opencodex_rows_without_numbers_are_no_zeros():
    told_them = told_rows(
        ocx(1, "unreported"),
        ocx(2, "unsupported"),
        ocx(3, "estimated", usage={"inputTokens": 5, "estimated": True}),
        ocx(4, "unreported", status=429),
        ocx(5, usage={"inputTokens": 5}),
        ocx(5, usage={"inputTokens": 5}),
    )
    assert told_them.left_out == {"not-reported": 2, "estimated": 1, "failed": 1, "duplicate": 1}
    assert told_them.one.cached_input_tokens is None


def message(number: int, output: int = 5, **fields: Any) -> dict[str, Any]:
    tokens = {
        "input_tokens": 10,
        "output_tokens": output,
        "cache_read_input_tokens": 80,
        "cache_creation_input_tokens": 10,
    }
    return {
        "type": "assistant",
        "timestamp": T.format(number),
        "sessionId": "c-1",
        "message": {"id": f"m-{number}", "model": "claude-sonnet-4-6", "usage": tokens},
        **fields,
    }


def test_a_claude_message_is_one_request_with_its_first_time_and_its_last_output():
    later = message(1, 90) | {"timestamp": T.format(3)}
    told_them = told_rows(message(1), message(2), later)
    assert (told_them.totals, told_them.left_out) == ((2, 200, 160), {"re-emission": 1})
    assert (told_them.requests[0].time, told_them.requests[0].output_tokens) == (
        1_782_900_001.0,
        90,
    )


def test_a_resumed_claude_session_repeats_its_history():
    one, other = lines(message(1)), lines(message(1) | {"sessionId": "c-2"}, message(2))
    both = sorted_out(read([stream(one, "1.jsonl"), stream(other, "2.jsonl")]))
    assert (both.totals, both.left_out) == ((2, 200, 160), {"replay": 1})


def test_claude_rows_of_other_kinds_are_no_zeros():
    synthetic = message(1)
    synthetic["message"] = {
        "model": "<synthetic>",
        "usage": {"input_tokens": 0, "output_tokens": 0},
    }
    silent = message(2)
    silent["message"] = {"model": "m", "usage": {"input_tokens": 500, "output_tokens": 200}}
    told_them = told_rows({"type": "user", "message": {}}, synthetic, silent)
    assert told_them.left_out == {"synthetic": 1}
    assert (told_them.one.input_tokens, told_them.one.cached_input_tokens) == (None, None)


@pytest.mark.parametrize("reason", ["messages_changed", {"type": "messages_changed"}])
def test_claude_tells_why_it_missed_where_the_provider_said_so(reason):
    row = message(1)
    row["message"]["diagnostics"] = {"cache_miss_reason": reason}
    assert told_rows(row).one.diagnostics == "messages_changed"


def test_claude_lines_of_2024_are_read():
    old = {"type": "assistant", "message": {"model": "c"}, "inputTokens": 200, "outputTokens": 1}
    row = told_rows(old | {"cacheReadInputTokens": 50, "cacheCreationInputTokens": 100}).one
    assert (row.input_tokens, row.cached_input_tokens) == (350, 50)


def opencode(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"msg_{number}",
        "sessionID": "ses",
        "role": "assistant",
        "modelID": "m",
        "time": {"created": 1_733_011_200_000, "completed": 1_733_011_260_000 + number},
        "tokens": {"input": 1000, "output": 5, "cache": {"read": 200, "write": 100}},
        **fields,
    }


def test_opencode_messages_have_cached_tokens_outside():
    row = told(json.dumps(opencode(1), indent=1)).one
    assert (row.input_tokens, row.cached_input_tokens, row.cache_write_tokens) == (1300, 200, 100)
    assert (row.session, row.time) == ("ses", 1_733_011_200.0)


def test_opencode_forks_copy_messages_under_new_ids():
    copied = opencode(1) | {"id": "msg_copy", "sessionID": "fork"}
    told_them = told_rows(opencode(1), copied, opencode(1), opencode(2))
    assert (len(told_them.requests), told_them.left_out) == (2, {"replay": 1, "duplicate": 1})


def test_a_folder_of_opencode_messages_has_a_file_for_each(tmp_path: Path):
    person = {"id": "msg_0", "sessionID": "ses", "role": "user", "time": {"created": 1}}
    for number, row in enumerate((person, opencode(1), opencode(2))):
        (tmp_path / f"msg_{number}.json").write_text(json.dumps(row, indent=1))
    told_them = sorted_out(read([tmp_path]))
    assert (told_them.totals, told_them.rejected, told_them.warnings) == ((2, 2600, 400), [], [])


def test_an_opencode_message_without_tokens_is_not_reported():
    assert told_rows(opencode(1, tokens=None)).left_out == {"not-reported": 1}
