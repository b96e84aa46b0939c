"""Logs of other projects, where they lie beside this one: totals counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ingest.request_logs import LogRefused, read
from tests.ingest.request_logs.logs import SHARED, lines, sorted_out, told

# file: format, requests, input with cached inside, cached, rows whose cached tokens are unknown
READ = {
    "auditpc_anthropic_cache_control_usage.jsonl": ("usage", 2, 11_810, 5_200, 0),
    "auditpc_bedrock_checkpoint_usage.jsonl": ("usage", 2, 11_620, 5_000, 0),
    "ccusage_claude_chat.jsonl": ("claude-code", 3, 745, 70, 0),
    "ccusage_codex_session.jsonl": ("codex", 2, 3_500, 750, 0),
    "ccusage_test-transcript.jsonl": ("claude-code", 2, 4_600, 1_300, 0),
    "codex_exec_turn_completed_vs_token_count.json": ("codex-exec", 0, 0, 0, 0),
    "codex_reemit_and_compaction.jsonl": ("codex", 3, 33_420, 10_752, 0),
    "genai-prices_usage_bodies_sample.json": ("usage", 208, 1_473_635, 332_669, 50),
    "helicone_request_rows.json": ("helicone", 1, 1_349, 1_024, 0),
    "hermes_sessions_rows.json": ("hermes", 0, 0, 0, 0),
    "langfuse_observations_reduced.json": ("langfuse", 19, 832, 0, 11),
    "langwatch_bifrost_responses_stream.jsonl": ("openai", 1, 46, 0, 0),
    "litellm_spend_logs_payload.json": ("litellm", 1, 10, 0, 1),
    "openai_responses_with_cache_diagnostics.jsonl": ("openai", 7, 28_345, 8_065, 0),
    "opencodex-3433_description_sequence.jsonl": ("generic", 8, 2_322_923, 927_744, 0),
    "opencodex_usage_sample.jsonl": ("opencodex", 15, 3_120_228, 965_426, 1),
    "openrouter_activity_sample.csv": ("openrouter", 1, 4_020, 4_012, 0),
    "otari_external_usage_event.json": ("otari", 1, 10_224, 8_000, 0),
    "otari_otlp_spans.json": ("otlp", 1, 1_000, 200, 0),
    "otel_openai_responses_usage.json": ("openai", 3, 66, 0, 0),
    "tokendash_claude-session.jsonl": ("claude-code", 4, 9_100, 5_000, 0),
    "tokscale_claude_old_camelcase.jsonl": ("claude-code", 2, 350, 50, 1),
    "tokscale_opencode_msg.json": ("opencode", 1, 1_300, 200, 0),
    "toktrack_claude-sample.jsonl": ("claude-code", 3, 130, 20, 2),
    "toktrack_opencode_msg_001.json": ("opencode", 1, 1_150, 100, 0),
    "toktrack_opencode_msg_003_no_tokens.json": ("opencode", 0, 0, 0, 0),
    "vllm_usage.json": ("usage", 2, 7_234, 1_600, 1),
}
LEFT_OUT = {
    "codex_exec_turn_completed_vs_token_count.json": {"session-total": 1},
    "codex_reemit_and_compaction.jsonl": {"re-emission": 2},
    "hermes_sessions_rows.json": {"session-total": 1},
    "langfuse_observations_reduced.json": {"parent-total": 2},
    "langwatch_bifrost_responses_stream.jsonl": {"unfinished": 2},
    "openai_responses_with_cache_diagnostics.jsonl": {"failed": 1},
    "opencodex_usage_sample.jsonl": {
        "not-reported": 2,
        "estimated": 1,
        "failed": 1,
        "duplicate": 1,
    },
    "openrouter_activity_sample.csv": {"cancelled": 1},
    "toktrack_claude-sample.jsonl": {"synthetic": 1},
    "toktrack_opencode_msg_003_no_tokens.json": {"not-reported": 1},
}
REFUSED = {
    "vllm_log_lines.txt": "an aggregate says nothing about single requests",
    "local-operator-647_cached_by_arm.json": "its format is not recognised",
    "opencodex-3433_redacted-evidence.json": "its format is not recognised",
}
# The published summary of the five arms with rows.
ARMS = {
    "no_affinity_header": (13, 922_577, 101_888),
    "constant_session_id": (9, 443_927, 315_392),
    "no_pool_affinity_header": (8, 605_407, 196_608),
    "constant_session_id_and_thread_id": (8, 342_664, 238_080),
    "constant_x_codex_parent_thread_id_only": (8, 509_787, 14_848),
}


def shared(name: str) -> Path:
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"shared/data/requests/{name} is not beside this project")
    return path


@pytest.mark.parametrize("name", READ)
def test_a_log_of_another_project_has_its_totals(name):
    log_format, requests, sent, cached, unknown = READ[name]
    read_it = sorted_out(read([shared(name)]))
    assert read_it.formats == [log_format]
    assert read_it.totals == (requests, sent, cached)
    assert sum(row.cached_input_tokens is None for row in read_it.requests) == unknown
    assert read_it.left_out == LEFT_OUT.get(name, {})
    bad = {"opencodex_usage_sample.jsonl": 1, "toktrack_claude-sample.jsonl": 1}
    assert len(read_it.rejected) == bad.get(name, 0)


@pytest.mark.parametrize("name", REFUSED)
def test_what_holds_no_rows_of_requests_is_refused(name):
    with pytest.raises(LogRefused, match=REFUSED[name]):
        sorted_out(read([shared(name)]))


def test_every_shared_log_is_read_or_refused_here():
    shared("vllm_usage.json")
    assert {path.name for path in SHARED.iterdir()} == READ.keys() | REFUSED.keys()


def test_the_first_eight_rows_of_the_opencodex_log_are_the_published_sequence():
    head = shared("opencodex_usage_sample.jsonl").read_text().splitlines(keepends=True)[:8]
    assert told("".join(head)).totals == (8, 2_322_923, 927_744)


@pytest.mark.parametrize("arm", ARMS)
def test_the_published_arms_add_up_in_the_generic_form(arm):
    evidence = json.loads(shared("opencodex-3433_redacted-evidence.json").read_text())
    held = [axis[arm] for axis in evidence.values() if isinstance(axis, dict) and arm in axis]
    rows = [
        {
            "input_tokens": row["input_tokens"],
            "cached_input_tokens": row["cache_read_input_tokens"],
            "arm": arm,
        }
        for row in held[0]["rows"]
    ]
    assert told(lines(*rows)).totals == ARMS[arm]
