"""Rollouts in which something else happens too: other traffic, model, prompts, days, provider."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.workload import Prompts, Workload
from tests.accuracy.families import common
from tests.accuracy.families.healthy import template_workload
from tests.accuracy.families.scatter import WITH_ROUTING_KEYS
from tests.accuracy.loads import LocalLoad
from tests.accuracy.rollouts.repairs import (
    ANY,
    PEAK,
    any_untouched,
    keyed,
    same,
    scattered,
    shipped,
)
from tests.accuracy.rollouts.scene import RolloutScene, marker_hour, phases, site
from tests.accuracy.scene import Draw, Site


def traffic_doubles(draw: Draw) -> RolloutScene:
    """Twice the requests from the day of the marker on; the key changes nothing."""
    return _other_traffic(draw, draw.uniform("factor", 1.7, 2.5))


def traffic_halves(draw: Draw) -> RolloutScene:
    """Half the requests from the day of the marker on; the key changes nothing."""
    return _other_traffic(draw, draw.uniform("factor", 0.4, 0.6))


def _other_traffic(draw: Draw, factor: float) -> RolloutScene:
    at, marker = site(draw, ANY), marker_hour(draw)
    work = any_untouched(draw, at)
    after = replace(work, load=_from_day(work.load, at, marker, factor))
    if draw.chance("by_tenants", 0.4) and work.prompts.tenants > 1:
        tenants = max(2, round(work.prompts.tenants * factor))
        after = replace(after, prompts=replace(work.prompts, tenants=tenants))
        both = phases(work, after, marker)
        return RolloutScene(at, both, both, "key", marker)
    return same(at, after, marker)


def _from_day(rate: LocalLoad, at: Site, marker: int, factor: float) -> LocalLoad:
    """The load times a factor from the local day that begins next to the marker."""
    first = round((at.anchor_hour + marker + rate.utc_offset_hours) / 24)
    days = range(first, first + 14)
    return replace(rate, day_factors=tuple((day, factor) for day in days))


def doubled_and_repaired(draw: Draw) -> RolloutScene:
    """A real repair while the traffic doubles."""
    at, marker = site(draw, WITH_ROUTING_KEYS), marker_hour(draw)
    work = scattered(draw, at)
    work = replace(work, load=_from_day(work.load, at, marker, draw.uniform("factor", 1.5, 2.2)))
    return shipped(at, work, keyed(work, at), marker)


def model_changes(draw: Draw) -> RolloutScene:
    """Another model takes the traffic over in the same hour, with its own share."""
    at, marker = site(draw, ANY), marker_hour(draw)
    work = any_untouched(draw, at)
    newer = common.cell(at, model=f"{at.model}-next")
    scaled = work.prompts.tail_tokens * draw.log_uniform("tail", 0.4, 2.5)
    after = replace(work, cells=(newer,), prompts=replace(work.prompts, tail_tokens=scaled))
    both = phases(work, after, marker)
    return RolloutScene(at, both, both, "key", marker)


def _prompt_change(draw: Draw) -> tuple[Site, Workload, Workload, int]:
    at, marker = site(draw, ANY), marker_hour(draw)
    work = any_untouched(draw, at)
    static = draw.log_uniform("static_factor", 0.4, 2.0)
    tail = draw.log_uniform("tail_factor", 0.5, 2.0)
    prompts = replace(
        work.prompts,
        template_tokens=round(work.prompts.template_tokens * static),
        tenant_tokens=round(work.prompts.tenant_tokens * static),
        tail_tokens=work.prompts.tail_tokens * tail,
    )
    return at, work, replace(work, prompts=prompts), marker


def prompt_changes(draw: Draw) -> RolloutScene:
    """A prompt version with parts of other lengths ships in the same hour; nobody marks it."""
    at, before, after, marker = _prompt_change(draw)
    both = phases(before, after, marker)
    return RolloutScene(at, both, both, "key", marker)


def prompt_changes_marked(draw: Draw) -> RolloutScene:
    """The same, and somebody marks it."""
    at, before, after, marker = _prompt_change(draw)
    both = phases(before, after, marker)
    return RolloutScene(at, both, both, "key", marker, marked_too=True)


def prompt_reordered(draw: Draw) -> RolloutScene:
    """What changes moves to the front, or back: the same length, another share, nobody marks it."""
    at, marker = site(draw, ANY), marker_hour(draw)
    work = template_workload(draw, at, peak=PEAK)
    total = work.prompts.template_tokens
    kept = round(total * draw.uniform("kept", 0.0, 0.5))
    tail = work.prompts.tail_tokens + total - kept
    other = replace(work, prompts=replace(work.prompts, template_tokens=kept, tail_tokens=tail))
    pair = (work, other) if draw.chance("to_the_front", 0.5) else (other, work)
    both = phases(*pair, marker)
    return RolloutScene(at, both, both, "key", marker)


def weekend_traffic(draw: Draw) -> RolloutScene:
    """Users on weekdays, a well cached job at weekends; the key changes nothing."""
    at, marker = site(draw, ANY), marker_hour(draw)
    return _two(draw, at, marker, weekend=True)


def holiday(draw: Draw) -> RolloutScene:
    """A day or two after the marker without most users, beside a job that does not rest."""
    at, marker = site(draw, ANY), marker_hour(draw)
    return _two(draw, at, marker, weekend=False)


def _two(draw: Draw, at: Site, marker: int, *, weekend: bool) -> RolloutScene:
    """Users with prompts of their own, and a job with a long common prefix, under one key."""
    cell = common.cell(at)
    users = common.load(draw, "users_", peak=PEAK, swing=(4, 20))
    job = common.load(draw, "job_", peak=(40, 200), swing=(1.0, 3.0))
    if weekend:
        users = replace(users, weekend_factor=draw.uniform("weekend", 0.1, 0.4))
        job = replace(job, weekend_factor=draw.uniform("job_weekend", 1.0, 3.0))
    else:
        first = (at.anchor_hour + marker) // 24 + draw.integer("days_later", 0, 5)
        factor = draw.uniform("holiday", 0.1, 0.4)
        days = range(first, first + draw.integer("holidays", 1, 2))
        users = replace(users, day_factors=tuple((day, factor) for day in days))
    static = round(draw.uniform("low_static", 1100, 2500))
    low = Prompts(static, static * draw.uniform("low_tail", 1.0, 3.5))
    fleet = common.calm_fleet(draw, at)
    works = (
        common.workload("users", at, (cell,), users, low, fleet),
        common.workload("job", at, (cell,), job, common.template_prompts(draw, "job_"), fleet),
    )
    return RolloutScene(at, works, works, "key", marker)


def drift(draw: Draw) -> RolloutScene:
    """Prompts grow a little every day; the key changes nothing."""
    at, marker = site(draw, ANY), marker_hour(draw)
    work = template_workload(draw, at, peak=PEAK)
    growth = draw.uniform("growth_a_week", -0.25, 0.4) / 7.0
    days = []
    for day in range(at.days, 0, -1):
        tail = work.prompts.tail_tokens * (1.0 + growth * (at.days - day))
        days.append(
            replace(
                work,
                name=f"day {day}",
                prompts=replace(work.prompts, tail_tokens=max(tail, 50.0)),
                begins=None if day == at.days else -24 * day,
                ends=None if day == 1 else -24 * (day - 1),
                stream="one",
            )
        )
    return RolloutScene(at, tuple(days), tuple(days), "key", marker)


def provider_wide(draw: Draw) -> RolloutScene:
    """From an hour near the marker the provider loses a part of everybody's requests."""
    at, marker = site(draw, ANY), marker_hour(draw)
    return same(
        at,
        any_untouched(draw, at),
        marker,
        stray_from=marker + draw.integer("later", -6, 30),
        stray=draw.uniform("lost", 0.08, 0.5),
    )
