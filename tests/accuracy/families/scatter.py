"""Fleets in which requests land on machines that have not seen their prefix, the more the busier."""

from __future__ import annotations

from ingest.simulator.workload import Cell, Workload
from tests.accuracy.families import common
from tests.accuracy.scene import Draw, Family, Scene, Site

SPARED = ("healthy", "share-rises-with-load", "inconclusive")


def tenants_workload(draw: Draw, at: Site, cells: tuple[Cell, ...]) -> Workload:
    """Many tenants without a key: one route, whose overflow meets a pool nobody has warmed."""
    rate = common.load(draw, peak=(250, 1500), swing=(4, 20))
    prompts = common.warm_tenants(draw, at, rate)
    fleet = common.overflowing_fleet(draw, at, rate)
    return common.workload("scatter", at, cells, rate, prompts, fleet, key="none")


def scatter_tenants(draw: Draw) -> Scene:
    """No key, many tenants."""
    at = common.site(draw, ("until-5.4", "5.5"))
    return Scene(at, (tenants_workload(draw, at, common.cells(draw, at)),))


def scatter_conversations(draw: Draw) -> Scene:
    """Conversations without a key: a turn that overflows meets a machine without its history."""
    at = common.site(draw, ("until-5.4", "5.5"))
    rate = common.load(draw, peak=(120, 1200), swing=(4, 25))
    prompts = common.chat_prompts(draw)
    fleet = common.overflowing_fleet(draw, at, rate, pool=(10, 200))
    cells = common.cells(draw, at)
    return Scene(at, (common.workload("chat", at, cells, rate, prompts, fleet, key="none"),))


def scatter_rotating_gateway(draw: Draw) -> Scene:
    """A gateway spreads requests over accounts whose number grows with load."""
    at = common.site(draw)
    rate = common.load(draw, peak=(250, 1500), swing=(4, 20))
    prompts = common.warm_tenants(draw, at, rate)
    fleet = common.rotating_fleet(draw, at)
    cells = common.cells(draw, at)
    return Scene(at, (common.workload("gateway", at, cells, rate, prompts, fleet, key="tenant"),))


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
    ),
)
