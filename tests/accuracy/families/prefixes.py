"""Fleets whose prefix cannot be shared: unstable, too short, never read back, wrongly keyed."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.workload import EXACT_RULES, CacheRules, Prompts
from tests.accuracy.families import common
from tests.accuracy.scene import Draw, Family, Scene, Site

NEVER = 10**9  # a minimum that no prompt reaches
NO_CACHING = ("gpt-5.4-pro-2026-03-05", "gpt-4-turbo-2024-04-09", "o1-pro-2025-03-19")


def unstable_prefix(draw: Draw) -> Scene:
    """Something that changes stands early in the prompt; what lies before it is short."""
    at = common.site(draw)
    prompts = common.template_prompts(draw)
    static = round(draw.log_uniform("stable_tokens", 300, 2200))
    behind = static * draw.uniform("behind", 8, 16)
    return _one(draw, at, replace(prompts, template_tokens=static, tail_tokens=behind))


def per_request_key(draw: Draw) -> Scene:
    """A key used once sends every request to a machine of its own."""
    at = common.site(draw, ("until-5.4", "until-5.4", "5.5"))
    rate = common.load(draw, peak=(100, 900), swing=(4, 15))
    prompts = common.tenant_prompts(draw, tenants=(40, 120))
    machines = draw.integer("home_machines", 70, 150)
    fleet = replace(common.calm_fleet(draw, at), home_machines=machines)
    cells = common.cells(draw, at)
    return Scene(at, (common.workload("keys", at, cells, rate, prompts, fleet, key="request"),))


def per_run_key_from_5_6(draw: Draw) -> Scene:
    """From GPT-5.6 a key used once keeps requests from reading each other's entries."""
    at = common.site(draw, ("from-5.6",))
    rate = common.load(draw)
    prompts = common.template_prompts(draw)
    cells, fleet = common.cells(draw, at), common.calm_fleet(draw, at)
    return Scene(at, (common.workload("run", at, cells, rate, prompts, fleet, key="request"),))


def conversation_key_from_5_6(draw: Draw) -> Scene:
    """A key per conversation: turns read their own history, never another's template."""
    at = common.site(draw, ("from-5.6",))
    rate = common.load(draw)
    prompts = common.chat_prompts(draw)
    cells, fleet = common.cells(draw, at), common.calm_fleet(draw, at)
    return Scene(
        at, (common.workload("chat", at, cells, rate, prompts, fleet, key="conversation"),)
    )


def below_minimum(draw: Draw) -> Scene:
    """Prompts of a few hundred tokens."""
    at = common.site(draw)
    prompts = common.template_prompts(draw, static=(100, 500))
    tail = draw.uniform("tail", 60, 250)
    return _one(draw, at, replace(prompts, tail_tokens=tail, tail_sigma=0.2))


def mostly_below_minimum(draw: Draw) -> Scene:
    """A prefix under the minimum; only a few prompts, repeated word for word, are long enough."""
    at = common.site(draw)
    prompts = Prompts(
        template_tokens=round(draw.uniform("template", 500, 900)),
        tail_tokens=draw.uniform("tail", 150, 350),
        tail_sigma=draw.uniform("tail_sigma", 0.5, 1.0),
        repeated_share=draw.uniform("repeated", 0.03, 0.15),
    )
    return _one(draw, at, prompts)


def model_without_caching(draw: Draw) -> Scene:
    """A model that never caches, with long prompts."""
    at = common.site(draw, ("until-5.4",))
    at = replace(at, model=draw.choice("pro", NO_CACHING), rules=CacheRules(minimum_tokens=NEVER))
    return _one(draw, at, common.template_prompts(draw, static=(3500, 12000)))


def missing_breakpoint(draw: Draw) -> Scene:
    """From GPT-5.6: the only breakpoint ends the whole prompt, which is different each time."""
    at = common.site(draw, ("from-5.6",))
    at = replace(at, rules=replace(EXACT_RULES, readable=frozenset({"whole"})))
    prompts = common.template_prompts(draw, static=(3000, 12000))
    repeated = draw.uniform("repeated", 0.0, 0.06)
    return _one(draw, at, replace(prompts, repeated_share=repeated))


def writes_not_read(draw: Draw) -> Scene:
    """From GPT-5.6: a short part is read, nearly all of the prompt is written each time."""
    at = common.site(draw, ("from-5.6",))
    written = draw.uniform("written", 0.8, 1.0)
    at = replace(at, rules=replace(EXACT_RULES, written_share=written))
    prompts = common.template_prompts(draw, static=(1100, 2200))
    tail = prompts.template_tokens * draw.uniform("behind", 7, 14)
    return _one(draw, at, replace(prompts, tail_tokens=tail))


def _one(draw: Draw, at: Site, prompts: Prompts) -> Scene:
    rate = common.load(draw)
    cells, fleet = common.cells(draw, at), common.calm_fleet(draw, at)
    return Scene(at, (common.workload("one", at, cells, rate, prompts, fleet),))


LOW = ("flat-low-share", "no-cached-tokens")
FAMILIES = (
    Family("unstable-prefix", "something changes early in the prompt", unstable_prefix, LOW),
    Family(
        "per-request-key",
        "a key used once sends each request to another machine",
        per_request_key,
        ("flat-low-share", "inconclusive"),
    ),
    Family(
        "per-run-key-from-5.6",
        "a key used once separates the accounting of each request",
        per_run_key_from_5_6,
        LOW,
    ),
    Family(
        "conversation-key-from-5.6",
        "a key per conversation, healthy",
        conversation_key_from_5_6,
        ("healthy", "share-rises-with-load", "load-does-not-vary"),
    ),
    Family("below-minimum", "prompts under the minimum", below_minimum, ("no-cached-tokens",)),
    Family(
        "mostly-below-minimum",
        "prompts mostly under the minimum, a few repeated ones above it",
        mostly_below_minimum,
        (*LOW, "inconclusive"),
    ),
    Family(
        "model-without-caching",
        "the model never caches",
        model_without_caching,
        ("no-cached-tokens",),
    ),
    Family(
        "missing-breakpoint",
        "the only breakpoint ends what is different each time",
        missing_breakpoint,
        (*LOW, "inconclusive"),
    ),
    Family(
        "writes-not-read",
        "nearly all is written each time, little is read back",
        writes_not_read,
        (*LOW, "healthy"),
    ),
)
