"""Fleets in which requests land on machines that have not seen their prefix, the more the busier."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.workload import Cell, Fleet, Workload
from tests.accuracy.families import common
from tests.accuracy.scene import Draw, Family, Scene, Site

SPARED = ("healthy", "share-rises-with-load", "inconclusive")
MAY_BE_UNSURE = ("load-correlated-misses", "inconclusive")
WITH_ROUTING_KEYS = ("until-5.4", "until-5.4", "5.5")


def tenants_workload(
    draw: Draw,
    at: Site,
    cells: tuple[Cell, ...],
    pool: tuple[float, float] = (80, 600),
    starts: tuple[float, float] = (-0.1, 0.4),
    peak: tuple[float, float] = (250, 1500),
) -> Workload:
    """Many tenants without a key: one route, whose overflow meets a pool nobody has warmed."""
    rate = common.load(draw, peak=peak, swing=(5, 25))
    prompts = common.warm_tenants(draw, at, rate)
    fleet = common.overflowing_fleet(draw, at, rate, pool, starts)
    return common.workload("scatter", at, cells, rate, prompts, fleet, key="none")


def scatter_tenants(draw: Draw) -> Scene:
    """No key, many tenants."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    return Scene(at, (tenants_workload(draw, at, common.cells(draw, at)),))


def scatter_conversations(draw: Draw) -> Scene:
    """Conversations without a key: a turn that overflows meets a machine without its history."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    rate = common.load(draw, peak=(120, 1200), swing=(5, 25))
    fleet = common.overflowing_fleet(draw, at, rate, pool=(30, 300))
    cells = common.cells(draw, at)
    prompts = common.chat_prompts(draw)
    return Scene(at, (common.workload("chat", at, cells, rate, prompts, fleet, key="none"),))


def scatter_rotating_gateway(draw: Draw) -> Scene:
    """A gateway spreads requests over accounts whose number grows with load."""
    at = common.site(draw)
    rate = common.load(draw, peak=(250, 1500), swing=(5, 25))
    prompts = common.warm_tenants(draw, at, rate)
    fleet = common.rotating_fleet(draw, at)
    cells = common.cells(draw, at)
    return Scene(at, (common.workload("gateway", at, cells, rate, prompts, fleet, key="tenant"),))


def scatter_coarse_key(draw: Draw) -> Scene:
    """One key, or a few shards, for all tenants: each carries more than a machine takes."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    work = tenants_workload(draw, at, common.cells(draw, at))
    shards = draw.integer("shards", 1, 4)
    limit = work.fleet.overflow_per_minute or 1
    fleet = replace(work.fleet, overflow_per_minute=max(1, limit // shards))
    return Scene(at, (replace(work, key="shard", shards=shards, fleet=fleet),))


def scatter_from_5_6(draw: Draw) -> Scene:
    """GPT-5.6 and later route by themselves; replicas are added by day and start cold."""
    at = common.site(draw, ("from-5.6",))
    rate = common.load(draw, peak=(250, 1500), swing=(5, 25))
    prompts = common.warm_tenants(draw, at, rate)
    fleet = common.rotating_fleet(draw, at)
    cells = common.cells(draw, at)
    return Scene(at, (common.workload("auto", at, cells, rate, prompts, fleet, key="none"),))


def scatter_weak(draw: Draw) -> Scene:
    """Little of the traffic overflows: the loss lies around eight points."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    work = tenants_workload(draw, at, common.cells(draw, at), pool=(15, 200), starts=(0.6, 0.98))
    return Scene(at, (work,))


def scatter_heavy(draw: Draw) -> Scene:
    """Nearly all of a busy hour overflows, and nearly all of a prompt could be cached."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    work = tenants_workload(draw, at, common.cells(draw, at), pool=(250, 900), starts=(-0.3, 0.1))
    prompts = work.prompts
    tail = prompts.tenant_tokens * draw.uniform("short_tail", 0.03, 0.15)
    prompts = replace(prompts, template_tokens=150, tail_tokens=tail)
    return Scene(at, (replace(work, prompts=prompts),))


def scatter_small_volume(draw: Draw) -> Scene:
    """A few dozen requests an hour at most, rotated over accounts by day."""
    at = common.site(draw, window_days=common.LONG_WINDOW_DAYS)
    rate = common.load(draw, peak=(60, 200), swing=(3, 8))
    prompts = common.warm_tenants(draw, at, rate, visits=(3, 12))
    fleet = common.rotating_fleet(draw, at, pool=(10, 80))
    cells = (common.cell(at),)
    return Scene(at, (common.workload("small", at, cells, rate, prompts, fleet, key="tenant"),))


def scatter_clock_pool(draw: Draw) -> Scene:
    """The pool that overflow meets grows with other customers' day, the overflow with one's own."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    work = tenants_workload(draw, at, common.cells(draw, at))
    rate = replace(work.load, peak_utc_hour=draw.uniform("peak_utc", 10, 18), utc_offset_hours=0)
    return Scene(at, (replace(work, load=rate),), pool_follows_clock=True)


def scatter_and_eviction(draw: Draw) -> Scene:
    """Overflow, while busy machines also evict sooner."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    work = tenants_workload(draw, at, common.cells(draw, at))
    shorter = at.lifetime_seconds * draw.uniform("evicts_to", 0.15, 0.4)
    fleet: Fleet = replace(work.fleet, lifetime_at_peak_seconds=shorter)
    return Scene(at, (replace(work, fleet=fleet),))


FAMILIES = (
    Family(
        "scatter-tenants",
        "no key; many tenants' requests overflow to a pool that grows with load",
        scatter_tenants,
        SPARED,
    ),
    Family(
        "scatter-conversations",
        "no key; turns of a conversation overflow to machines without its history",
        scatter_conversations,
        SPARED,
    ),
    Family(
        "scatter-rotating-gateway",
        "a gateway rotates over accounts, more of them by day",
        scatter_rotating_gateway,
        SPARED,
        leaves_home="by the hour",
    ),
    Family(
        "scatter-coarse-key",
        "one key or a few shards for many tenants: more than a machine takes per key",
        scatter_coarse_key,
        SPARED,
    ),
    Family(
        "scatter-from-5.6",
        "a model that routes by itself; cold replicas are added by day",
        scatter_from_5_6,
        SPARED,
        leaves_home="by the hour",
    ),
    Family(
        "scatter-weak",
        "overflow that costs around eight points",
        scatter_weak,
        SPARED,
        MAY_BE_UNSURE,
    ),
    Family("scatter-heavy", "overflow that costs most of the share", scatter_heavy, SPARED),
    Family(
        "scatter-small-volume",
        "few requests an hour, rotated over accounts by day",
        scatter_small_volume,
        (*SPARED, "flat-low-share", "sparse-traffic-retention"),
        MAY_BE_UNSURE,
        leaves_home="by the hour",
    ),
    Family(
        "scatter-clock-pool",
        "overflow whose pool grows with the provider's day",
        scatter_clock_pool,
        SPARED,
        MAY_BE_UNSURE,
    ),
    Family(
        "scatter-and-eviction",
        "overflow, and busy machines that evict sooner",
        scatter_and_eviction,
        SPARED,
    ),
)
