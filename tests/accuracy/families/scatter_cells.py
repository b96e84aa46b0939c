"""Scatter in a part of the series, or in parts that the provider can tell apart."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.workload import Workload
from tests.accuracy.families import common
from tests.accuracy.families.scatter import SPARED, WITH_ROUTING_KEYS, tenants_workload
from tests.accuracy.scene import Draw, Family, Scene, Site


def scatter_in_one_of_two_keys(draw: Draw) -> Scene:
    """Two products under two API keys; one scatters, both are large."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    return _beside_healthy(draw, at, (0.25, 1.0))


def scatter_in_a_minor_key(draw: Draw) -> Scene:
    """The scattering key brings a fifth to a half of the input."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    return _beside_healthy(draw, at, (1.2, 3.0))


def scatter_over_keys_and_tiers(draw: Draw) -> Scene:
    """The same scattered traffic under several keys and tiers."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    cells = tuple(
        common.cell(at, key, tier=tier)
        for key in ("key_a", "key_b", "key_c")
        for tier in ("default", "priority")
    )
    return Scene(at, (tenants_workload(draw, at, cells),))


def scatter_with_night_batch(draw: Draw) -> Scene:
    """Scattered users by day, a batch job with a cached prefix at night."""
    at = common.site(draw, WITH_ROUTING_KEYS)
    scattered = tenants_workload(draw, at, (common.cell(at),))
    rate = common.scaled(scattered.load, draw.uniform("batch_part", 0.1, 0.5))
    night = replace(rate, peak_utc_hour=(rate.peak_utc_hour + 12) % 24)
    batch = common.workload(
        "batch",
        at,
        (common.cell(at, batch=True),),
        night,
        common.template_prompts(draw, "batch_"),
        common.closed_fleet(at),
    )
    return Scene(at, (scattered, batch))


def _beside_healthy(draw: Draw, at: Site, times: tuple[float, float]) -> Scene:
    """A scattering key beside a healthy one that brings `times` its input."""
    scattered = tenants_workload(draw, at, (common.cell(at, "key_a"),), peak=(250, 800))
    prompts = common.template_prompts(draw, "other_")
    factor = (
        draw.uniform("other_input", *times)
        * _size(scattered)
        / (prompts.template_tokens + prompts.tail_tokens)
    )
    rate = common.scaled(scattered.load, factor)
    rate = replace(rate, peak_utc_hour=(rate.peak_utc_hour + draw.uniform("later", -4, 4)) % 24)
    other = common.workload(
        "other", at, (common.cell(at, "key_b"),), rate, prompts, common.closed_fleet(at)
    )
    return Scene(at, (scattered, other))


def _size(work: Workload) -> float:
    prompts = work.prompts
    return prompts.template_tokens + prompts.tenant_tokens + prompts.tail_tokens


FAMILIES = (
    Family(
        "scatter-in-one-of-two-keys",
        "one of two API keys overflows, the other is healthy",
        scatter_in_one_of_two_keys,
        SPARED,
    ),
    Family(
        "scatter-in-a-minor-key",
        "the smaller of two API keys overflows",
        scatter_in_a_minor_key,
        SPARED,
    ),
    Family(
        "scatter-over-keys-and-tiers",
        "the same overflowing traffic under three keys and two tiers",
        scatter_over_keys_and_tiers,
        SPARED,
    ),
    Family(
        "scatter-with-night-batch",
        "overflow by day beside a cached batch job at night",
        scatter_with_night_batch,
        (*SPARED, "mix-shift"),
        ("load-correlated-misses", "mix-shift"),
    ),
)
