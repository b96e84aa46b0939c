"""Prompts, answers and people never enter a row beyond the columns that are hashed later."""

from __future__ import annotations

import msgspec
import pytest

from tests.ingest.request_logs.logs import told_rows

TOKENS = {"input_tokens": 10, "cached_input_tokens": 0}
SECRET = "velvet"


@pytest.mark.parametrize(
    "name",
    [
        "messages",
        "prompt",
        "system_prompt",
        "input",
        "output",
        "outputText",
        "choices",
        "text",
        "content",
        "instructions",
        "user_message",
        "answer",
        "tool_output",
        "error_message",
        "title",
        "response",
        "user",
        "email",
        "api_key",
        "api_key_name",
        "customerId",
        "ip_address",
        "auth_token",
        "cwd",
        "file_path",
        "tenant",
        "tenantId",
        "tenants",
        "client",
        "company",
        "workspace",
        "thread",
        "team",
        "team_alias",
        "member",
        "person",
        "employee",
        "accounts",
        "userid",
        "clientip",
        "hostname",
        "department",
        "author",
    ],
)
def test_content_and_identity_are_no_arms(name):
    row = told_rows(TOKENS | {name: SECRET}, log_format="generic")
    assert SECRET not in msgspec.json.encode(row.requests).decode()


@pytest.mark.parametrize(
    "value",
    [
        "somebody@example.com",
        "sk-abcdef0123456789",
        "https://example.com/x?token=1",
        "5f1d8d0e-6b0c-4a53-9c5c-0d8f5a1f7b11",
        "deadbeefdeadbeef",
        "555123456789",
        "customer-4711zqx",
        "customer4711",
        "Customer 12",
        "eu1/customer-4711zqx",
        "thread_abczqx123",
        "thread_abczqxdef",
        "user_alice",
        "user:alice",
        "user_id:4711",
        "customer-id-4711",
        "customer-A-4711",
        "team-blue",
        "tenant-acme",
        "org-Ab12",
        "session_a1b2c3d4",
        "chatcmpl-A1b2C3",
        "10.9.8.7",
        "1.2.3.4",
        "10.9.8.7:8080",
        "10.9.8.0/24",
        "shard 10.9.8.7",
        "node-10.9.8.7",
        "ip-10-9-8-7",
        "2001:db8:0:0:0:0:2:1",
        "2001:db8::1",
        "[fe80::1%eth0]:443",
        "::1",
        "00:1b:44:11:3a:b7",
        "+49 170 1234567",
        "555-010-4477",
        "a sentence of more than four words",
        "two\nlines",
        "x" * 65,
        {"nested": "velvet"},
        ["velvet"],
        10**64,
        "",
        None,
    ],
)
def test_values_that_are_not_settings_are_no_arms(value):
    assert told_rows(TOKENS | {"variant": value}, log_format="generic").one.arms == {}


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("variant", "B", "B"),
        ("region", "eastus2", "eastus2"),
        ("provider_name", "Azure", "Azure"),
        ("shard", 3, "3"),
        ("arm", 0.5, "0.5"),
        ("arm", 1.0, "1"),
        ("arm", -2, "-2"),
        ("arm", 10**15, "1000000000000000"),
        ("arm", 10**15 + 1, "1000000000000001"),
        ("affinityHeader", True, "true"),
        ("deployment", "header bundle", "header bundle"),
        ("session_header", "present", "present"),
    ],
)
def test_settings_are_kept_as_arms(name, value, kept):
    assert told_rows(TOKENS | {name: value}, log_format="generic").one.arms == {name: kept}


@pytest.mark.parametrize(
    "value",
    [
        "A",
        "B",
        "eu1",
        "us-east-1",
        "gpt-5.4",
        "gpt-4-0613",
        "v1.2.3",
        "1.2.3",
        "v1.2.3.4",
        "1.2.3.4.5",
        "300.2.3.4",
        "2026-11-20",
        "12:30:45",
        "low",
        "high",
        "litellm",
        "portkey-gateway",
        "azure/eastus2",
        "shard-12",
        "run-1",
        "client-v2",
        "user-hash",
        "account A",
        "team-b",
        "key per user",
        "user_key_v2",
        "thread-pool",
        "constant_session_id_and_thread_id",
        "constant_x_codex_parent_thread_id_only",
        "organic2",
        "std::move",
    ],
)
def test_settings_that_resemble_ids_and_addresses_are_kept(value):
    assert told_rows(TOKENS | {"variant": value}, log_format="generic").one.arms == {
        "variant": value
    }


def test_tenants_customers_threads_and_addresses_leave_the_settings_beside_them():
    named = {"tenant": "ACMEZQX-77", "deployment": "eu1"}
    hidden = {"flavor": "customer-4711zqx", "mode": "thread_abczqx123", "shard": "10.9.8.7"}
    assert told_rows(TOKENS | named, log_format="generic").one.arms == {"deployment": "eu1"}
    assert told_rows(TOKENS | hidden, log_format="generic").one.arms == {}


@pytest.mark.parametrize("name", ["10.9.8.7", "customer-4711zqx", "user_12", "deadbeefdeadbeef"])
def test_a_switch_whose_name_tells_who_is_no_arm(name):
    assert told_rows(TOKENS | {name: True}, log_format="generic").one.arms == {}


def test_a_name_alone_is_the_senders_own_choice():
    assert told_rows(TOKENS | {"arm": "alice"}, log_format="generic").one.arms == {"arm": "alice"}


def test_the_text_of_an_answer_is_in_no_row_of_an_openai_object():
    answer = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_793_000_000,
        "status": "completed",
        "model": "gpt-5.6-sol",
        "instructions": SECRET,
        "output": [{"type": "message", "content": [{"type": "output_text", "text": SECRET}]}],
        "metadata": {"prompt": SECRET, "variant": "B"},
        "usage": {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}},
    }
    rows = told_rows({"request": {"input": SECRET, "messages": SECRET}, "response": answer})
    assert SECRET not in msgspec.json.encode(rows.requests).decode()
    assert rows.one.arms["variant"] == "B"


def test_a_message_about_a_bad_value_does_not_repeat_a_sentence():
    why = told_rows(
        {"input_tokens": "my secret velvet sentence", "cached_input_tokens": 0},
        log_format="generic",
    ).why
    assert why == "input_tokens is a text, not a whole number"
