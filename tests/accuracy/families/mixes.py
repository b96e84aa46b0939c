"""Fleets in which other traffic carries the busy hours, or prompts change with load."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.load import Openings
from ingest.simulator.workload import CacheRules, Cell, Prompts, Workload
from tests.accuracy.families import common
from tests.accuracy.families.healthy import template_workload
from tests.accuracy.loads import LocalLoad
from tests.accuracy.scene import Draw, Family, Scene, Site

MIX = ("mix-shift", "inconclusive")


def two_keys(draw: Draw) -> Scene:
    """A template that cannot be shared by day, a cached one all day, a key each."""
    at = common.site(draw)
    return Scene(at, _pair(draw, at, common.cell(at, "key_a"), common.cell(at, "key_b")))


def two_sizes_under_one_key(draw: Draw) -> Scene:
    """The same under one key; the daytime prompts have another size."""
    at = common.site(draw)
    factor = draw.choice("size_factor", (0.25, 0.4, 2.5, 4.0))
    return Scene(at, _pair(draw, at, common.cell(at), common.cell(at), factor))


def equal_sizes_under_one_key(draw: Draw) -> Scene:
    """The same under one key, and the prompts are of one size."""
    at = common.site(draw)
    return Scene(at, _pair(draw, at, common.cell(at), common.cell(at)))


def longer_documents_by_day(draw: Draw) -> Scene:
    """The same prefix, but by day longer texts behind it."""
    at = common.site(draw)
    rate = common.load(draw, peak=(150, 1200), swing=(3, 12))
    prompts = common.template_prompts(draw)
    tail = prompts.template_tokens * draw.uniform("tail", 0.3, 0.9)
    longer = draw.uniform("longer", 2.5, 6.0)
    prompts = replace(prompts, tail_tokens=tail, tail_at_peak=longer)
    cells, fleet = common.cells(draw, at), common.calm_fleet(draw, at)
    return Scene(at, (common.workload("documents", at, cells, rate, prompts, fleet),))


def shorter_chats_by_day(draw: Draw) -> Scene:
    """Long agent runs all day, one-shot questions of the same team by day, under one key."""
    at = common.site(draw)
    agents = common.load(draw, "agents_", peak=(80, 300), swing=(1.0, 1.5))
    questions = common.load(draw, "questions_", peak=(300, 1200), swing=(12, 40))
    once = Prompts(round(draw.uniform("short", 200, 900)), draw.uniform("question", 2000, 8000))
    fleet, one = common.calm_fleet(draw, at), (common.cell(at),)
    deep = common.chat_prompts(draw, turns=(8, 16))
    return Scene(
        at,
        (
            common.workload("agents", at, one, agents, deep, fleet, key="conversation"),
            common.workload("questions", at, one, questions, once, fleet),
        ),
    )


def weekend_job(draw: Draw) -> Scene:
    """Users on weekdays with a low share, a well cached job at weekends at low load."""
    at = common.site(draw, window_days=common.LONG_WINDOW_DAYS)
    users = common.load(draw, "users_", peak=(200, 1000), swing=(3, 8))
    users = replace(users, weekend_factor=draw.uniform("users_weekend", 0.0, 0.04))
    weekdays = _low_prompts(draw)
    job = replace(
        common.scaled(users, draw.uniform("job_part", 0.1, 0.3)),
        weekend_factor=1.0,
        quiet_per_hour=users.quiet_per_hour * 0.3,
    )
    job = _at_weekends(job, at)
    cached = replace(common.template_prompts(draw, "job_"), tail_tokens=600.0)
    keys = draw.choice("keys", (("key_a", "key_a"), ("key_a", "key_b")))
    fleet = common.calm_fleet(draw, at)
    return Scene(
        at,
        (
            common.workload("users", at, (common.cell(at, keys[0]),), users, weekdays, fleet),
            common.workload("job", at, (common.cell(at, keys[1]),), job, cached, fleet),
        ),
    )


def cached_batch_at_night(draw: Draw) -> Scene:
    """A well cached batch job at night, users with a low share by day."""
    at = common.site(draw)
    users, night = _day_and_night(draw)
    fleet = common.calm_fleet(draw, at)
    batch = (common.cell(at, "key_a", batch=True),)
    cached = common.template_prompts(draw, "batch_")
    cached = replace(cached, tail_tokens=min(cached.tail_tokens, 0.3 * cached.template_tokens))
    return Scene(
        at,
        (
            common.workload(
                "users", at, (common.cell(at, "key_a"),), users, _low_prompts(draw), fleet
            ),
            common.workload("batch", at, batch, night, cached, fleet),
        ),
    )


def uncached_batch_at_night(draw: Draw) -> Scene:
    """A batch job at night that never caches (before GPT-5), healthy users by day."""
    at = common.site(draw, ("until-5.4",))
    at = replace(at, model="gpt-4.1-mini-2025-04-14")
    users, night = _day_and_night(draw)
    fleet = common.calm_fleet(draw, at)
    batch = common.workload(
        "batch",
        at,
        (common.cell(at, "key_a", batch=True),),
        night,
        common.template_prompts(draw, "batch_"),
        fleet,
    )
    batch = replace(batch, rules=CacheRules(minimum_tokens=10**9))
    prompts = common.template_prompts(draw)
    return Scene(
        at, (common.workload("users", at, (common.cell(at),), users, prompts, fleet), batch)
    )


def priority_at_peak(draw: Draw) -> Scene:
    """Interactive requests of the priority tier by day, a cached default-tier job all day."""
    at = common.site(draw)
    return Scene(at, _pair(draw, at, common.cell(at), common.cell(at, tier="priority")))


def two_regions(draw: Draw) -> Scene:
    """Two teams under one key, half a day apart, whose prompts share more and less."""
    at = common.site(draw)
    job, users = _pair(draw, at, common.cell(at), common.cell(at))
    here = replace(job.load, quiet_per_hour=job.load.peak_per_hour / draw.uniform("here", 3, 10))
    away = (here.peak_utc_hour + draw.uniform("hours_apart", 7, 13)) % 24
    there = replace(users.load, peak_utc_hour=away)
    return Scene(at, (replace(job, load=here), replace(users, load=there)))


def backfill_days(draw: Draw) -> Scene:
    """Once or twice in the window a backfill of uncacheable texts runs for some hours."""
    at = common.site(draw)
    work = template_workload(draw, at)
    first_day, last_day = at.first_hour // 24 + 1, at.anchor_hour // 24 - 1
    chosen = {draw.integer(f"backfill_day_{n}", first_day, last_day) for n in range(2)}
    days = [(day, 0.0) for day in range(first_day - 2, last_day + 3) if day not in chosen]
    height = work.load.peak_per_hour * draw.uniform("backfill_height", 1.0, 4.0)
    hours = Openings(24, draw.integer("backfill_hours", 3, 9), draw.integer("starts_at", 0, 14))
    rate = LocalLoad(
        height * 0.9, height, weekend_factor=1.0, openings=hours, day_factors=tuple(days)
    )
    size = work.prompts.template_tokens + work.prompts.tail_tokens
    texts = Prompts(template_tokens=200, tail_tokens=size * draw.uniform("backfill_size", 0.6, 1.5))
    cells = (common.cell(at, draw.choice("backfill_key", ("key_a", "key_z"))),)
    backfill = common.workload("backfill", at, cells, rate, texts, common.closed_fleet(at))
    return Scene(at, (work, backfill))


def _pair(
    draw: Draw, at: Site, job_cell: Cell, user_cell: Cell, size_factor: float = 1.0
) -> tuple[Workload, Workload]:
    """A cached job at a steady rate, and users by day whose prompts share next to nothing."""
    cached = common.template_prompts(draw, "job_")
    cached = replace(
        cached, tail_tokens=cached.template_tokens * draw.uniform("job_tail", 0.1, 0.5)
    )
    size = (cached.template_tokens + cached.tail_tokens) * size_factor
    static = min(0.3 * size, draw.uniform("user_static", 100, 1300))
    own = replace(cached, template_tokens=round(static), tail_tokens=size - static)
    job = common.load(draw, "job_", peak=(80, 300), swing=(1.0, 1.5), noise=(0.03, 0.15))
    times = draw.log_uniform("users_over_job", 1.2, 8.0) / size_factor
    users = common.load(draw, "users_", peak=(100, 101), swing=(12, 40))
    users = common.scaled(users, job.peak_per_hour * times / users.peak_per_hour)
    fleet = common.calm_fleet(draw, at)
    return (
        common.workload("job", at, (job_cell,), job, cached, fleet),
        common.workload("users", at, (user_cell,), users, own, fleet),
    )


def _low_prompts(draw: Draw) -> Prompts:
    """A quarter or so of the prompt is a prefix."""
    static = round(draw.uniform("low_static", 1100, 2500))
    return Prompts(static, static * draw.uniform("low_tail", 2.5, 4.5))


def _day_and_night(draw: Draw) -> tuple[LocalLoad, LocalLoad]:
    users = common.load(draw, "users_", peak=(200, 1000), swing=(15, 40))
    night = common.scaled(users, draw.uniform("night_part", 0.15, 0.6))
    return users, replace(night, peak_utc_hour=(users.peak_utc_hour + 12) % 24)


def _at_weekends(rate: LocalLoad, at: Site) -> LocalLoad:
    """No requests on weekdays."""
    days = range(at.first_hour // 24 - 1, at.anchor_hour // 24 + 2)
    weekdays = [(day, 0.0) for day in days if (day + 3) % 7 < 5]
    return replace(rate, day_factors=tuple(weekdays))


FAMILIES = (
    Family("mix-two-keys", "an uncacheable daytime template beside a cached one", two_keys, MIX),
    Family(
        "mix-two-sizes",
        "the same under one key, in prompts of another size",
        two_sizes_under_one_key,
        MIX,
    ),
    Family(
        "mix-equal-sizes",
        "the same under one key, in prompts of the same size",
        equal_sizes_under_one_key,
        MIX,
    ),
    Family(
        "longer-documents-by-day", "longer texts behind the prefix", longer_documents_by_day, MIX
    ),
    Family(
        "shorter-chats-by-day", "one-shot questions by day beside agents", shorter_chats_by_day, MIX
    ),
    Family(
        "weekend-job",
        "users on weekdays, a well cached job at weekends",
        weekend_job,
        (*MIX, "level-shift-mid-window", "healthy"),
    ),
    Family(
        "cached-batch-at-night", "cached batch at night, users by day", cached_batch_at_night, MIX
    ),
    Family(
        "uncached-batch-at-night",
        "batch that never caches at night, healthy users by day",
        uncached_batch_at_night,
        (*MIX, "share-rises-with-load", "healthy"),
    ),
    Family("priority-at-peak", "uncacheable priority requests by day", priority_at_peak, MIX),
    Family(
        "two-regions",
        "two templates under one key, each follows the day of its own region",
        two_regions,
        (*MIX, "healthy", "share-rises-with-load"),
    ),
    Family(
        "backfill-days",
        "an uncacheable backfill for some hours of a day or two",
        backfill_days,
        (*MIX, "healthy", "level-shift-mid-window"),
    ),
)
