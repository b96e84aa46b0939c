"""Repair lists: every step complete, known by a lasting key, and its code fit for its model."""

from __future__ import annotations

import ast
import re

import pytest

from cachewatch.analysis.controls.control import Control
from cachewatch.analysis.flags import FLAGS
from cachewatch.analysis.key_advice.code import LANGUAGES, call
from cachewatch.analysis.repairs import Repair, repairs, still_open
from cachewatch.analysis.repairs.samples import SAMPLE_KEYS, samples
from cachewatch.analysis.verdict_codes import VERDICTS

MODELS = ("gpt-5.4-2026-03-05", "gpt-5.6-terra", None)
SIZES = (640.0, 2000.0, 6000.0, None)
STARTS_TOGETHER = (Control("fan-out", "fired", {}),)
EXPIRE = (Control("minutes", "ruled_out", {}), Control("expiring-prefixes", "open", {}))

ODD_USAGE = (Control("accounting", "fired", {}), *STARTS_TOGETHER)


def every_list() -> list[tuple[Repair, ...]]:
    return [
        repairs(verdict, model, size, flags, controls)
        for verdict in VERDICTS
        for model in MODELS
        for size in SIZES
        for flags in ((), FLAGS)
        for controls in ((), STARTS_TOGETHER, EXPIRE, ODD_USAGE)
    ]


def keys(verdict: str, model: str | None, *flags: str) -> list[str]:
    return [step.key for step in repairs(verdict, model, 6000.0, flags)]


def test_the_step_that_compares_bodies_names_the_command_that_does_it() -> None:
    (step,) = [
        one
        for one in repairs("load-correlated-misses", MODELS[0], 6000.0, ())
        if one.key == "quiet-and-busy-bodies"
    ]
    assert "first byte that differs: cachewatch diff quiet.json busy.json names it." in step.how


def test_every_verdict_has_a_list_and_every_step_says_why_how_and_what_its_result_means() -> None:
    for steps in every_list():
        assert steps
        for step in steps:
            assert all(step)
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", step.key), step.key


def test_a_list_names_each_step_once() -> None:
    for steps in every_list():
        assert len({step.key for step in steps}) == len(steps)
        assert len({step.step for step in steps}) == len(steps)


def test_lists_that_change_something_end_with_the_marker_of_their_kind() -> None:
    for verdict in ("load-correlated-misses", "flat-low-share", "cold-only-after-idle"):
        for model in MODELS:
            assert keys(verdict, model)[-1] == "mark-and-read"
    assert '"key shipped"' in repairs("load-correlated-misses", "gpt-5.4", 6000)[-1].how
    assert '"breakpoint changed"' in repairs("load-correlated-misses", "gpt-5.6", 6000)[-1].how


def test_the_first_step_of_a_fall_with_load_asks_whether_it_is_this_cause() -> None:
    for model in MODELS:
        found = repairs("load-correlated-misses", model, 6000.0)
        asked = ["busy-day-by-minute", "count-prefixes", "fan-out-race"]
        assert [one.key for one in found[:3]] == asked
        assert "many prefixes that expire between their calls" in found[0].why


def test_a_key_is_a_step_before_gpt_5_6_only_and_a_breakpoint_from_there_on_only() -> None:
    for verdict in ("load-correlated-misses", "flat-low-share"):
        assert "stable-key" in keys(verdict, "gpt-5.4")
        assert "breakpoint-after-static" not in keys(verdict, "gpt-5.4")
        for model in ("gpt-5.6-terra", None):
            assert "stable-key" not in keys(verdict, model)
            assert "breakpoint-after-static" in keys(verdict, model)


@pytest.mark.parametrize("size", [640.0, 2000.0, 6000.0])
def test_no_list_has_a_step_of_another_generation(size: float) -> None:
    for verdict in VERDICTS:
        before = [one.step for one in repairs(verdict, "gpt-5.4", size)]
        later = [one.step for one in repairs(verdict, "gpt-5.6-terra", size)]
        assert not [step for step in before if "GPT-5.6 and later" in step], verdict
        assert not [step for step in later if "before GPT-5.6" in step], verdict


def test_where_nothing_was_ever_cached_each_generation_looks_at_what_it_can_set() -> None:
    before, later = keys("no-cached-tokens", "gpt-5.4"), keys("no-cached-tokens", "gpt-5.6-terra")
    assert before[3:6] == ["key-and-retention", "measure-floor", "sparse-or-race"]
    assert later[3:5] == ["keys-and-breakpoints", "sparse-or-race"]
    assert (before[-1], later[-1]) == ("mark-and-read", "mark-and-read")


def test_a_share_that_rises_holds_its_writes_against_load_from_gpt_5_6_on() -> None:
    assert keys("share-rises-with-load", "gpt-5.6-terra")[-1] == "writes-fall-with-load"
    assert "writes-fall-with-load" not in keys("share-rises-with-load", "gpt-5.4")


def test_what_stands_beside_the_verdict_adds_its_steps_once() -> None:
    assert "read-back-ratio" in keys("flat-low-share", "gpt-5.6", "writes-not-read")
    assert keys("healthy", "gpt-5.6", "writes-not-read")[-1] == "mark-write-repair"
    both = keys("flat-low-share", "gpt-5.6", "writes-not-read")
    assert both[-1] == "mark-and-read"
    assert "mark-write-repair" not in both
    assert "probe-pair" in keys("healthy", "gpt-5.4", "low")
    assert keys("healthy", "gpt-5.4", "near-threshold")[-1] == "watch-7-days"
    assert "watch-7-days" not in keys("load-correlated-misses", "gpt-5.4", "near-threshold")


def test_code_belongs_to_steps_that_some_list_has() -> None:
    assert {step.key for steps in every_list() for step in steps} >= SAMPLE_KEYS


@pytest.mark.parametrize("key", sorted(SAMPLE_KEYS))
def test_python_code_is_python_and_no_line_is_longer_than_a_screen(key: str) -> None:
    for sample in samples(key):
        assert all(len(line) <= 110 for line in sample.code.splitlines())
        if sample.language == "python":
            compile(sample.code, key, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_code_of_lists_before_gpt_5_6_sends_no_field_that_those_models_refuse() -> None:
    for verdict in VERDICTS:
        for step in repairs(verdict, "gpt-5.4", 6000.0):
            code = " ".join(sample.code.partition("# GPT-5.6")[0] for sample in samples(step.key))
            assert "prompt_cache_options" not in code, step.key
            assert "prompt_cache_breakpoint" not in code, step.key


@pytest.mark.parametrize("key", sorted(SAMPLE_KEYS - {"busy-day-by-minute", "gaps-by-minute"}))
def test_what_is_done_where_calls_are_made_has_code_for_each_way_of_calling(key: str) -> None:
    labels = [sample.label for sample in samples(key)]
    assert labels == ["OpenAI Python", "OpenAI Node", "HTTP", "LiteLLM"]


def test_a_step_without_code_has_none() -> None:
    assert samples("ceiling") == ()


def test_what_the_minutes_have_answered_is_not_asked_again():
    steps = repairs("load-correlated-misses", "gpt-5.4", 4000.0)
    keys = {one.key for one in steps}
    asked_of_minutes = {"busy-day-by-minute", "fan-out-race", "count-prefixes"}
    assert asked_of_minutes <= keys
    assert still_open(steps, ()) == steps
    fired = (
        Control("minutes", "fired", {}),
        Control("fan-out", "ruled_out", {}),
        Control("expiring-prefixes", "ruled_out", {}),
    )
    assert {one.key for one in still_open(steps, fired)} == keys - asked_of_minutes
    acquitted = (Control("minutes", "ruled_out", {}), Control("fan-out", "ruled_out", {}))
    assert {one.key for one in still_open(steps, acquitted)} == keys - {"busy-day-by-minute"}
    undecided = (Control("minutes", "open", {}), Control("fan-out", "open", {}))
    assert {one.key for one in still_open(steps, undecided)} == keys - {"busy-day-by-minute"}
    assert still_open(steps, (Control("minutes", "not_testable", {}),)) == steps


@pytest.mark.parametrize("model", MODELS)
def test_workers_that_start_together_get_the_call_that_goes_first_and_no_key(model) -> None:
    steps = repairs("inconclusive", model, 6000.0, (), STARTS_TOGETHER)
    assert [one.key for one in steps] == [
        "warm-call",
        "busy-day-by-minute",
        "burst-places",
        "mark-and-read",
        "decide-by-a-date",
    ]
    first = steps[0]
    assert first.step == "Make one call first, wait for its first token, then start the others"
    assert "Neither a prompt_cache_key nor shards help" in first.why
    assert ("prewarm" in first.how) == (model != "gpt-5.4-2026-03-05")
    assert [one.label for one in samples(first.key)] == [
        "OpenAI Python",
        "OpenAI Node",
        "HTTP",
        "LiteLLM",
    ]
    assert '"warm call shipped"' in steps[-2].how
    bursts = (Control("minutes", "open", {}), Control("fan-out", "fired", {}))
    assert "busy-day-by-minute" not in [one.key for one in still_open(steps, bursts)]


def test_a_fall_that_no_minute_shows_asks_for_the_prefixes_first_and_then_for_their_order() -> None:
    for status in ("open", "fired"):
        controls = (Control("minutes", "ruled_out", {}), Control("expiring-prefixes", status, {}))
        steps = [one.key for one in repairs("inconclusive", "gpt-5.4", 6000.0, (), controls)]
        assert steps[:2] == ["count-prefixes", "common-part-first"]
        assert steps[-2:] == ["mark-and-read", "decide-by-a-date"]
    none_left = (controls[0], Control("expiring-prefixes", "ruled_out", {}))
    assert repairs("inconclusive", "gpt-5.4", 6000.0, (), none_left) == repairs(
        "inconclusive", "gpt-5.4", 6000.0
    )


@pytest.mark.parametrize("model", MODELS)
def test_a_mix_by_length_asks_for_cached_tokens_a_request_first_and_for_no_key(model) -> None:
    length = (Control("prompt-length", "fired", {}),)
    steps = repairs("mix-shift", model, 6000.0, (), length)
    assert steps[0].key == "cached-per-request"
    assert steps[-1].key == "mark-and-read"
    assert not [one.key for one in steps if "API key" in " ".join(one)]
    assert repairs("mix-shift", model, 6000.0)[0].key == "read-the-cells"
    weekend = repairs("mix-shift", model, 6000.0, (), (Control("level-shift", "fired", {}),))
    assert weekend[0].key == "read-the-weekends"


@pytest.mark.parametrize(
    ("model", "once", "hours"),
    [("gpt-5.5", "0.9 once", "3.8 hours"), ("gpt-5.6-terra", "1.15 once", "4.8 hours")],
)
def test_calls_that_keep_an_entry_alive_are_held_against_the_write_price_of_the_generation(
    model, once, hours
) -> None:
    steps = repairs("cold-only-after-idle", model, 6000.0)
    (step,) = [one for one in steps if one.key == "keep-alive-arithmetic"]
    assert once in step.how
    assert f"pays below gaps of about {hours}." in step.how


def test_usage_that_does_not_add_up_asks_what_its_tokens_mean_before_anything_else() -> None:
    steps = [one.key for one in repairs("inconclusive", "gpt-5.4", 6000.0, (), ODD_USAGE)]
    assert steps == ["token-semantics", "split-the-rows", "read-hours-again", "decide-by-a-date"]


@pytest.mark.parametrize("controls", [(), STARTS_TOGETHER, EXPIRE])
def test_no_list_speaks_of_routing_from_gpt_5_6_on(controls) -> None:
    for verdict in VERDICTS:
        for flags in ((), FLAGS):
            for step in repairs(verdict, "gpt-5.6-terra", 6000.0, flags, controls):
                assert "routing" not in " ".join(step), (verdict, step.key)


def test_another_verdict_keeps_its_list_whatever_fired() -> None:
    for verdict in set(VERDICTS) - {"inconclusive"}:
        others = repairs(verdict, "gpt-5.4", 6000.0, (), (*STARTS_TOGETHER, *EXPIRE))
        assert others == repairs(verdict, "gpt-5.4", 6000.0)


def test_the_step_that_sets_a_key_derives_it_as_the_key_plan_does() -> None:
    derived = ("key = cache_key(", "const key = cacheKey(", "key=$(cache_key ", "key = cache_key(")
    for text, sample in zip(derived, samples("stable-key"), strict=True):
        assert text in sample.code
        assert "from the key plan" in sample.code
    for text, language in zip(derived, LANGUAGES, strict=False):
        assert text in call(language, None, 1)
    for verdict in ("load-correlated-misses", "flat-low-share"):
        (step,) = [
            one for one in repairs(verdict, MODELS[0], 6000.0, ()) if one.key == "stable-key"
        ]
        assert "The key plan has" in " ".join(step.how.split())
