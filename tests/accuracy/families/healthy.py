"""Fleets in which nothing is wrong."""

from __future__ import annotations

from dataclasses import replace

from tests.accuracy.families import common
from tests.accuracy.scene import Draw, Family, Scene

FINE = ("healthy", "share-rises-with-load", "load-does-not-vary")


def healthy_template(draw: Draw) -> Scene:
    """One template, dense enough to stay warm."""
    at = common.site(draw)
    rate = common.load(draw, peak=(120, 1200), swing=(2, 12))
    prompts = replace(common.template_prompts(draw), tail_at_peak=1.0)
    tail = min(prompts.tail_tokens, prompts.template_tokens * 1.2)
    prompts = replace(prompts, tail_tokens=tail)
    fleet = common.calm_fleet(draw, at)
    return Scene(
        at, (common.workload("template", at, common.cells(draw, at), rate, prompts, fleet),)
    )


def healthy_conversations(draw: Draw) -> Scene:
    """Conversations with a key each."""
    at = common.site(draw)
    rate = common.load(draw, peak=(80, 900), swing=(2, 15))
    prompts = common.chat_prompts(draw)
    fleet = common.calm_fleet(draw, at)
    cells = common.cells(draw, at)
    return Scene(
        at, (common.workload("agent", at, cells, rate, prompts, fleet, key="conversation"),)
    )


FAMILIES = (
    Family("healthy-template", "stable prefix, one key", healthy_template, FINE),
    Family("healthy-conversations", "a key per conversation", healthy_conversations, FINE),
)
