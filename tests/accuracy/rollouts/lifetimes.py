"""Repairs of what happens after pauses, and of what is written and never read."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.load import Openings
from ingest.simulator.workload import EXACT_RULES, FanOut, Workload
from tests.accuracy.families import common
from tests.accuracy.rollouts.repairs import PEAK, same, shipped
from tests.accuracy.rollouts.scene import RolloutScene, marker_hour, site
from tests.accuracy.scene import Draw, Site

HOUR_SECONDS = 3600.0
HALF_A_DAY = 12 * HOUR_SECONDS


def retention_longer(draw: Draw) -> RolloutScene:
    """Entries live for half a day; the pauses between runs are shorter than that."""
    at, work = _runs(draw, period=draw.choice("period", (6, 8)))
    return _kept_longer(draw, at, work)


def retention_too_short(draw: Draw) -> RolloutScene:
    """Entries live for half a day; the one run a day comes later than that."""
    at, work = _runs(draw, period=24)
    return _kept_longer(draw, at, work)


def _kept_longer(draw: Draw, at: Site, work: Workload) -> RolloutScene:
    after = replace(
        work,
        fleet=replace(work.fleet, lifetime_seconds=HALF_A_DAY),
        rules=replace(work.rules, twelve_hours=True),
    )
    return shipped(at, work, after, marker_hour(draw), "retention")


def _runs(draw: Draw, period: int) -> tuple[Site, Workload]:
    """Runs of a few hours; the first hour of each goes once through all tenants."""
    at = site(draw, ("from-5.6",))
    opened = Openings(period, draw.integer("open_hours", 3, 4), draw.integer("opens", 0, 11))
    rate = common.load(draw, peak=(200, 900), swing=(1.05, 1.3), noise=(0.03, 0.15))
    rate = replace(rate, openings=opened, weekend_factor=1.0, second_peak_height=0.0)
    prompts = common.tenant_prompts(draw, (1, 1))
    prompts = replace(
        prompts,
        template_tokens=round(draw.uniform("short_template", 200, 700)),
        tail_tokens=min(prompts.tail_tokens, 0.5 * prompts.tenant_tokens),
        tenants=round(rate.quiet_per_hour * draw.log_uniform("tenants_per_hour", 0.6, 1.2)),
        tenant_skew=draw.uniform("later_skew", 1.4, 2.0),
        one_pass_at_opening=True,
    )
    fleet = common.closed_fleet(at)
    cells = common.cells(draw, at)
    return at, common.workload("runs", at, cells, rate, prompts, fleet, key="tenant")


def warm_call(draw: Draw) -> RolloutScene:
    """One call goes ahead of each run; the first wave of workers finds what it wrote."""
    at, work = _herd(draw)
    warmed = replace(work, fleet=replace(work.fleet, fill_seconds=0.0))
    return shipped(at, work, warmed, marker_hour(draw), "warm-call")


def warm_call_too_early(draw: Draw) -> RolloutScene:
    """The warm call goes so far ahead that nothing is left of it; nothing changes."""
    at, work = _herd(draw)
    return same(at, work, marker_hour(draw), kind="warm-call")


def _herd(draw: Draw) -> tuple[Site, Workload]:
    """Hourly waves in runs some hours apart; the first wave of a run finds nothing."""
    at = site(draw, ("until-5.4", "5.5"))
    at = replace(at, lifetime_seconds=draw.uniform("long_lifetime", 4200, 7200))
    period = draw.choice("period", (8, 12, 24))
    opened = Openings(period, draw.integer("open_hours", 3, 5), draw.integer("opens", 0, 23))
    rate = common.load(draw, peak=(100, 900), swing=(1.05, 1.4), noise=(0.03, 0.15))
    rate = replace(rate, openings=opened, weekend_factor=1.0, second_peak_height=0.0)
    prompts = common.template_prompts(draw)
    tail = min(prompts.tail_tokens, prompts.template_tokens)
    fleet = replace(common.closed_fleet(at), fill_seconds=draw.uniform("fill", 2.0, 5.0))
    cells = common.cells(draw, at)
    work = common.workload("herd", at, cells, rate, replace(prompts, tail_tokens=tail), fleet)
    fan_out = FanOut(followers_factor=draw.uniform("followers", 0.5, 1.5))
    return at, replace(work, arrival="cron", fan_out=fan_out)


def writes_less(draw: Draw) -> RolloutScene:
    """Only the static part is written; before, nearly all of each prompt was."""
    at, work, often = _writing(draw)
    return shipped(at, often, work, marker_hour(draw), "writes")


def writes_still(draw: Draw) -> RolloutScene:
    """A write repair that changes nothing of what is written."""
    at, _, often = _writing(draw)
    return same(at, often, marker_hour(draw), kind="writes")


def writes_more(draw: Draw) -> RolloutScene:
    """A write repair gone wrong: nearly all of each prompt is written from then on."""
    at, work, often = _writing(draw)
    return shipped(at, work, often, marker_hour(draw), "writes")


def _writing(draw: Draw) -> tuple[Site, Workload, Workload]:
    """A short part is read; what is written ends behind it, or at the end of the prompt."""
    at = site(draw, ("from-5.6",))
    rate = common.load(draw, peak=PEAK, swing=(3, 20))
    prompts = common.template_prompts(draw, static=(1100, 3000))
    tail = prompts.template_tokens * draw.uniform("behind", 2, 10)
    cells, fleet = common.cells(draw, at), common.calm_fleet(draw, at)
    prompts = replace(prompts, tail_tokens=tail)
    work = common.workload("agent", at, cells, rate, prompts, fleet)
    rules = replace(EXACT_RULES, readable=frozenset({"template"}))
    often = replace(rules, written_share=draw.uniform("written", 0.7, 1.0))
    return at, replace(work, rules=rules), replace(work, rules=often)
