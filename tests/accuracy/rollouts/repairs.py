"""Rollouts in which nothing but the repair happens: real ones, partial ones, useless and harmful ones."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.workload import EXACT_RULES, Fleet, Prompts, Workload
from tests.accuracy.families import common
from tests.accuracy.families.healthy import template_workload
from tests.accuracy.families.scatter import WITH_ROUTING_KEYS, tenants_workload
from tests.accuracy.rollouts.scene import RolloutScene, marker_hour, phases, site
from tests.accuracy.scene import Draw, Site

PEAK = (150, 800)
ANY = ("until-5.4", "until-5.4", "5.5", "from-5.6")


def scattered(draw: Draw, at: Site) -> Workload:
    """Many tenants without a key, whose overflow meets cold machines."""
    return tenants_workload(draw, at, common.cells(draw, at), peak=PEAK)


def healthy(draw: Draw, at: Site) -> Workload:
    """A warm template, or warm tenants with a key each."""
    if draw.chance("template_traffic", 0.5):
        return template_workload(draw, at, peak=PEAK)
    rate = common.load(draw, peak=PEAK, swing=(2, 10))
    prompts = common.warm_tenants(draw, at, rate, visits=(3, 15))
    cells, fleet = common.cells(draw, at), common.calm_fleet(draw, at)
    return common.workload("tenants", at, cells, rate, prompts, fleet, key="tenant")


def any_untouched(draw: Draw, at: Site) -> Workload:
    """Scattered or healthy; a key ships and changes nothing."""
    return scattered(draw, at) if draw.chance("scattered", 0.5) else healthy(draw, at)


def keyed(work: Workload, at: Site) -> Workload:
    """A key per tenant: nobody overflows, and what strays is little."""
    fleet = Fleet(
        lifetime_seconds=at.lifetime_seconds,
        spill_at_peak=3,
        overflow_per_minute=None,
        stray_share=work.fleet.stray_share,
    )
    return replace(work, key="tenant", fleet=fleet)


def same(at: Site, work: Workload, marker: int, **more) -> RolloutScene:
    """A key ships and changes nothing."""
    return RolloutScene(at, (work,), (work,), more.pop("kind", "key"), marker, **more)


def shipped(
    at: Site, before: Workload, after: Workload, marker: int, kind: str = "key"
) -> RolloutScene:
    """One stream of requests that changes at the marker; without the repair it goes on."""
    return RolloutScene(
        at,
        phases(before, after, marker),
        (replace(before, stream="one"),),
        kind,
        marker,
        repaired=(replace(after, stream="one"),),
    )


def real(draw: Draw) -> RolloutScene:
    """A key per tenant ends the scatter."""
    at = site(draw, WITH_ROUTING_KEYS)
    work = scattered(draw, at)
    return shipped(at, work, keyed(work, at), marker_hour(draw))


def real_conversations(draw: Draw) -> RolloutScene:
    """A key per conversation ends the scatter of turns."""
    at = site(draw, WITH_ROUTING_KEYS)
    rate = common.load(draw, peak=(120, 600), swing=(5, 25))
    fleet = common.overflowing_fleet(draw, at, rate, pool=(30, 300))
    prompts = common.chat_prompts(draw)
    work = common.workload("chat", at, common.cells(draw, at), rate, prompts, fleet, key="none")
    after = replace(keyed(work, at), key="conversation")
    return shipped(at, work, after, marker_hour(draw))


def partial(draw: Draw) -> RolloutScene:
    """A key in a few shards: each takes what one route took before, the rest still overflows."""
    at = site(draw, WITH_ROUTING_KEYS)
    work = scattered(draw, at)
    after = replace(work, key="shard", shards=draw.integer("shards", 2, 5))
    return shipped(at, work, after, marker_hour(draw))


def nothing_scattered(draw: Draw) -> RolloutScene:
    """A key ships where nothing was scattered."""
    at = site(draw, ANY)
    return same(at, healthy(draw, at), marker_hour(draw))


def per_request_before_and_after(draw: Draw) -> RolloutScene:
    """The new key is as unique as the one before: every request is routed anew."""
    at = site(draw, WITH_ROUTING_KEYS)
    return same(at, _per_request(draw, at), marker_hour(draw))


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
    work = scattered(draw, at)
    fleet = replace(
        work.fleet, overflow_per_minute=None, home_machines=draw.integer("pool2", 20, 200)
    )
    return shipped(at, work, replace(work, key="request", fleet=fleet), marker_hour(draw))


def healthy_then_per_request(draw: Draw) -> RolloutScene:
    """A key per request ships where all was well."""
    at = site(draw, WITH_ROUTING_KEYS)
    work = healthy(draw, at)
    fleet = replace(
        work.fleet, overflow_per_minute=None, home_machines=draw.integer("pool2", 20, 200)
    )
    return shipped(at, work, replace(work, key="request", fleet=fleet), marker_hour(draw))


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
    return shipped(
        at,
        replace(work, rules=implicit),
        replace(work, rules=explicit),
        marker_hour(draw),
        "breakpoint",
    )
