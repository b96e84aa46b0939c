"""Rollouts of known effect."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.workload import EXACT_RULES, Fleet, Prompts, Workload
from tests.accuracy.families import common
from tests.accuracy.families.healthy import template_workload
from tests.accuracy.families.scatter import WITH_ROUTING_KEYS, tenants_workload
from tests.accuracy.loads import LocalLoad
from tests.accuracy.rollouts.scene import (
    RolloutFamily,
    RolloutScene,
    marker_hour,
    phases,
    site,
)
from tests.accuracy.scene import Draw, Site

PEAK = (150, 800)
ANY = ("until-5.4", "until-5.4", "5.5", "from-5.6")


def _scattered(draw: Draw, at: Site) -> Workload:
    return tenants_workload(draw, at, common.cells(draw, at), peak=PEAK)


def _healthy(draw: Draw, at: Site) -> Workload:
    """A warm template, or warm tenants with a key each."""
    if draw.chance("template_traffic", 0.5):
        return template_workload(draw, at, peak=PEAK)
    rate = common.load(draw, peak=PEAK, swing=(2, 10))
    prompts = common.warm_tenants(draw, at, rate, visits=(3, 15))
    cells, fleet = common.cells(draw, at), common.calm_fleet(draw, at)
    return common.workload("tenants", at, cells, rate, prompts, fleet, key="tenant")


def _any_untouched(draw: Draw, at: Site) -> Workload:
    """Scattered or healthy; a key ships and changes nothing."""
    return _scattered(draw, at) if draw.chance("scattered", 0.5) else _healthy(draw, at)


def _keyed(work: Workload, at: Site) -> Workload:
    """A key per tenant: nobody overflows, and what strays is little."""
    fleet = Fleet(
        lifetime_seconds=at.lifetime_seconds,
        spill_at_peak=3,
        overflow_per_minute=None,
        stray_share=work.fleet.stray_share,
    )
    return replace(work, key="tenant", fleet=fleet)


def _same(at: Site, work: Workload, marker: int, **more) -> RolloutScene:
    return RolloutScene(at, (work,), (work,), more.pop("kind", "key"), marker, **more)


def _shipped(
    at: Site, before: Workload, after: Workload, marker: int, kind: str = "key"
) -> RolloutScene:
    return RolloutScene(at, phases(before, after, marker), (replace(before, stream="one"),), kind, marker)


def real(draw: Draw) -> RolloutScene:
    """A key per tenant ends the scatter."""
    at = site(draw, WITH_ROUTING_KEYS)
    work = _scattered(draw, at)
    return _shipped(at, work, _keyed(work, at), marker_hour(draw))


def real_conversations(draw: Draw) -> RolloutScene:
    """A key per conversation ends the scatter of turns."""
    at = site(draw, WITH_ROUTING_KEYS)
    rate = common.load(draw, peak=(120, 600), swing=(5, 25))
    fleet = common.overflowing_fleet(draw, at, rate, pool=(30, 300))
    prompts = common.chat_prompts(draw)
    work = common.workload("chat", at, common.cells(draw, at), rate, prompts, fleet, key="none")
    after = replace(_keyed(work, at), key="conversation")
    return _shipped(at, work, after, marker_hour(draw))


def partial(draw: Draw) -> RolloutScene:
    """A key in a few shards: each takes what one route took before, the rest still overflows."""
    at = site(draw, WITH_ROUTING_KEYS)
    work = _scattered(draw, at)
    after = replace(work, key="shard", shards=draw.integer("shards", 2, 5))
    return _shipped(at, work, after, marker_hour(draw))


def nothing_scattered(draw: Draw) -> RolloutScene:
    """A key ships where nothing was scattered."""
    at = site(draw, ANY)
    return _same(at, _healthy(draw, at), marker_hour(draw))


def per_request_before_and_after(draw: Draw) -> RolloutScene:
    """The new key is as unique as the one before: every request is routed anew."""
    at = site(draw, WITH_ROUTING_KEYS)
    return _same(at, _per_request(draw, at), marker_hour(draw))


def _per_request(draw: Draw, at: Site) -> Workload:
    rate = common.load(draw, peak=PEAK, swing=(4, 15))
    prompts = common.tenant_prompts(draw, (4, 20))
    fleet = Fleet(
        lifetime_seconds=at.lifetime_seconds,
        home_machines=draw.integer("machines", 20, 80),
        overflow_per_minute=None,
    )
    return common.workload(
        "triage", at, common.cells(draw, at), rate, prompts, fleet, key="request"
    )


def scattered_then_per_request(draw: Draw) -> RolloutScene:
    """A key per request ships where requests scattered before."""
    at = site(draw, WITH_ROUTING_KEYS)
    work = _scattered(draw, at)
    fleet = replace(work.fleet, overflow_per_minute=None, home_machines=draw.integer("pool2", 20, 200))
    return _shipped(at, work, replace(work, key="request", fleet=fleet), marker_hour(draw))


def healthy_then_per_request(draw: Draw) -> RolloutScene:
    """A key per request ships where all was well."""
    at = site(draw, WITH_ROUTING_KEYS)
    work = _healthy(draw, at)
    fleet = replace(work.fleet, overflow_per_minute=None, home_machines=draw.integer("pool2", 20, 200))
    return _shipped(at, work, replace(work, key="request", fleet=fleet), marker_hour(draw))


def breakpoint_set(draw: Draw) -> RolloutScene:
    """An explicit breakpoint behind the static part: reads at every load."""
    at = site(draw, ("from-5.6",))
    rate = common.load(draw, peak=PEAK, swing=(3, 20))
    template = round(draw.log_uniform("template", 2500, 9000))
    prompts = Prompts(
        template_tokens=template,
        tail_tokens=template * draw.uniform("tail", 0.1, 0.8),
        repeated_share=draw.uniform("repeated", 0.02, 0.1),
        tail_sigma=0.3,
    )
    fleet = common.calm_fleet(draw, at)
    work = common.workload("agent", at, common.cells(draw, at), rate, prompts, fleet)
    implicit = replace(EXACT_RULES, readable=frozenset({"whole"}), written_share=0.40)
    explicit = replace(EXACT_RULES, readable=frozenset({"template"}))
    return _shipped(
        at,
        replace(work, rules=implicit),
        replace(work, rules=explicit),
        marker_hour(draw),
        "breakpoint",
    )


def traffic_doubles(draw: Draw) -> RolloutScene:
    """Twice the requests from the day of the marker on; the key changes nothing."""
    return _other_traffic(draw, draw.uniform("factor", 1.7, 2.5))


def traffic_halves(draw: Draw) -> RolloutScene:
    """Half the requests from the day of the marker on; the key changes nothing."""
    return _other_traffic(draw, draw.uniform("factor", 0.4, 0.6))


def _other_traffic(draw: Draw, factor: float) -> RolloutScene:
    at, marker = site(draw, ANY), marker_hour(draw)
    work = _any_untouched(draw, at)
    after = replace(work, load=_from_day(work.load, at, marker, factor))
    if draw.chance("by_tenants", 0.4) and work.prompts.tenants > 1:
        tenants = max(2, round(work.prompts.tenants * factor))
        after = replace(after, prompts=replace(work.prompts, tenants=tenants))
        both = phases(work, after, marker)
        return RolloutScene(at, both, both, "key", marker)
    return _same(at, after, marker)


def _from_day(rate: LocalLoad, at: Site, marker: int, factor: float) -> LocalLoad:
    """The load times a factor from the local day that begins next to the marker."""
    first = round((at.anchor_hour + marker + rate.utc_offset_hours) / 24)
    days = range(first, first + 14)
    return replace(rate, day_factors=tuple((day, factor) for day in days))


def doubled_and_repaired(draw: Draw) -> RolloutScene:
    """A real repair while the traffic doubles."""
    at, marker = site(draw, WITH_ROUTING_KEYS), marker_hour(draw)
    work = _scattered(draw, at)
    work = replace(work, load=_from_day(work.load, at, marker, draw.uniform("factor", 1.5, 2.2)))
    return _shipped(at, work, _keyed(work, at), marker)


def model_changes(draw: Draw) -> RolloutScene:
    """Another model takes the traffic over in the same hour, with its own share."""
    at, marker = site(draw, ANY), marker_hour(draw)
    work = _any_untouched(draw, at)
    newer = common.cell(at, model=f"{at.model}-next")
    scaled = work.prompts.tail_tokens * draw.log_uniform("tail", 0.4, 2.5)
    after = replace(work, cells=(newer,), prompts=replace(work.prompts, tail_tokens=scaled))
    both = phases(work, after, marker)
    return RolloutScene(at, both, both, "key", marker)


def _prompt_change(draw: Draw) -> tuple[Site, Workload, Workload, int]:
    at, marker = site(draw, ANY), marker_hour(draw)
    work = _any_untouched(draw, at)
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
    return _same(
        at,
        _any_untouched(draw, at),
        marker,
        stray_from=marker + draw.integer("later", -6, 30),
        stray=draw.uniform("lost", 0.08, 0.5),
    )


FAMILIES: tuple[RolloutFamily, ...] = (
    RolloutFamily("real", "a key per tenant ends the scatter", real),
    RolloutFamily("real-conversations", "a key per conversation ends it", real_conversations),
    RolloutFamily("partial", "a key in a few shards ends part of it", partial),
    RolloutFamily("nothing-scattered", "a key where nothing was scattered", nothing_scattered),
    RolloutFamily(
        "per-request-still", "the new key is as unique as the old", per_request_before_and_after
    ),
    RolloutFamily(
        "scattered-to-per-request", "a key per request after scatter", scattered_then_per_request
    ),
    RolloutFamily(
        "healthy-to-per-request", "a key per request after calm", healthy_then_per_request
    ),
    RolloutFamily("breakpoint", "a breakpoint behind the static part", breakpoint_set),
    RolloutFamily("traffic-doubles", "no effect, twice the traffic", traffic_doubles),
    RolloutFamily("traffic-halves", "no effect, half the traffic", traffic_halves),
    RolloutFamily("doubled-and-repaired", "a real repair, twice the traffic", doubled_and_repaired),
    RolloutFamily("model-changes", "no effect, another model", model_changes),
    RolloutFamily("prompt-changes", "no effect, a prompt of other length", prompt_changes),
    RolloutFamily("prompt-marked", "the same, marked", prompt_changes_marked),
    RolloutFamily(
        "prompt-reordered", "no effect, the same prompt in another order", prompt_reordered, fair=False
    ),
    RolloutFamily("weekend", "no effect, other traffic at weekends", weekend_traffic),
    RolloutFamily("holiday", "no effect, a holiday after the marker", holiday),
    RolloutFamily("drift", "no effect, prompts grow daily", drift),
    RolloutFamily("provider-wide", "no effect, the provider loses for all", provider_wide),
)
BY_NAME = {family.name: family for family in FAMILIES}
