"""What a planned key stands for, read from its placeholders."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.key_plan import GRANULARITIES, Granularity, KeyPlan, PeakLoad, lint_key
from cachewatch.analysis.key_shape import unit_of_shape

ROUTED, ACCOUNTED = "gpt-5.4", "gpt-5.6-terra"
PER_MINUTE = PeakLoad(60.0, by_minute=True, quiet_requests_per_hour=120.0)


@pytest.mark.parametrize(
    "key",
    [
        "triage-{request_id}",
        "triage-{requestId}",
        "triage-{{request_id}}",
        "triage-${REQUEST_ID}",
        "triage-$REQUEST_ID",
        "triage-<request id>",
        "triage-%(req_id)s",
        "triage-{uuid}",
        "triage-{uuid4}",
        "triage-{uuid.uuid4().hex}",
        "triage-{trace_id}",
        "triage-{run}",
        "triage-{run_id}",
        "triage-{timestamp}",
        "triage-{time.time()}",
        "triage-{datetime.now()}",
        "triage-{random}",
        "triage-{tenant}-{nonce}",
        "triage-{conversation_id}-{request_id}",
    ],
)
def test_a_placeholder_that_is_new_on_every_request_is_a_key_per_request(key: str) -> None:
    found = unit_of_shape(key)
    assert found is not None
    assert found.unit == "request"


@pytest.mark.parametrize(
    ("key", "unit"),
    [
        ("chat-{message_id}", "message"),
        ("chat-{conversation}-{msg}", "message"),
        ("chat-{conversation_id}", "conversation"),
        ("chat-{session}", "conversation"),
        ("chat-<thread_id>", "conversation"),
        ("chat-{chatId}", "conversation"),
        ("chat-{session_uuid}", "conversation"),
    ],
)
def test_messages_and_conversations_are_told_apart(key: str, unit: str) -> None:
    found = unit_of_shape(key)
    assert found is not None
    assert found.unit == unit


@pytest.mark.parametrize(
    "key",
    [
        None,
        "triage",
        "request-triage-v3",
        "{tenant}",
        "{tenant_uuid}",
        "{user_id}-{document}",
        "{request_type}",
        "{message_class}",
        "{session_tier}",
        "{run_date}",
        "{template}-{shard}",
        "{id}",
        "{0}-{}-%s",
    ],
)
def test_what_comes_again_is_no_key_per_request(key: str | None) -> None:
    assert unit_of_shape(key) is None


@pytest.mark.parametrize("granularity", [None, "template", "tenant-document", "request"])
@pytest.mark.parametrize("model", [ROUTED, ACCOUNTED])
def test_a_key_per_request_is_warned_of_whatever_is_chosen(
    granularity: Granularity | None, model: str
) -> None:
    found = lint_key(KeyPlan(granularity, "triage-{request_id}"), PER_MINUTE, model)
    (note,) = [one for one in found.notes if one.code == "scatters"]
    assert (note.severity, note.field) == ("warning", "key")
    assert note.sentence == (
        "`{request_id}` is new on every request. A key per request scatters like no key: it is "
        "used once, so no later request can be sent to where its prefix is."
    )
    assert found.requests_per_minute_per_key == 1.0


def test_a_session_in_the_key_asks_how_many_sessions_there_are() -> None:
    found = lint_key(KeyPlan("template", "chat-{session_id}"), PER_MINUTE, ROUTED)
    assert [note.code for note in found.notes] == ["rate-unknown"]
    assert found.notes[0].sentence == (
        "Requests a minute per key are N/A; `{session_id}` makes one key per conversation: say how "
        "many are active in the busiest minute. About 15 a minute fit under one key."
    )
    known = lint_key(KeyPlan("template", "chat-{session_id}", units_at_peak=12), PER_MINUTE, ROUTED)
    assert known.requests_per_minute_per_key == 5.0


def test_what_is_chosen_stands_where_it_is_the_finer_one() -> None:
    found = lint_key(KeyPlan("request", "chat-{session_id}"), PER_MINUTE, ROUTED)
    assert [(note.code, note.field) for note in found.notes] == [("scatters", "granularity")]


@given(st.text(max_size=64), st.sampled_from(GRANULARITIES))
def test_any_text_is_read_and_never_makes_a_key_coarser(key: str, granularity: Granularity) -> None:
    unit = KeyPlan(granularity, key).unit
    assert unit is not None
    assert GRANULARITIES.index(unit) >= GRANULARITIES.index(granularity)
