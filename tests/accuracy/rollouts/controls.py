"""Untouched series that stand beside every rollout of an organization."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.accuracy.families import common
from tests.accuracy.families.healthy import template_workload
from tests.accuracy.families.scatter import tenants_workload
from tests.accuracy.rollouts.scene import site
from tests.accuracy.rollouts.serving import Usage, served_usage
from tests.accuracy.scene import Draw, Generation, Scene

POOL: dict[Generation, int] = {"until-5.4": 24, "5.5": 12, "from-5.6": 16}
USED = 6
PEAK = (80, 400)


@dataclass(frozen=True)
class ControlUsage:
    """One untouched series over four weeks from a Monday."""

    model: str
    first_hour: int
    usage: Usage


def control(
    generation: Generation, seed: int, stray: tuple[int, float] | None = None
) -> ControlUsage:
    """One untouched series; `stray` = hours before its end, part of the requests lost from then."""
    draw = Draw(f"control {generation}", seed)
    at = site(draw, (generation,))
    kind = draw.choice("kind", ("template", "template", "tenants", "scattered", "chat"))
    cells = (common.cell(at),)
    if kind == "template":
        work = replace(template_workload(draw, at, peak=PEAK), cells=cells)
    elif kind == "scattered":
        work = tenants_workload(draw, at, cells, peak=PEAK)
    else:
        rate = common.load(draw, peak=PEAK, swing=(2, 10))
        fleet = common.calm_fleet(draw, at)
        chat = kind == "chat"
        prompts = common.chat_prompts(draw) if chat else common.warm_tenants(draw, at, rate)
        key = "conversation" if chat else "tenant"
        work = common.workload(kind, at, cells, rate, prompts, fleet, key=key)
    lost = None if stray is None else (at.anchor_hour + stray[0], stray[1])
    _, usage = served_usage(Scene(at, (work,)), draw.simulator_seed, lost)
    return ControlUsage(at.model, at.first_hour, usage)
