"""Scatter that not every day or hour of the window shows alike."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.load import Openings
from ingest.simulator.workload import Revision
from tests.accuracy.families import common
from tests.accuracy.families.scatter import (
    MAY_BE_UNSURE,
    SPARED,
    WITH_ROUTING_KEYS,
    tenants_workload,
)
from tests.accuracy.loads import LocalLoad
from tests.accuracy.scene import Draw, Family, Scene
from tests.accuracy.serving import at_home


def scatter_cold_nights(draw: Draw) -> Scene:
    """Nights too quiet to keep the tenants warm: low, then high, then scattered."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    rate = common.load(draw, peak=(400, 1500), swing=(25, 120))
    prompts = common.warm_tenants(draw, at, rate, visits=(0.3, 1.0))
    fleet = common.overflowing_fleet(draw, at, rate)
    cells = common.cells(draw, at)
    return Scene(at, (common.workload("scatter", at, cells, rate, prompts, fleet, key="none"),))


def scatter_on_weekdays(draw: Draw) -> Scene:
    """At weekends the traffic never reaches the limit."""
    at = common.site(draw, WITH_ROUTING_KEYS, common.LONG_WINDOW_DAYS)
    work = tenants_workload(draw, at, common.cells(draw, at), starts=(0.1, 0.5))
    rate = replace(work.load, weekend_factor=draw.uniform("weekend", 0.03, 0.15))
    return Scene(at, (replace(work, load=rate),))


def scatter_noisy(draw: Draw) -> Scene:
    """Traffic and prompt sizes jump from hour to hour."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    work = tenants_workload(draw, at, common.cells(draw, at))
    rate = replace(work.load, hour_sigma=draw.uniform("hour_sigma", 0.3, 0.6))
    noise = draw.uniform("tail_hour_sigma", 0.15, 0.35)
    prompts = replace(work.prompts, tail_hour_sigma=noise)
    return Scene(at, (replace(work, load=rate, prompts=prompts),))


def scatter_in_growing_traffic(draw: Draw) -> Scene:
    """Traffic grows or shrinks through the window."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    work = tenants_workload(draw, at, common.cells(draw, at))
    growth = draw.uniform("growth_by_window", -0.7, 0.9) / at.days
    middle = at.anchor_hour - at.days * 12
    rate = replace(work.load, growth_per_day=growth, growth_from_hour=middle)
    return Scene(at, (replace(work, load=rate),))


def scatter_begins(draw: Draw) -> Scene:
    """A deploy drops the key in mid-window."""
    at = common.site(draw, WITH_ROUTING_KEYS, common.LONG_WINDOW_DAYS)
    scattered = tenants_workload(draw, at, common.cells(draw, at))
    begins = -round(24 * draw.uniform("days_since", 1.0, at.days - 2.0))
    calm = replace(scattered, name="keyed", key="tenant", fleet=at_home(scattered.fleet))
    calm = replace(calm, ends=begins, stream="scatter")
    scattered = replace(scattered, begins=begins, stream="scatter")
    return Scene(at, (calm, scattered), current_from=at.days * 24 + begins)


def scatter_with_special_days(draw: Draw) -> Scene:
    """A holiday or a campaign day, and an hour in which every cache was empty."""
    at = common.site(draw, WITH_ROUTING_KEYS, common.LONG_WINDOW_DAYS)
    work = tenants_workload(draw, at, common.cells(draw, at))
    rate = special_days(draw, work.load, at.first_hour, at.days)
    flushed = (draw.integer("flushed_hour", 2, at.days * 24 - 2),)
    return Scene(at, (replace(work, load=rate),), flushed_hours=flushed)


def scatter_in_business_hours(draw: Draw) -> Scene:
    """Traffic only by day: every morning opens cold, noon overflows."""
    at = common.site(draw, WITH_ROUTING_KEYS, common.LONG_WINDOW_DAYS)
    work = tenants_workload(draw, at, common.cells(draw, at))
    hours = draw.integer("open_hours", 9, 14)
    opens = round(work.load.peak_utc_hour - hours / 2) % 24
    rate = replace(work.load, openings=Openings(24, hours, opens), sharpness=2.5)
    return Scene(at, (replace(work, load=rate),))


def scatter_and_longer_prompts(draw: Draw) -> Scene:
    """Prompts get longer by day too: part of the fall is length, part is scatter."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    work = tenants_workload(draw, at, common.cells(draw, at))
    prompts = replace(work.prompts, tail_at_peak=draw.uniform("tail_at_peak", 1.2, 2.0))
    return Scene(at, (replace(work, prompts=prompts),))


def scatter_badly_reported(draw: Draw) -> Scene:
    """Hours that lack requests until later, cached tokens not reported, requests not counted."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    work = tenants_workload(draw, at, common.cells(draw, at))
    revision = Revision(
        every=draw.integer("every", 2, 6),
        delay_hours=draw.uniform("delay_hours", 6, 60),
        late_share=draw.uniform("late_share", 0.2, 0.8),
    )
    uncounted = draw.choice("uncounted_every", (0, 7, 11))
    work = replace(work, revision=revision, uncounted_every=uncounted)
    return Scene(at, (work,), unreported_share=draw.uniform("unreported", 0.0, 0.25))


def special_days(draw: Draw, rate: LocalLoad, first_hour: int, days: int) -> LocalLoad:
    """One day or two that bring far less or more traffic than their weekday."""
    first_day = first_hour // 24
    chosen = {
        first_day + draw.integer(f"special_day_{n}", 1, days - 1): draw.choice(
            f"special_factor_{n}", (0.05, 0.15, 0.3, 1.8)
        )
        for n in range(draw.integer("special_days", 1, 2))
    }
    return replace(rate, day_factors=tuple(chosen.items()))


FAMILIES = (
    Family(
        "scatter-cold-nights",
        "nights so quiet that entries expire, days so busy that they overflow",
        scatter_cold_nights,
        (*SPARED, "sparse-traffic-retention"),
    ),
    Family("scatter-on-weekdays", "overflow on weekdays only", scatter_on_weekdays, SPARED),
    Family("scatter-noisy", "overflow under noisy traffic and prompt sizes", scatter_noisy, SPARED),
    Family(
        "scatter-in-growing-traffic",
        "overflow while traffic grows or shrinks",
        scatter_in_growing_traffic,
        SPARED,
    ),
    Family(
        "scatter-begins",
        "a deploy drops the key in mid-window",
        scatter_begins,
        (*SPARED, "level-shift-mid-window"),
        ("load-correlated-misses", "level-shift-mid-window"),
    ),
    Family(
        "scatter-with-special-days",
        "overflow, with a holiday or campaign and an hour of empty caches",
        scatter_with_special_days,
        SPARED,
    ),
    Family(
        "scatter-in-business-hours",
        "overflow at noon; every morning opens cold",
        scatter_in_business_hours,
        (*SPARED, "cold-only-after-idle"),
    ),
    Family(
        "scatter-badly-reported",
        "overflow, in hours that are reported late or only in part",
        scatter_badly_reported,
        SPARED,
    ),
    Family(
        "scatter-and-longer-prompts",
        "overflow, and longer prompts by day",
        scatter_and_longer_prompts,
        (*SPARED, "mix-shift"),
        (*MAY_BE_UNSURE, "mix-shift"),
    ),
)
