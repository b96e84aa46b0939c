"""Stories in which the prompt itself, its breakpoints or its lifetime decide."""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.load import Load
from ingest.simulator.story import ApiKey, Marker, Project, SeriesTruth, Story, cell, days
from ingest.simulator.workload import EXACT_RULES, Fleet, Prompts, Workload

GPT_5_1 = "gpt-5.1-2025-11-13"
GPT_5_4 = "gpt-5.4-2026-03-05"
GPT_5_4_NANO = "gpt-5.4-nano-2026-03-17"
GPT_4O_MINI = "gpt-4o-mini-2024-07-18"
TERRA = "gpt-5.6-terra"
LUNA = "gpt-5.6-luna"

BREAKPOINT_SHIPPED = -days(10) + 6


def unstable_prefix() -> Story:
    """The time of day stands near the top of the system prompt."""
    project, key = (
        Project("proj_contractE08", "contract-extract"),
        ApiKey("key_contractExt", "extract prod"),
    )
    return Story(
        name="unstable-prefix",
        cause="a timestamp after the first 1,280 tokens: only what stands before it is ever shared",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="contract-extract",
                cells=(cell(project, key, GPT_5_4),),
                load=Load(90, 1100, peak_utc_hour=13),
                prompts=Prompts(1290, 11_500),
                fleet=Fleet(spill_at_peak=3),
            ),
        ),
        truths=(SeriesTruth(GPT_5_4, "flat-low-share", published="flat-low-share"),),
    )


def below_the_floor() -> Story:
    """Short prompts cannot be cached at all."""
    project, key = Project("proj_tagSuggest09", "tag-suggest"), ApiKey("key_tagSuggest", "tagger")
    return Story(
        name="below-the-floor",
        cause="mean prompt of about 600 tokens, under the 1,024 that can be cached",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="tag-suggest",
                cells=(cell(project, key, GPT_5_4_NANO),),
                load=Load(200, 1600, peak_utc_hour=11, weekend_factor=0.9),
                prompts=Prompts(420, 170, tail_sigma=0.25, output_tokens=25),
            ),
        ),
        truths=(SeriesTruth(GPT_5_4_NANO, "no-cached-tokens", published="no-cached-tokens"),),
    )


def sparse_traffic() -> Story:
    """A call every quarter of an hour, entries that live eight minutes."""
    project, key = (
        Project("proj_complianc10", "compliance-check"),
        ApiKey("key_compliance", "compliance poller"),
    )
    return Story(
        name="sparse-traffic",
        cause="one call every fifteen minutes or so; an entry lives about eight",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="compliance-check",
                cells=(cell(project, key, GPT_4O_MINI),),
                load=Load(3, 5, hour_sigma=0.05, day_sigma=0.02, weekend_factor=1.0),
                prompts=Prompts(4100, 900),
                fleet=Fleet(lifetime_seconds=480),
                arrival="regular",
            ),
        ),
        truths=(
            SeriesTruth(GPT_4O_MINI, "sparse-traffic-retention", published="no-cached-tokens"),
        ),
    )


def level_shift() -> Story:
    """A prompt deploy puts changing text before most of the static part."""
    project, key = (
        Project("proj_invoicePar11", "invoice-parser"),
        ApiKey("key_invoiceParse", "parser prod"),
    )
    shipped = -days(3) - 10
    before = Workload(
        name="invoice-parser before",
        cells=(cell(project, key, GPT_5_4),),
        load=Load(140, 900, peak_utc_hour=10, weekend_factor=0.8),
        prompts=Prompts(4600, 1300),
        key="template",
        fleet=Fleet(spill_at_peak=3),
        stream="invoice-parser",
        ends=shipped,
    )
    after = replace(
        before,
        name="invoice-parser after",
        prompts=Prompts(2200, 3700),
        begins=shipped,
        ends=None,
    )
    return Story(
        name="level-shift",
        cause="a deploy moved the customer block before the rules: 2,200 shared tokens instead of 4,600",
        project=project,
        keys=(key,),
        workloads=(before, after),
        truths=(SeriesTruth(GPT_5_4, "level-shift-mid-window", published="healthy"),),
        markers=(Marker("prompt changed", shipped, "customer block moved above the rules"),),
    )


def breakpoint_repair() -> Story:
    """Implicit breakpoints behind changing text, then an explicit one after the static part."""
    project, key = (
        Project("proj_agentRuns12", "agent-runs"),
        ApiKey("key_agentRuns", "agent runner"),
    )
    before = Workload(
        name="agent-runs implicit",
        cells=(cell(project, key, TERRA)._replace(api_source="agents_api"),),
        load=Load(38, 900, peak_utc_hour=15),
        prompts=Prompts(5600, 2300, repeated_share=0.05, tail_sigma=0.3),
        rules=replace(EXACT_RULES, readable=frozenset({"whole"}), written_share=0.40),
        fleet=Fleet(lifetime_seconds=1800, spill_at_peak=3),
        stream="agent-runs",
        ends=BREAKPOINT_SHIPPED,
    )
    after = replace(
        before,
        name="agent-runs explicit",
        rules=replace(EXACT_RULES, readable=frozenset({"template"})),
        begins=BREAKPOINT_SHIPPED,
        ends=None,
    )
    return Story(
        name="breakpoint-repair",
        cause="until the repair every request wrote a prefix that ended inside changing text; "
        "an explicit breakpoint after the static part is read at every load",
        project=project,
        keys=(key,),
        workloads=(before, after),
        truths=(SeriesTruth(TERRA, "healthy", ("share-rises-with-load",), "healthy"),),
        markers=(
            Marker(
                "breakpoint or prefix changed",
                BREAKPOINT_SHIPPED,
                "breakpoint after the tool block",
            ),
        ),
    )


def writes_not_read() -> Story:
    """GPT-5.6 with a key per run: everything is written, next to nothing is read."""
    project, key = (
        Project("proj_codeReview13", "code-review"),
        ApiKey("key_codeReview", "review bot"),
    )
    return Story(
        name="writes-not-read",
        cause="the SDK sends a key per run; each run pays to write a prefix no other run can read",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="code-review",
                cells=(cell(project, key, LUNA),),
                load=Load(50, 450, peak_utc_hour=14),
                prompts=Prompts(3800, 1900, repeated_share=0.0),
                key="request",
                rules=EXACT_RULES,
            ),
        ),
        truths=(SeriesTruth(LUNA, "no-cached-tokens", ("flat-low-share",), "no-cached-tokens"),),
    )


def model_change() -> Story:
    """The same traffic moves to a newer model three days before the anchor."""
    project, key = (
        Project("proj_salesAssi14", "sales-assistant"),
        ApiKey("key_salesAssist", "assistant prod"),
    )
    moved = -days(3) + 3
    old = Workload(
        name="sales-assistant on gpt-5.1",
        cells=(cell(project, key, GPT_5_1),),
        load=Load(110, 800, peak_utc_hour=14),
        prompts=Prompts(4200, 1100),
        key="template",
        fleet=Fleet(spill_at_peak=3),
        stream="sales-assistant",
        ends=moved,
    )
    new = replace(
        old,
        name="sales-assistant on gpt-5.4",
        cells=(cell(project, key, GPT_5_4),),
        begins=moved,
        ends=None,
    )
    return Story(
        name="model-change",
        cause="gpt-5.1 was replaced by gpt-5.4; one series ends where the other begins",
        project=project,
        keys=(key,),
        workloads=(old, new),
        truths=(
            SeriesTruth(GPT_5_1, "healthy", ("level-shift-mid-window",), "healthy"),
            SeriesTruth(GPT_5_4, "healthy", ("level-shift-mid-window",), "healthy"),
        ),
        markers=(Marker("model changed", moved, "gpt-5.1 to gpt-5.4"),),
    )


def stories() -> tuple[Story, ...]:
    """All of this file's stories."""
    return (
        unstable_prefix(),
        below_the_floor(),
        sparse_traffic(),
        level_shift(),
        breakpoint_repair(),
        writes_not_read(),
        model_change(),
    )
