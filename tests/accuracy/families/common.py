"""What families share: the draw of time, model, load, cells, prompts and calm or scattering fleets."""

from __future__ import annotations

import math
from dataclasses import replace

from ingest.simulator.workload import (
    EXACT_RULES,
    CacheRules,
    Cell,
    Fleet,
    KeyUnit,
    Prompts,
    Workload,
)
from tests.accuracy.loads import LocalLoad
from tests.accuracy.scene import Draw, Generation, Site

FIRST_ANCHOR_HOUR = 494_592  # 2026-06-04 00:00 UTC
ANCHOR_HOURS = 170 * 24
WINDOW_DAYS = (4, 5, 6, 7, 7, 7, 7, 8, 10, 14, 14, 21, 28)
LONG_WINDOW_DAYS = tuple(days for days in WINDOW_DAYS if days >= 7)
UNTIL_5_4 = ("gpt-5.4-2026-03-05", "gpt-5.4-mini-2026-03-17", "gpt-5.2-2025-12-11")
UNTIL_5_4_MEMORY = ("gpt-4o-2024-08-06", "gpt-4.1-mini-2025-04-14", "o3-2025-04-16")
GPT_5_5 = "gpt-5.5-2026-04-23"
FROM_5_6 = ("gpt-5.6-sol", "gpt-5.6-terra", "gpt-6-astra")
TIERS = ("default", "priority", "flex")


def site(
    draw: Draw,
    generations: tuple[Generation, ...] = (
        "until-5.4",
        "until-5.4",
        "until-5.4",
        "5.5",
        "from-5.6",
    ),
    window_days: tuple[int, ...] = WINDOW_DAYS,
) -> Site:
    """A window somewhere in half a year, a model, and its entries' lifetime."""
    generation = draw.choice("generation", generations)
    model, rules, lifetime = _cache(draw, generation)
    return Site(
        anchor_hour=FIRST_ANCHOR_HOUR + draw.integer("anchor", 0, ANCHOR_HOURS),
        days=draw.choice("days", window_days),
        now_minutes=draw.uniform("now_minutes", 0, 59),
        newest_part=draw.uniform("newest_part", 0.5, 1.0) if draw.chance("lags", 0.5) else 1.0,
        model=model,
        generation=generation,
        rules=rules,
        lifetime_seconds=lifetime,
    )


def _cache(draw: Draw, generation: Generation) -> tuple[str, CacheRules, float]:
    if generation == "from-5.6":
        return draw.choice("model", FROM_5_6), EXACT_RULES, 1800.0
    if generation == "5.5":
        rules = CacheRules(step_tokens=draw.choice("step", (128, 512)))
        return GPT_5_5, rules, draw.uniform("lifetime", 1500, 3600)
    if draw.chance("in_memory", 0.4):
        model = draw.choice("model", UNTIL_5_4_MEMORY)
        return model, CacheRules(), draw.uniform("lifetime", 300, 600)
    return draw.choice("model", UNTIL_5_4), CacheRules(), draw.uniform("lifetime", 1500, 3600)


def load(
    draw: Draw,
    name: str = "",
    peak: tuple[float, float] = (60.0, 1200.0),
    swing: tuple[float, float] = (3.0, 25.0),
    noise: tuple[float, float] = (0.04, 0.3),
) -> LocalLoad:
    """Requests an hour: peak and swing (peak over quiet rate) on logarithmic scales."""
    peak_rate = draw.log_uniform(f"{name}peak", *peak)
    offset = draw.integer(f"{name}utc_offset", -8, 9)
    local_peak = draw.uniform(f"{name}local_peak", 10, 17)
    return LocalLoad(
        quiet_per_hour=peak_rate / draw.log_uniform(f"{name}swing", *swing),
        peak_per_hour=peak_rate,
        peak_utc_hour=(local_peak - offset) % 24,
        sharpness=draw.log_uniform(f"{name}sharpness", 0.4, 2.5),
        weekend_factor=draw.log_uniform(f"{name}weekend", 0.15, 1.1),
        hour_sigma=draw.uniform(f"{name}hour_sigma", *noise),
        day_sigma=draw.uniform(f"{name}day_sigma", 0.02, 0.2),
        utc_offset_hours=offset,
        second_peak_after_hours=draw.uniform(f"{name}second_after", 5, 9),
        second_peak_height=draw.choice(f"{name}second_height", (0.0, 0.0, 0.6, 0.95)),
    )


def cell(
    at: Site,
    key: str | None = "key_a",
    *,
    tier: str = "default",
    batch: bool = False,
    model: str = "",
) -> Cell:
    """A cell of the series."""
    return Cell("proj_x", model or at.model, key, None, tier, batch)


def cells(draw: Draw, at: Site) -> tuple[Cell, ...]:
    """Cells among which one and the same traffic is spread: mostly one, sometimes two or three keys."""
    kind = draw.choice("cells", ("one", "one", "one", "two keys", "three keys", "no key named"))
    if kind == "no key named":
        return (cell(at, None),)
    names = {"one": ("key_a",), "two keys": ("key_a", "key_a", "key_b")}
    return tuple(cell(at, key) for key in names.get(kind, ("key_a", "key_b", "key_c")))


def template_prompts(
    draw: Draw, name: str = "", static: tuple[float, float] = (1600, 12000)
) -> Prompts:
    """One template with something different behind it."""
    template = round(draw.log_uniform(f"{name}template", *static))
    return Prompts(
        template_tokens=template,
        tail_tokens=template * draw.log_uniform(f"{name}tail_ratio", 0.08, 1.6),
        tail_sigma=draw.uniform(f"{name}tail_sigma", 0.1, 0.7),
        tail_hour_sigma=draw.uniform(f"{name}tail_hour_sigma", 0.0, 0.12),
    )


def tenant_prompts(
    draw: Draw,
    tenants: tuple[float, float],
    name: str = "",
    static: tuple[float, float] = (1500, 9000),
) -> Prompts:
    """A short common beginning, then a long part of each tenant."""
    tenant = round(draw.log_uniform(f"{name}tenant_tokens", *static))
    return Prompts(
        template_tokens=round(draw.uniform(f"{name}template", 150, 1200)),
        tail_tokens=tenant * draw.log_uniform(f"{name}tail_ratio", 0.06, 0.7),
        tenant_tokens=tenant,
        tenants=round(draw.log_uniform(f"{name}tenants", *tenants)),
        tenant_skew=draw.uniform(f"{name}skew", 0.0, 0.9),
        tail_sigma=draw.uniform(f"{name}tail_sigma", 0.1, 0.6),
        tail_hour_sigma=draw.uniform(f"{name}tail_hour_sigma", 0.0, 0.1),
    )


def warm_tenants(
    draw: Draw, at: Site, rate: LocalLoad, visits: tuple[float, float] = (4.0, 16.0), name: str = ""
) -> Prompts:
    """As many tenants as the quiet hours keep warm: each comes `visits` times in one lifetime."""
    prompts = tenant_prompts(draw, (1, 1), name)
    lifetime_hours = at.lifetime_seconds / 3600.0
    often = draw.log_uniform(f"{name}visits", *visits)
    tenants = round(rate.quiet_per_hour * lifetime_hours / often)
    return replace(prompts, tenants=max(3, min(400, tenants)))


def chat_prompts(draw: Draw, name: str = "", turns: tuple[float, float] = (4, 12)) -> Prompts:
    """Conversations in which every prompt holds the one before."""
    return Prompts(
        template_tokens=round(draw.log_uniform(f"{name}template", 1100, 5000)),
        tail_tokens=draw.log_uniform(f"{name}tail", 200, 1500),
        turns=draw.uniform(f"{name}turns", *turns),
        turn_pause_seconds=draw.uniform(f"{name}pause", 20, 90),
        tail_sigma=draw.uniform(f"{name}tail_sigma", 0.2, 0.7),
        tail_hour_sigma=draw.uniform(f"{name}tail_hour_sigma", 0.0, 0.08),
    )


def calm_fleet(draw: Draw, at: Site, name: str = "") -> Fleet:
    """A few warm machines: what overflows finds its prefix there too."""
    return Fleet(
        lifetime_seconds=at.lifetime_seconds,
        spill_at_peak=draw.uniform(f"{name}spill", 1, 3),
        overflow_per_minute=15,
        stray_share=draw.uniform(f"{name}stray", 0.0, 0.015),
    )


def closed_fleet(at: Site) -> Fleet:
    """Nobody ever leaves home."""
    return Fleet(lifetime_seconds=at.lifetime_seconds, overflow_per_minute=None, stray_share=0.0)


def overflowing_fleet(
    draw: Draw,
    at: Site,
    by: LocalLoad,
    pool: tuple[float, float] = (80, 600),
    starts: tuple[float, float] = (-0.1, 0.4),
) -> Fleet:
    """Requests beyond some rate go to a pool that grows with load.

    `starts`: that rate on the logarithmic scale from the quiet (0) to the peak rate (1).
    """
    swing = by.peak_per_hour / by.quiet_per_hour
    limit = by.quiet_per_hour / 60.0 * swing ** draw.uniform("overflow_starts", *starts)
    shorter = draw.uniform("lifetime_at_peak", 0.5, 1.0)
    return Fleet(
        lifetime_seconds=at.lifetime_seconds,
        lifetime_at_peak_seconds=at.lifetime_seconds * shorter,
        overflow_per_minute=max(1, math.ceil(limit)),
        spill_at_peak=draw.log_uniform("pool", *pool),
        spill_exponent=draw.uniform("pool_exponent", 0.8, 2.0),
        stray_share=draw.uniform("stray", 0.0, 0.015),
    )


def rotating_fleet(draw: Draw, at: Site, pool: tuple[float, float] = (60, 500)) -> Fleet:
    """A gateway rotates over accounts or replicas and starts more of them as load grows."""
    return Fleet(
        lifetime_seconds=at.lifetime_seconds,
        overflow_per_minute=None,
        spill_at_peak=draw.log_uniform("pool", *pool),
        spill_exponent=draw.uniform("pool_exponent", 1.8, 3.0),
        stray_share=draw.uniform("stray", 0.6, 1.0),
    )


def workload(
    name: str,
    at: Site,
    in_cells: tuple[Cell, ...],
    rate: LocalLoad,
    prompts: Prompts,
    fleet: Fleet,
    key: KeyUnit = "template",
) -> Workload:
    """A stream of requests under the site's cache rules."""
    return Workload(
        name=name, cells=in_cells, load=rate, prompts=prompts, fleet=fleet, key=key, rules=at.rules
    )


def scaled(rate: LocalLoad, factor: float) -> LocalLoad:
    """The same curve at another height."""
    return replace(
        rate,
        quiet_per_hour=rate.quiet_per_hour * factor,
        peak_per_hour=rate.peak_per_hour * factor,
    )
