"""`cachewatch probe` against a simulated Responses API: nothing without --yes, never the key."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

from cachewatch.cli import main
from tests.cachewatch.simulated_responses import KEY, SimulatedResponses, served


@pytest.fixture
def api():
    return SimulatedResponses("breakpoints")


@pytest.fixture
def url(api):
    with served(api) as found:
        yield found


@pytest.fixture
def probe(capsys, monkeypatch, url):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("CACHEWATCH_PRICES", raising=False)

    def run(*arguments, model="gpt-5.6-terra"):
        options = ("--base-url", url, "--pause", "0", "--static-tokens", "2000")
        status = main(["probe", "--model", model, *options, *arguments])
        out, err = capsys.readouterr()
        assert KEY not in out + err
        return status, out, err

    return run


def test_without_yes_the_plan_and_its_cost_are_shown_and_nothing_is_sent(api, probe):
    status, out, _ = probe()
    assert (status, api.bodies) == (0, [])
    assert "plan: 12 requests to gpt-5.6-terra" in out
    assert "cost: about 24,720 input tokens, at most $" in out
    assert out.endswith("nothing was sent; --yes sends it\n")
    status, out, _ = probe("--json")
    assert (status, json.loads(out)["sent"], api.bodies) == (0, False, [])


def test_a_missing_breakpoint_is_found_where_only_whole_prompts_match(api, probe):
    status, out, err = probe("--yes")
    assert status == 0
    assert len(api.bodies) == 12
    assert (
        "plain: Only the whole prompt is read again: the signature of a missing breakpoint" in out
    )
    assert "breakpoint: The prefix is read again, with another tail too" in out
    assert "| plain | changed tail | 2 | 0 of 2 |" in out
    assert "| breakpoint | changed tail | 2 | 2 of 2 |" in out
    assert err.index("cost: about") < err.index("request 1 of 12")


def test_arms_take_turns_and_the_order_of_turns_changes(api, probe):
    _, out, _ = probe("--yes", "--json")
    calls = [(one["round"], one["arm"], one["step"]) for one in json.loads(out)["calls"]]
    assert calls[:3] == [
        (1, "plain", "first"),
        (1, "breakpoint", "first"),
        (1, "plain", "identical"),
    ]
    assert calls[6] == (2, "breakpoint", "first")
    marked = ["prompt_cache_breakpoint" in body["input"][0]["content"][0] for body in api.bodies]
    assert marked == [False, True] * 3 + [True, False] * 3


def test_an_older_model_is_tried_with_a_key_and_reads_in_steps(probe, api):
    api.mode = "rounded"
    status, out, _ = probe("--yes", "--json", model="gpt-4o")
    found = json.loads(out)
    assert (status, found["arms"], found["generation"]) == (0, ["plain", "key"], "up to GPT-5.4")
    assert {one["outcome"] for one in found["steps"] if one["step"] != "first"} == {"hit"}
    assert {one["cached_tokens"] % 128 for one in found["steps"]} == {0}
    keys = [body.get("prompt_cache_key") for body in api.bodies]
    assert keys[0::2][:3] == [None] * 3
    assert len({key for key in keys if key}) == 2
    assert all(key.startswith("cw1-") for key in keys if key)
    assert found["input_usd"] < found["budget"]["input_usd_at_most"]


def test_a_prefix_below_the_minimum_is_never_read(probe):
    _, out, _ = probe("--yes", "--static-tokens", "500")
    assert out.count("Nothing is read: the prefix is below the minimum") == 2


def test_cached_tokens_that_are_not_reported_are_no_zeros(api, probe):
    api.reports_cached = False
    _, out, _ = probe("--yes", "--rounds", "1")
    assert "| plain | identical | 1 | N/A | N/A | N/A | N/A | N/A |" in out
    assert "Cached tokens are not reported" in out


def test_each_trial_begins_with_text_of_its_own(api, probe):
    probe("--yes", "--rounds", "1")
    _, out, _ = probe("--yes", "--rounds", "1", "--json")
    assert [one["hits"] for one in json.loads(out)["steps"] if one["step"] == "first"] == [0, 0]


def test_a_key_that_is_refused_is_one_line_and_status_two(probe, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-proj-another-key-0123456789")
    status, out, err = probe("--yes")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == (
        "cachewatch probe: The provider does not accept this key (401): it is wrong, revoked or "
        "expired."
    )
    assert "another-key" not in err


def test_a_failure_midway_keeps_what_was_read_and_says_so(api, probe):
    api.fail_from = 4
    status, out, err = probe("--yes", "--rounds", "1")
    assert status == 2
    assert len(api.bodies) == 4  # nothing is sent twice
    assert "3 of 6 requests" in out
    assert "breakpoint: The trial ended before this arm was through." in out
    assert "ended after 3 of 6 requests: The provider failed (500: broken)" in err


def test_an_interrupt_midway_keeps_what_was_paid_for(api, url, monkeypatch):
    """A process of its own is interrupted while it waits for the fourth answer, which never comes."""
    answer, ended, running = api.answer, threading.Event(), []

    def interrupted(key, body):
        if len(api.bodies) == 3:
            running[0].send_signal(signal.SIGINT)
            ended.wait(60)
        return answer(key, body)

    monkeypatch.setattr(api, "answer", interrupted)
    command = [sys.executable, "-m", "cachewatch.cli", "probe", "--model", "gpt-5.6-terra"]
    command += ["--base-url", url, "--pause", "0", "--static-tokens", "2000", "--yes"]
    known = {name: value for name, value in os.environ.items() if name != "CACHEWATCH_PRICES"}
    process = subprocess.Popen(
        [*command, "--rounds", "1"],
        env=known | {"OPENAI_API_KEY": KEY},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    running.append(process)
    try:
        out, err = process.communicate(timeout=120)
    finally:
        ended.set()
        process.kill()
    assert process.returncode == 2
    assert "3 of 6 requests, input cost $" in out
    assert "interrupted after 3 of 6 requests" in err


@pytest.mark.parametrize(
    ("failure", "sentence"),
    [
        ((404, {"message": "The model does not exist."}), "(404: The model does not exist)"),
        ((400, {"message": "Unknown parameter."}), "(400: Unknown parameter)"),
        ((429, {"message": "x", "code": "insufficient_quota"}), "no credit left"),
        ((429, {"message": "x"}), "asks to slow down (429)"),
    ],
)
def test_a_refusal_is_told_in_words(api, probe, failure, sentence):
    api.fail_from, api.failure = 1, failure
    status, _, err = probe("--yes")
    assert status == 2
    assert sentence in err.splitlines()[-1]


def test_without_a_key_nothing_is_sent(api, probe, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    status, _, err = probe("--yes")
    assert (status, api.bodies) == (2, [])
    assert "OPENAI_API_KEY is not set" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--rounds", "0"),
        ("--rounds", "x"),
        ("--static-tokens", "1"),
        ("--pause", "-1"),
        ("--pause", "nan"),
        ("--base-url", "http://example.org/v1"),
        ("--with", "luck"),
    ],
)
def test_an_option_that_cannot_be_used_is_one_line_and_status_two(api, probe, arguments):
    status, out, err = probe("--yes", *arguments)
    assert (status, out, api.bodies, err.count("\n")) == (2, "", [], 1)
    assert arguments[0] in err
