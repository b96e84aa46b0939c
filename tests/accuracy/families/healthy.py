"""Fleets in which nothing is wrong, also where the traffic or the reporting looks odd."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.load import Openings
from ingest.simulator.workload import EXACT_RULES, Revision, Workload
from tests.accuracy.families import common
from tests.accuracy.families.scatter_times import special_days
from tests.accuracy.scene import Draw, Family, Scene, Site

FINE = ("healthy", "share-rises-with-load", "load-does-not-vary")


def template_workload(draw: Draw, at: Site, peak: tuple[float, float] = (120, 1200)) -> Workload:
    """One template, dense enough to stay warm."""
    rate = common.load(draw, peak=peak, swing=(2, 12))
    cells = common.cells(draw, at)
    prompts = common.template_prompts(draw)
    return common.workload("template", at, cells, rate, prompts, common.calm_fleet(draw, at))


def healthy_template(draw: Draw) -> Scene:
    """One template."""
    at = common.site(draw)
    return Scene(at, (template_workload(draw, at),))


def healthy_conversations(draw: Draw) -> Scene:
    """Conversations with a key each."""
    at = common.site(draw)
    rate = common.load(draw, peak=(80, 900), swing=(2, 15))
    cells, prompts = common.cells(draw, at), common.chat_prompts(draw)
    fleet = common.calm_fleet(draw, at)
    return Scene(
        at, (common.workload("agent", at, cells, rate, prompts, fleet, key="conversation"),)
    )


def healthy_tenants(draw: Draw) -> Scene:
    """Tenants with a key each, warm even in quiet hours."""
    at = common.site(draw)
    rate = common.load(draw, peak=(250, 1200), swing=(2, 10))
    prompts = common.warm_tenants(draw, at, rate, visits=(4, 15))
    cells, fleet = common.cells(draw, at), common.calm_fleet(draw, at)
    return Scene(at, (common.workload("tenants", at, cells, rate, prompts, fleet, key="tenant"),))


def overflow_to_warm_machines(draw: Draw) -> Scene:
    """Most requests overflow, but one template keeps the whole pool warm."""
    at = common.site(draw)
    work = template_workload(draw, at, peak=(400, 1500))
    fleet = common.overflowing_fleet(draw, at, work.load, pool=(2, 12))
    return Scene(at, (replace(work, fleet=fleet, key="none"),))


def healthy_small_noisy(draw: Draw) -> Scene:
    """A short prefix before long texts of very different length; few requests."""
    at = common.site(draw)
    rate = common.load(draw, peak=(30, 200), swing=(2, 6), noise=(0.2, 0.5))
    prompts = common.template_prompts(draw, static=(1300, 2600))
    tail = prompts.template_tokens * draw.uniform("long_tail", 2.0, 4.0)
    prompts = replace(
        prompts,
        tail_tokens=tail,
        tail_sigma=draw.uniform("tail_sigma", 0.6, 1.2),
        tail_hour_sigma=draw.uniform("tail_hour_sigma", 0.1, 0.3),
    )
    cells = (common.cell(at),)
    return Scene(
        at, (common.workload("noisy", at, cells, rate, prompts, common.calm_fleet(draw, at)),)
    )


def rises_with_density(draw: Draw) -> Scene:
    """Many tenants whose entries live only while their tenant is busy."""
    at = common.site(draw)
    rate = common.load(draw, peak=(250, 1200), swing=(4, 15))
    prompts = common.warm_tenants(draw, at, rate, visits=(0.2, 0.6))
    cells, fleet = common.cells(draw, at), common.closed_fleet(at)
    return Scene(at, (common.workload("tenants", at, cells, rate, prompts, fleet, key="tenant"),))


def load_flat(draw: Draw) -> Scene:
    """The same number of requests every hour."""
    at = common.site(draw)
    work = template_workload(draw, at)
    rate = replace(
        work.load,
        quiet_per_hour=work.load.peak_per_hour * 0.98,
        weekend_factor=1.0,
        hour_sigma=draw.uniform("hour_sigma", 0.0, 0.04),
        day_sigma=0.01,
        second_peak_height=0.0,
    )
    return Scene(at, (replace(work, load=rate, arrival="regular"),))


def few_hours(draw: Draw) -> Scene:
    """Two or three hours of traffic a day."""
    at = common.site(draw, window_days=(4, 5, 6, 7, 7, 7))
    work = template_workload(draw, at)
    opened = Openings(24, draw.integer("open_hours", 2, 3), draw.integer("opens", 0, 23))
    return Scene(at, (replace(work, load=replace(work.load, openings=opened)),))


def special_days_and_hours(draw: Draw) -> Scene:
    """A holiday or campaign, and an hour in which every cache was empty."""
    at = common.site(draw)
    work = template_workload(draw, at)
    rate = special_days(draw, work.load, at.first_hour, at.days)
    flushed = (draw.integer("flushed_hour", 2, at.days * 24 - 2),)
    return Scene(at, (replace(work, load=rate),), flushed_hours=flushed)


def growing_traffic(draw: Draw) -> Scene:
    """Traffic grows through the window, prompts do not."""
    at = common.site(draw)
    work = template_workload(draw, at)
    growth = draw.uniform("growth_by_window", 0.3, 1.2) / at.days
    rate = replace(work.load, growth_per_day=growth, growth_from_hour=at.anchor_hour)
    return Scene(at, (replace(work, load=rate),))


def restated_hours(draw: Draw) -> Scene:
    """Some hours lack part of their requests until a day and more later."""
    at = common.site(draw)
    revision = Revision(
        every=draw.integer("every", 2, 6),
        delay_hours=draw.uniform("delay_hours", 6, 60),
        late_share=draw.uniform("late_share", 0.2, 0.8),
    )
    return Scene(at, (replace(template_workload(draw, at), revision=revision),))


def uncounted_requests(draw: Draw) -> Scene:
    """In some hours tokens are reported without requests."""
    at = common.site(draw)
    every = draw.integer("every", 4, 12)
    return Scene(at, (replace(template_workload(draw, at), uncounted_every=every),))


def unreported_cached(draw: Draw) -> Scene:
    """In some hours cached tokens are not reported."""
    at = common.site(draw)
    share = draw.uniform("unreported", 0.03, 0.35)
    return Scene(at, (template_workload(draw, at),), unreported_share=share)


def twelve_hours(draw: Draw) -> Scene:
    """Bursts a few hours apart, kept for twelve hours (from GPT-5.6)."""
    at = replace(common.site(draw, ("from-5.6",)), lifetime_seconds=43_200.0)
    at = replace(at, rules=replace(EXACT_RULES, twelve_hours=True))
    work = template_workload(draw, at)
    opened = Openings(draw.choice("period", (4, 6, 8)), 3, draw.integer("opens", 0, 7))
    return Scene(at, (replace(work, load=replace(work.load, openings=opened)),))


FAMILIES = (
    Family("healthy-template", "stable prefix, one key", healthy_template, FINE),
    Family("healthy-conversations", "a key per conversation", healthy_conversations, FINE),
    Family("healthy-tenants", "a key per tenant, all warm", healthy_tenants, FINE),
    Family(
        "overflow-to-warm-machines",
        "one template overflows to machines that it keeps warm",
        overflow_to_warm_machines,
        FINE,
    ),
    Family(
        "healthy-small-noisy",
        "short prefix, long texts of very different length, few requests",
        healthy_small_noisy,
        (*FINE, "flat-low-share", "inconclusive"),
    ),
    Family(
        "rises-with-density",
        "entries live only while their tenant is busy",
        rises_with_density,
        ("share-rises-with-load", "healthy", "inconclusive", "sparse-traffic-retention"),
        leaves_home="never",
    ),
    Family("load-flat", "the same requests every hour", load_flat, FINE),
    Family(
        "few-hours",
        "two or three hours of traffic a day",
        few_hours,
        ("too-few-linked-hours", "cold-only-after-idle"),
    ),
    Family(
        "special-days",
        "a holiday or campaign, an hour of empty caches",
        special_days_and_hours,
        FINE,
    ),
    Family("growing-traffic", "traffic grows through the window", growing_traffic, FINE),
    Family("restated-hours", "hours that lack requests until a day later", restated_hours, FINE),
    Family("uncounted-requests", "hours with tokens but no requests", uncounted_requests, FINE),
    Family(
        "unreported-cached", "hours whose cached tokens are not reported", unreported_cached, FINE
    ),
    Family("twelve-hours", "bursts hours apart, kept for twelve hours", twelve_hours, FINE),
)
