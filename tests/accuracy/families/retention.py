"""Fleets whose entries expire in pauses, or before the same prefix comes again."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.load import Openings
from ingest.simulator.workload import FanOut, Fleet
from tests.accuracy.families import common
from tests.accuracy.scene import Draw, Family, Scene, Site

SPARSE = ("sparse-traffic-retention", "inconclusive")
MEMORY = ("until-5.4",)


def sparse(draw: Draw) -> Scene:
    """A call every quarter of an hour or so; entries live shorter than that."""
    at = _in_memory(draw)
    lifetimes_between = draw.uniform("lifetimes_between", 1.6, 4.0)
    return _rare(draw, at, 3600.0 / (at.lifetime_seconds * lifetimes_between))


def sparse_hourly(draw: Draw) -> Scene:
    """One or two calls an hour against a lifetime of half an hour."""
    at = replace(common.site(draw, ("from-5.6", "5.5")), lifetime_seconds=1800.0)
    return _rare(draw, at, draw.uniform("per_hour", 0.9, 1.4))


def sparse_tenants(draw: Draw) -> Scene:
    """Hundreds of requests an hour, yet each tenant comes back too late, at every load."""
    at = _in_memory(draw)
    rate = common.load(draw, peak=(60, 600), swing=(3, 10))
    prompts = common.warm_tenants(draw, at, rate, visits=(0.02, 0.12))
    tenants = round(prompts.tenants * draw.uniform("more_tenants", 1.0, 3.0))
    prompts = replace(prompts, tenants=tenants, tenant_skew=draw.uniform("low_skew", 0.0, 0.4))
    cells = common.cells(draw, at)
    fleet = common.closed_fleet(at)
    return Scene(at, (common.workload("tenants", at, cells, rate, prompts, fleet, key="tenant"),))


def bursts_single_pass(draw: Draw) -> Scene:
    """Runs some hours apart; the first hour meets each tenant for the first time."""
    at = common.site(draw, window_days=common.LONG_WINDOW_DAYS)
    open_hours = draw.integer("open_hours", 3, 4)
    opened = Openings(draw.choice("period", (6, 8, 12)), open_hours, draw.integer("opens", 0, 11))
    rate = common.load(draw, peak=(200, 900), swing=(1.05, 1.3), noise=(0.03, 0.15))
    rate = replace(rate, openings=opened, weekend_factor=1.0, second_peak_height=0.0)
    prompts = common.tenant_prompts(draw, (1, 1))
    tenants = round(rate.quiet_per_hour * draw.log_uniform("tenants_per_hour", 0.6, 1.5))
    prompts = replace(
        prompts,
        template_tokens=round(draw.uniform("short_template", 200, 700)),
        tail_tokens=min(prompts.tail_tokens, 0.5 * prompts.tenant_tokens),
        tenants=tenants,
        tenant_skew=draw.uniform("later_skew", 1.4, 2.0),
        one_pass_at_opening=True,
    )
    cells = common.cells(draw, at)
    fleet = common.closed_fleet(replace(at, lifetime_seconds=max(1500.0, at.lifetime_seconds)))
    return Scene(at, (common.workload("runs", at, cells, rate, prompts, fleet, key="tenant"),))


def bursts_herd(draw: Draw) -> Scene:
    """Hourly waves in runs some hours apart; the first wave of a run finds nothing."""
    at = common.site(draw, ("until-5.4", "5.5"), common.LONG_WINDOW_DAYS)
    at = replace(at, lifetime_seconds=draw.uniform("long_lifetime", 4200, 7200))
    open_hours = draw.integer("open_hours", 3, 5)
    opened = Openings(draw.choice("period", (8, 12, 24)), open_hours, draw.integer("opens", 0, 23))
    rate = common.load(draw, peak=(100, 900), swing=(1.05, 1.4), noise=(0.03, 0.15))
    rate = replace(rate, openings=opened, weekend_factor=1.0, second_peak_height=0.0)
    prompts = common.template_prompts(draw)
    tail = min(prompts.tail_tokens, prompts.template_tokens)
    fleet = replace(common.closed_fleet(at), fill_seconds=draw.uniform("fill", 2.0, 5.0))
    cells = common.cells(draw, at)
    work = common.workload("herd", at, cells, rate, replace(prompts, tail_tokens=tail), fleet)
    fan_out = FanOut(followers_factor=draw.uniform("followers", 0.5, 1.5))
    return Scene(at, (replace(work, arrival="cron", fan_out=fan_out),))


def _in_memory(draw: Draw) -> Site:
    at = common.site(draw, MEMORY)
    model = draw.choice("memory_model", common.UNTIL_5_4_MEMORY)
    return replace(at, model=model, lifetime_seconds=draw.uniform("memory_lifetime", 300, 600))


def _rare(draw: Draw, at: Site, per_hour: float) -> Scene:
    swing = draw.uniform("rare_swing", 1.0, 1.6)
    rate = replace(
        common.load(draw),
        quiet_per_hour=per_hour / swing,
        peak_per_hour=per_hour * swing,
        weekend_factor=draw.uniform("rare_weekend", 0.7, 1.0),
        hour_sigma=0.1,
        day_sigma=0.05,
    )
    prompts = common.template_prompts(draw, static=(3200, 9000))
    fleet: Fleet = common.closed_fleet(at)
    regular = draw.chance("regular", 0.5)
    work = common.workload("rare", at, (common.cell(at),), rate, prompts, fleet)
    return Scene(at, (replace(work, arrival="regular" if regular else "spread"),))


FAMILIES = (
    Family("sparse", "calls further apart than entries live", sparse, SPARSE, leaves_home="never"),
    Family(
        "sparse-hourly",
        "a call an hour against a lifetime of half an hour",
        sparse_hourly,
        (*SPARSE, "too-few-linked-hours"),
        leaves_home="never",
    ),
    Family(
        "sparse-tenants",
        "many requests, but each tenant comes back after its entry expired",
        sparse_tenants,
        (*SPARSE, "flat-low-share"),
        leaves_home="never",
    ),
    Family(
        "bursts-single-pass",
        "runs hours apart, whose first hour goes once through all tenants",
        bursts_single_pass,
        ("cold-only-after-idle",),
        leaves_home="never",
    ),
    Family(
        "bursts-herd",
        "runs hours apart, whose first wave finds nothing",
        bursts_herd,
        ("cold-only-after-idle",),
        leaves_home="never",
    ),
)
