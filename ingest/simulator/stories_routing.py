"""Stories in which the machine a request lands on decides, or seems to decide."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.load import Load, Openings
from ingest.simulator.story import ApiKey, Marker, Project, SeriesTruth, Story, cell, days
from ingest.simulator.workload import Fleet, Prompts, Workload

GPT_5_4 = "gpt-5.4-2026-03-05"
GPT_5_4_MINI = "gpt-5.4-mini-2026-03-17"
GPT_5_2 = "gpt-5.2-2025-12-11"

KEY_SHIPPED = -days(9) + 4
SHIPPED_AND_ROLLED_BACK = (-days(16) + 4, -days(8))

# Seventy tenant prompts behind one common beginning: without a key they are one route, and what
# overflows it meets a pool of machines none of which has seen them all.
TENANT_PROMPTS = Prompts(700, 800, tenant_tokens=4600, tenants=70, tenant_skew=0.5)
AUTOSCALED = Fleet(lifetime_seconds=1800, lifetime_at_peak_seconds=900, spill_at_peak=300)


def scatter() -> Story:
    """No key, many tenants, a pool that grows with load."""
    project, key = (
        Project("proj_ragAnswer01", "rag-answer"),
        ApiKey("key_ragAnswerSvc", "rag-answer prod"),
    )
    return Story(
        name="scatter",
        cause="no prompt_cache_key; requests overflow to machines that have not seen the prefix",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="rag-answer",
                cells=(cell(project, key, GPT_5_4),),
                load=Load(187, 4500, sharpness=0.8),
                prompts=TENANT_PROMPTS,
                fleet=AUTOSCALED,
            ),
        ),
        truths=(
            SeriesTruth(GPT_5_4, "load-correlated-misses", published="load-correlated-misses"),
        ),
    )


def scatter_repaired() -> Story:
    """The same fault, until a key per tenant shipped nine days before the anchor."""
    project, key = (
        Project("proj_docSearch02", "doc-search"),
        ApiKey("key_docSearchSvc", "doc-search prod"),
    )
    before = Workload(
        name="doc-search before",
        cells=(cell(project, key, GPT_5_4),),
        load=Load(150, 4000, peak_utc_hour=15, sharpness=0.8, weekend_factor=0.5),
        prompts=replace(TENANT_PROMPTS, tenants=40),
        fleet=AUTOSCALED,
        stream="doc-search",
        ends=KEY_SHIPPED,
    )
    keyed = replace(before, name="doc-search keyed", key="tenant", begins=KEY_SHIPPED, ends=None)

    return Story(
        name="scatter-repaired",
        cause="scattered until prompt_cache_key (one per tenant) shipped; busy hours then follow quiet ones",
        project=project,
        keys=(key,),
        workloads=(before, keyed),
        truths=(
            SeriesTruth(GPT_5_4, "healthy", ("share-rises-with-load",), "share-rises-with-load"),
        ),
        markers=(Marker("key shipped", KEY_SHIPPED, "prompt_cache_key=doc-search:{tenant}"),),
    )


def repair_rolled_back() -> Story:
    """The same fault and the same repair, taken back after eight days by a release."""
    project, key = (
        Project("proj_policyQa22", "policy-qa"),
        ApiKey("key_policyQaSvc", "policy-qa prod"),
    )
    shipped, rolled_back = SHIPPED_AND_ROLLED_BACK
    before = Workload(
        name="policy-qa before",
        cells=(cell(project, key, GPT_5_4),),
        load=Load(140, 3800, peak_utc_hour=14, sharpness=0.8, weekend_factor=0.6),
        prompts=replace(TENANT_PROMPTS, tenants=50),
        fleet=AUTOSCALED,
        stream="policy-qa",
        ends=shipped,
    )
    keyed = replace(before, name="policy-qa keyed", key="tenant", begins=shipped, ends=rolled_back)
    again = replace(before, name="policy-qa again", begins=rolled_back, ends=None)

    return Story(
        name="repair-rolled-back",
        cause="prompt_cache_key (one per tenant) shipped and held for eight days; a release then dropped it",
        project=project,
        keys=(key,),
        workloads=(before, keyed, again),
        truths=(
            SeriesTruth(GPT_5_4, "load-correlated-misses", published="load-correlated-misses"),
        ),
        markers=(
            Marker("key shipped", shipped, "prompt_cache_key=policy-qa:{tenant}"),
            Marker("key removed", rolled_back, "release without prompt_cache_key"),
        ),
    )


def per_request_key() -> Story:
    """A key that is used once sends every request to a machine of its own."""
    project, key = (
        Project("proj_ticketTri03", "ticket-triage"),
        ApiKey("key_ticketTriage", "triage workers"),
    )
    return Story(
        name="per-request-key",
        cause="prompt_cache_key is a request id: every request is routed anew over a fixed pool",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="ticket-triage",
                cells=(cell(project, key, GPT_5_2),),
                load=Load(60, 900, peak_utc_hour=13),
                prompts=Prompts(800, 1200, tenant_tokens=4200, tenants=14),
                key="request",
                fleet=Fleet(lifetime_seconds=480, home_machines=50),
            ),
        ),
        truths=(
            SeriesTruth(GPT_5_2, "flat-low-share", ("inconclusive",), "share-rises-with-load"),
        ),
        markers=(),
    )


def healthy_dense() -> Story:
    """Conversations keyed by conversation, dense enough to stay warm."""
    project, key = (
        Project("proj_supportAg04", "support-agent"),
        ApiKey("key_supportAgent", "support-agent prod"),
    )
    return Story(
        name="healthy-dense",
        cause="stable prefix, a key per conversation, turns a minute apart",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="support-agent",
                cells=(cell(project, key, GPT_5_4),),
                load=Load(120, 1500, peak_utc_hour=16, weekend_factor=0.8),
                prompts=Prompts(3400, 260, tail_sigma=0.5, turns=6, turn_pause_seconds=70),
                key="template",
                fleet=Fleet(lifetime_seconds=1800, spill_at_peak=3),
            ),
        ),
        truths=(SeriesTruth(GPT_5_4, "healthy", ("share-rises-with-load",), "healthy"),),
    )


def share_rises() -> Story:
    """Many small tenants whose entries live only while their tenant is busy."""
    project, key = (
        Project("proj_prodCopy05", "product-copy"),
        ApiKey("key_prodCopySvc", "catalogue writer"),
    )
    return Story(
        name="share-rises",
        cause="many prefixes with short-lived entries: traffic itself keeps them warm",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="product-copy",
                cells=(cell(project, key, GPT_5_4_MINI),),
                load=Load(90, 2400, peak_utc_hour=12),
                prompts=Prompts(600, 500, tenant_tokens=3600, tenants=160, tenant_skew=0.3),
                key="tenant",
                fleet=Fleet(lifetime_seconds=480),
            ),
        ),
        truths=(
            SeriesTruth(GPT_5_4_MINI, "share-rises-with-load", published="share-rises-with-load"),
        ),
    )


def fan_out_race() -> Story:
    """An hourly job whose workers all start before the first answer has filled the cache."""
    project, key = (
        Project("proj_reportFan06", "report-fanout"),
        ApiKey("key_reportCron", "hourly reports"),
    )
    return Story(
        name="fan-out-race",
        cause="all workers start within a second of the hour; none finds the entry the first is still writing",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="report-fanout",
                cells=(cell(project, key, GPT_5_4),),
                load=Load(60, 900, peak_utc_hour=12, weekend_factor=0.7, hour_sigma=0.06),
                prompts=Prompts(5000, 1200),
                key="template",
                fleet=Fleet(lifetime_seconds=600, overflow_per_minute=None, fill_seconds=5.0),
                arrival="cron",
            ),
        ),
        truths=(
            SeriesTruth(
                GPT_5_4, "inconclusive", ("load-correlated-misses",), "load-correlated-misses"
            ),
        ),
    )


def bursts_after_idle() -> Story:
    """A job every eight hours whose first hour goes once through all its tenants."""
    project, key = (
        Project("proj_nightDig07", "nightly-digest"),
        ApiKey("key_nightDigest", "digest scheduler"),
    )
    return Story(
        name="bursts-after-idle",
        cause="entries expire in the pause between runs; the opening hour meets each tenant for the first time",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="nightly-digest",
                cells=(cell(project, key, GPT_5_2),),
                load=Load(800, 900, weekend_factor=1.0, openings=Openings(8, 4, 1)),
                prompts=Prompts(
                    500,
                    700,
                    tenant_tokens=4300,
                    tenants=1600,
                    one_pass_at_opening=True,
                    tenant_skew=2.0,
                    tail_hour_sigma=0.12,
                ),
                key="tenant",
                fleet=Fleet(lifetime_seconds=1800),
            ),
        ),
        # The published rule counts a window's first hour among the cold ones, also in mid-run.
        truths=(SeriesTruth(GPT_5_2, "cold-only-after-idle"),),
    )


def stories() -> tuple[Story, ...]:
    """All of this file's stories."""
    return (
        scatter(),
        scatter_repaired(),
        repair_rolled_back(),
        per_request_key(),
        healthy_dense(),
        share_rises(),
        fan_out_race(),
        bursts_after_idle(),
    )
