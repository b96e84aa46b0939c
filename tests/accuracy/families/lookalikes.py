"""Fleets without overflow whose share falls with load all the same, and those that nearly do."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.workload import FanOut
from tests.accuracy.families import common
from tests.accuracy.scene import Draw, Family, Scene

UNSURE = ("inconclusive",)


def race_hourly(draw: Draw) -> Scene:
    """A job at every full hour whose workers all start before the first answer."""
    at = common.site(draw, ("until-5.4", "until-5.4", "5.5", "from-5.6"))
    return Scene(at, (_racing(draw, at, bursts=1, arrival="cron"),))


def race_bursts(draw: Draw) -> Scene:
    """Fan-outs at random minutes, each larger by day."""
    at = common.site(draw, ("until-5.4",))
    at = replace(at, lifetime_seconds=draw.uniform("short_lifetime", 300, 600))
    return Scene(at, (_racing(draw, at, draw.integer("bursts", 1, 4), "bursts"),))


def tenants_expire(draw: Draw) -> Scene:
    """By day far more tenants are active than the traffic grows: each comes back too late."""
    at = common.site(draw, ("until-5.4", "until-5.4", "5.5", "from-5.6"))
    rate = common.load(draw, peak=(300, 1500), swing=(4, 12))
    quiet = common.warm_tenants(draw, at, rate, visits=(2.0, 5.0))
    at_peak = rate.peak_per_hour * at.lifetime_seconds / 3600.0
    tenants = round(at_peak / draw.uniform("visits_at_peak", 0.15, 0.8))
    prompts = replace(quiet, tenants=tenants, tenants_when_quiet=quiet.tenants)
    cells, fleet = common.cells(draw, at), common.closed_fleet(at)
    return Scene(at, (common.workload("tenants", at, cells, rate, prompts, fleet),))


def eviction_under_load(draw: Draw) -> Scene:
    """Busy machines evict entries before their tenant comes back."""
    at = common.site(draw)
    rate = common.load(draw, peak=(250, 1200), swing=(4, 12))
    prompts = common.warm_tenants(draw, at, rate, visits=(1.5, 5.0))
    peak_visits = rate.peak_per_hour * at.lifetime_seconds / 3600.0 / prompts.tenants
    shorter = at.lifetime_seconds / peak_visits * draw.uniform("visits_at_peak", 0.15, 0.5)
    fleet = replace(common.closed_fleet(at), lifetime_at_peak_seconds=shorter)
    cells = common.cells(draw, at)
    return Scene(at, (common.workload("evicted", at, cells, rate, prompts, fleet, key="tenant"),))


def provider_clock(draw: Draw) -> Scene:
    """Entries live shorter when other customers are busy, at any time of one's own day."""
    at = common.site(draw)
    rate = common.load(draw, peak=(150, 1000), swing=(3, 10))
    rate = replace(rate, peak_utc_hour=draw.uniform("peak_utc", 0, 24), utc_offset_hours=0)
    prompts = common.warm_tenants(draw, at, rate, visits=(1.5, 5.0))
    shorter = at.lifetime_seconds * draw.log_uniform("noon_lifetime", 0.02, 0.15)
    fleet = replace(common.closed_fleet(at), lifetime_at_noon_seconds=shorter)
    cells = common.cells(draw, at)
    return Scene(at, (common.workload("clock", at, cells, rate, prompts, fleet, key="tenant"),))


def _racing(draw: Draw, at, bursts: int, arrival):
    rate = common.load(draw, peak=(200, 1200), swing=(4, 15), noise=(0.03, 0.15))
    prompts = common.template_prompts(draw, static=(2500, 9000))
    tail = min(prompts.tail_tokens, 0.6 * prompts.template_tokens)
    fill = draw.uniform("fill", 2.0, 5.5)
    fleet = replace(common.closed_fleet(at), fill_seconds=fill)
    cells = common.cells(draw, at)
    work = common.workload("race", at, cells, rate, replace(prompts, tail_tokens=tail), fleet)
    fan_out = FanOut(
        followers_factor=draw.uniform("followers", 1.2, 2.5),
        followers_exponent=draw.uniform("followers_exponent", 0.5, 0.75),
        bursts_per_hour=bursts,
    )
    return replace(work, arrival=arrival, fan_out=fan_out)


FAMILIES = (
    Family(
        "race-hourly",
        "an hourly job whose workers start before the first answer",
        race_hourly,
        (*UNSURE, "flat-low-share"),
        leaves_home="never",
    ),
    Family(
        "race-bursts",
        "fan-outs at random minutes, larger by day",
        race_bursts,
        (*UNSURE, "flat-low-share"),
        leaves_home="never",
    ),
    Family(
        "tenants-expire",
        "tenants grow faster than traffic, entries expire",
        tenants_expire,
        (*UNSURE, "sparse-traffic-retention", "mix-shift"),
        leaves_home="never",
    ),
    Family(
        "eviction-under-load",
        "busy machines evict sooner",
        eviction_under_load,
        (*UNSURE, "sparse-traffic-retention"),
        leaves_home="never",
    ),
    Family(
        "provider-clock",
        "entries live shorter at other customers' noon",
        provider_clock,
        (*UNSURE, "healthy", "share-rises-with-load", "sparse-traffic-retention"),
        leaves_home="never",
    ),
)
