"""Fleets whose level moves on a day: deploys, repairs, snapshots, drift."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.workload import Workload
from tests.accuracy.families import common
from tests.accuracy.families.healthy import template_workload
from tests.accuracy.families.scatter import WITH_ROUTING_KEYS, tenants_workload
from tests.accuracy.scene import Draw, Family, Scene, Site
from tests.accuracy.serving import at_home

FINE = ("healthy", "share-rises-with-load", "inconclusive")
SHIFT = ("level-shift-mid-window", "inconclusive")


def deploy_down(draw: Draw) -> Scene:
    """A new prompt version puts something that changes early into the prompt."""
    at, work, shift = _shifting(draw)
    total = work.prompts.template_tokens
    kept = round(total * draw.uniform("kept", 0.0, 0.5))
    after = replace(
        work.prompts,
        template_tokens=kept,
        tail_tokens=work.prompts.tail_tokens + total - kept,
    )
    return _phases(at, work, replace(work, prompts=after), shift)


def deploy_up(draw: Draw) -> Scene:
    """A new prompt version moves what changes to the end."""
    at, work, shift = _shifting(draw)
    total = work.prompts.template_tokens
    kept = round(total * draw.uniform("kept", 0.0, 0.5))
    before = replace(
        work.prompts,
        template_tokens=kept,
        tail_tokens=work.prompts.tail_tokens + total - kept,
    )
    return _phases(at, replace(work, prompts=before), work, shift)


def key_shipped(draw: Draw) -> Scene:
    """Scattered until a key per tenant ships; since then all is well."""
    at = common.site(draw, WITH_ROUTING_KEYS, common.LONG_WINDOW_DAYS)
    work = tenants_workload(draw, at, common.cells(draw, at))
    keyed = replace(work, key="tenant", fleet=at_home(work.fleet))
    shift = -round(24 * draw.uniform("days_since", 2.0, at.days - 1.5))
    return replace(_phases(at, work, keyed, shift), current_from=at.days * 24 + shift)


def broken_and_rolled_back(draw: Draw) -> Scene:
    """A deploy breaks the prefix for one to two days."""
    at = common.site(draw, window_days=common.LONG_WINDOW_DAYS)
    work = template_workload(draw, at)
    back = -round(24 * draw.uniform("days_since", 1.5, at.days - 4.0))
    breaks = back - draw.integer("broken_hours", 20, 48)
    total = work.prompts.template_tokens
    worse = replace(
        work.prompts, template_tokens=200, tail_tokens=work.prompts.tail_tokens + total - 200
    )
    phases = (
        replace(work, name="good", ends=breaks, stream="one"),
        replace(work, name="broken", prompts=worse, begins=breaks, ends=back, stream="one"),
        replace(work, name="good again", begins=back, stream="one"),
    )
    return Scene(at, phases)


def snapshot_change(draw: Draw) -> Scene:
    """Traffic moves to another snapshot of the model within a day; the prompt stays."""
    at, work, shift = _shifting(draw)
    newer = common.cell(at, model=f"{at.model}-next")
    prompts = work.prompts
    changed = replace(prompts, tail_tokens=prompts.tail_tokens * draw.uniform("tail", 0.6, 1.8))
    work = replace(work, cells=(common.cell(at),))
    return _phases(at, work, replace(work, cells=(newer,), prompts=changed), shift)


def level_drifts(draw: Draw) -> Scene:
    """Prompts grow a little every day."""
    at = common.site(draw, window_days=common.LONG_WINDOW_DAYS)
    work = template_workload(draw, at)
    growth = draw.uniform("growth_by_window", 0.3, 1.0) / at.days
    phases = []
    for day in range(at.days, 0, -1):
        tail = work.prompts.tail_tokens * (1.0 + growth * (at.days - day))
        phases.append(
            replace(
                work,
                name=f"day {day}",
                prompts=replace(work.prompts, tail_tokens=tail),
                begins=None if day == at.days else -24 * day,
                ends=None if day == 1 else -24 * (day - 1),
                stream="one",
            )
        )
    return Scene(at, tuple(phases))


def _shifting(draw: Draw) -> tuple[Site, Workload, int]:
    """A healthy template, and an hour at least a day and a half from either end of the window."""
    at = common.site(draw)
    work = template_workload(draw, at)
    template = round(draw.log_uniform("shifting_template", 3000, 12000))
    tail = template * draw.uniform("shifting_tail", 0.1, 0.6)
    prompts = replace(work.prompts, template_tokens=template, tail_tokens=tail)
    shift = -round(24 * draw.uniform("days_since", 1.5, at.days - 1.5))
    return at, replace(work, prompts=prompts), shift


def _phases(at: Site, before: Workload, after: Workload, shift: int) -> Scene:
    """One stream of requests before and after the hour of the shift."""
    phases = (
        replace(before, name="before", ends=shift, stream="one"),
        replace(after, name="after", begins=shift, stream="one"),
    )
    return Scene(at, phases)


FAMILIES = (
    Family(
        "deploy-down", "a prompt version breaks the prefix", deploy_down, (*SHIFT, "flat-low-share")
    ),
    Family("deploy-up", "a prompt version repairs the prefix", deploy_up, (*SHIFT, *FINE)),
    Family(
        "key-shipped",
        "scattered until a key shipped in mid-window",
        key_shipped,
        (*SHIFT, *FINE),
        ("load-correlated-misses", *SHIFT),
    ),
    Family(
        "broken-and-rolled-back",
        "a deploy breaks the prefix for a day or two",
        broken_and_rolled_back,
        (*SHIFT, *FINE),
    ),
    Family(
        "snapshot-change",
        "another model snapshot in mid-window",
        snapshot_change,
        (*SHIFT, *FINE, "mix-shift"),
    ),
    Family(
        "level-drifts",
        "prompts grow a little every day",
        level_drifts,
        (*SHIFT, *FINE, "mix-shift"),
    ),
)
