"""Where two bodies part: in the order in which the cache reads, with an estimate of tokens."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cachewatch.analysis.request_bodies.blocks import BodyError, blocks_of, tokens_of
from cachewatch.analysis.request_bodies.divergence import compare

TOOLS = [{"type": "function", "name": name, "parameters": {"a": 1, "b": 2}} for name in "xyz"]
SYSTEM = "You answer in one sentence. " * 200
CHAT = {
    "model": "gpt-5.4",
    "tools": TOOLS,
    "messages": [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": "What is due today?"},
    ],
}
RESPONSES = {
    "model": "gpt-5.6-terra",
    "tools": TOOLS,
    "text": {"format": {"type": "json_schema", "schema": {"a": 1}}, "verbosity": "low"},
    "instructions": SYSTEM,
    "input": [{"role": "user", "content": [{"type": "input_text", "text": "What is due today?"}]}],
    "reasoning": {"effort": "low"},
}


def changed(body, **values):
    return copy.deepcopy(body) | values


def found(a, b):
    divergence = compare(a, b).divergence
    assert divergence is not None
    return divergence.block, divergence.likely


def test_blocks_come_in_the_order_in_which_the_cache_reads():
    assert [block.name for block in blocks_of(RESPONSES)] == [
        *("tools[0]", "tools[1]", "tools[2]", "text.format", "instructions", "message 0 (user)")
    ]


def test_equal_bodies_are_the_same():
    diff = compare(CHAT, copy.deepcopy(CHAT))
    assert (diff.same, diff.divergence, diff.parameters) == (True, None, ())
    assert diff.shared_tokens == diff.tokens_a == diff.tokens_b


def test_what_the_cache_does_not_look_at_makes_no_difference():
    assert compare(CHAT, changed(CHAT, temperature=0.3, metadata={"run": "7"}, store=True)).same


def test_the_last_message_is_named_with_what_comes_before_it():
    other = changed(CHAT, messages=[CHAT["messages"][0], {"role": "user", "content": "And then?"}])
    diff = compare(CHAT, other)
    assert found(CHAT, other) == ("message 1 (user)", "other")
    static = sum(tokens_of(block.rendered) for block in blocks_of(CHAT)[:4])
    assert abs(diff.shared_tokens - static) <= 5
    assert not diff.too_short


def test_tools_in_another_order_are_told_as_such():
    other = changed(CHAT, tools=[TOOLS[1], TOOLS[0], TOOLS[2]])
    assert found(CHAT, other) == ("tools[0]", "tool-order")
    assert compare(CHAT, other).too_short


def test_keys_of_a_tool_in_another_order_are_told_as_such():
    tool = {"type": "function", "name": "z", "parameters": {"b": 2, "a": 1}}
    assert found(CHAT, changed(CHAT, tools=[*TOOLS[:2], tool])) == ("tools[2]", "json-key-order")


def test_a_tool_that_only_one_has_is_named():
    assert found(CHAT, changed(CHAT, tools=TOOLS[1:])) == ("tools[0]", "block-removed")
    assert found(changed(CHAT, tools=None), CHAT) == ("tools[0]", "block-inserted")


def test_the_schema_comes_before_the_instructions():
    other = changed(RESPONSES, text={"format": {"type": "json_schema", "schema": {"a": 2}}})
    assert found(RESPONSES, changed(other, instructions="Other")) == ("text.format", "number")


def test_a_conversation_that_goes_on_loses_nothing():
    answer = {"role": "assistant", "content": "Nothing."}
    longer = changed(CHAT, messages=[*CHAT["messages"], answer])
    diff = compare(CHAT, longer)
    assert found(CHAT, longer) == ("message 2 (assistant)", "blocks-appended")
    assert diff.shared_tokens == pytest.approx(diff.tokens_a, abs=5)


def test_a_message_put_before_the_others_is_told_as_such():
    first = {"role": "system", "content": "Today is 2026-11-30."}
    other = changed(CHAT, messages=[first, *CHAT["messages"]])
    assert found(CHAT, other) == ("message 0 (system)", "block-inserted")


def test_a_role_alone_is_a_difference():
    other = changed(CHAT, messages=[{"role": "developer", "content": SYSTEM}, CHAT["messages"][1]])
    assert found(CHAT, other) == ("message 0 (system)", "role")


def test_one_text_part_is_the_same_as_the_text():
    other = changed(RESPONSES, input="What is due today?")
    assert compare(RESPONSES, other).same


def test_settings_that_are_part_of_the_match_leave_nothing_to_share():
    other = changed(RESPONSES, reasoning={"effort": "high"})
    diff = compare(RESPONSES, other)
    assert [tuple(change) for change in diff.parameters] == [
        ("reasoning effort", "prefix", "low", "high")
    ]
    assert (diff.same, diff.divergence, diff.shared_tokens) == (False, None, 0)


def test_keys_and_ids_are_compared_and_never_shown():
    a = changed(RESPONSES, prompt_cache_key="customer-7", user="mira")
    b = changed(RESPONSES, prompt_cache_key="customer-8", previous_response_id="resp_1")
    assert [tuple(change) for change in compare(a, b).parameters] == [
        ("prompt_cache_key", "key", *["differs (values are not shown)"] * 2),
        ("user", "key", "present", "absent"),
        ("previous response", "history", "absent", "present"),
    ]


def test_a_breakpoint_changes_no_text_and_is_named_apart():
    part = {"type": "input_text", "text": "Hello"}
    marked = part | {"prompt_cache_breakpoint": {"ttl": "30m"}}
    a, b = (
        changed(RESPONSES, input=[{"role": "user", "content": [one]}]) for one in (part, marked)
    )
    diff = compare(a, b)
    assert diff.divergence is None
    assert [tuple(change) for change in diff.parameters] == [
        ("breakpoints", "breakpoints", "none", "message 0 (user)")
    ]


@pytest.mark.parametrize(
    "body",
    [{}, {"model": "gpt-5.4"}, {"messages": 3}, {"input": ["a"]}, {"input": "", "tools": "x"}],
)
def test_what_is_no_request_body_is_refused(body):
    with pytest.raises(BodyError):
        blocks_of(body)


messages = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["system", "user", "assistant"]),
            "content": st.none()
            | st.text()
            | st.lists(st.text() | st.dictionaries(st.text(), st.text())),
        }
    )
)


@given(messages, messages, messages)
def test_what_is_shared_is_never_more_than_either_has(start, a, b):
    diff = compare({"messages": start + a}, {"messages": start + b})
    assert 0 <= diff.shared_tokens <= min(diff.tokens_a, diff.tokens_b) + len(start + a)
    assert diff.same == (blocks_of({"messages": a}) == blocks_of({"messages": b}))
