"""Stories about what is mixed, missing, late or odd in the reported numbers."""

from __future__ import annotations

from ingest.simulator.load import Load, Openings
from ingest.simulator.story import ApiKey, Marker, Project, SeriesTruth, Story, cell, days
from ingest.simulator.workload import Fleet, Prompts, Revision, Workload

GPT_5_4 = "gpt-5.4-2026-03-05"
GPT_5_4_MINI = "gpt-5.4-mini-2026-03-17"
GPT_5_5 = "gpt-5.5-2026-04-23"
GPT_5_2 = "gpt-5.2-2025-12-11"
GPT_4_1 = "gpt-4.1-2025-04-14"

WARM = Fleet(spill_at_peak=3)


def two_templates() -> Story:
    """A well-cached job runs at all hours, users with unshareable prompts come by day."""
    project = Project("proj_knowledge15", "knowledge-base")
    job, users = (
        ApiKey("key_kbReindex", "re-index job"),
        ApiKey("key_kbUsers", "user questions", "user_noraLindqvist", "inactive"),
    )
    return Story(
        name="two-templates",
        cause="a constant job caches 80 %, the users' template next to nothing; users make the day",
        project=project,
        keys=(job, users),
        workloads=(
            Workload(
                name="knowledge-base job",
                cells=(cell(project, job, GPT_5_4),),
                load=Load(320, 330, weekend_factor=1.0, hour_sigma=0.08),
                prompts=Prompts(5200, 1000),
                key="template",
                fleet=WARM,
            ),
            Workload(
                name="knowledge-base users",
                cells=(cell(project, users, GPT_5_4),),
                load=Load(25, 1900, peak_utc_hour=13),
                prompts=Prompts(640, 5400, repeated_share=0.05),
                fleet=WARM,
            ),
        ),
        truths=(SeriesTruth(GPT_5_4, "mix-shift", published="load-correlated-misses"),),
    )


def longer_documents() -> Story:
    """Prompts grow by day; what is cached of each stays the same."""
    project, key = (
        Project("proj_caseSummar16", "case-summary"),
        ApiKey("key_caseSummary", "summary prod", "user_amaraOkafor"),
    )
    return Story(
        name="longer-documents",
        cause="documents are four times as long at the peak; cached tokens per request do not change",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="case-summary",
                cells=(cell(project, key, GPT_5_4_MINI),),
                load=Load(80, 1000, peak_utc_hour=14),
                prompts=Prompts(3000, 1200, tail_at_peak=5.0),
                key="template",
                fleet=WARM,
            ),
        ),
        truths=(SeriesTruth(GPT_5_4_MINI, "mix-shift", published="load-correlated-misses"),),
    )


def late_revision() -> Story:
    """Some closed hours lack part of their requests until three hours later."""
    project, key = (
        Project("proj_billingAss17", "billing-assistant"),
        ApiKey("key_billingAssi", "billing prod", "user_jonasWeber"),
    )
    return Story(
        name="late-revision",
        cause="every fifth hour is restated three hours after its end, when late usage lands",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="billing-assistant",
                cells=(cell(project, key, GPT_5_5),),
                load=Load(100, 700, peak_utc_hour=12),
                prompts=Prompts(4300, 1200),
                key="template",
                fleet=WARM,
                revision=Revision(every=5, delay_hours=3.0, late_share=0.12),
            ),
        ),
        truths=(SeriesTruth(GPT_5_5, "healthy", published="healthy"),),
    )


def uncounted_requests() -> Story:
    """Every seventh hour brings tokens whose requests are not counted."""
    project, key = (
        Project("proj_voiceNotes18", "voice-notes"),
        ApiKey("key_voiceNotes", "transcript cleaner"),
    )
    return Story(
        name="tokens-without-requests",
        cause="every seventh hour reports tokens with num_model_requests 0",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="voice-notes",
                cells=(cell(project, key, GPT_5_4_MINI),),
                load=Load(90, 500, peak_utc_hour=17, weekend_factor=0.9),
                prompts=Prompts(2600, 900),
                key="template",
                fleet=WARM,
                uncounted_every=7,
            ),
        ),
        truths=(SeriesTruth(GPT_5_4_MINI, "healthy", published="healthy"),),
    )


def no_project() -> Story:
    """Traffic of old user keys that belongs to no project."""
    return Story(
        name="null-project",
        cause="requests of an old user key come without a project",
        project=None,
        keys=(),
        workloads=(
            Workload(
                name="no project",
                cells=(cell(None, None, GPT_4_1)._replace(user_id="user_ottoHansen"),),
                load=Load(30, 160, peak_utc_hour=9),
                prompts=Prompts(2300, 1500),
                fleet=WARM,
            ),
        ),
        truths=(SeriesTruth(GPT_4_1, "healthy", published="healthy"),),
    )


def batch_jobs() -> Story:
    """Synchronous calls all day, a batch of evaluations in the early morning."""
    project = Project("proj_evalSuite19", "eval-suite")
    sync, batch = (
        ApiKey("key_evalSync", "spot checks", "user_meiTanaka"),
        ApiKey("key_evalBatch", "batch runner"),
    )
    return Story(
        name="batch-jobs",
        cause="a nightly batch beside synchronous calls; each caches well by itself",
        project=project,
        keys=(sync, batch),
        workloads=(
            Workload(
                name="eval-suite sync",
                cells=(cell(project, sync, GPT_5_2), cell(project, sync, GPT_5_2, tier="priority")),
                load=Load(60, 420, peak_utc_hour=15),
                prompts=Prompts(3100, 900),
                key="template",
                fleet=WARM,
            ),
            Workload(
                name="eval-suite batch",
                cells=(cell(project, batch, GPT_5_2, batch=True),),
                load=Load(900, 1000, openings=Openings(24, 4, 2), weekend_factor=1.0),
                prompts=Prompts(3100, 1000),
                key="template",
                fleet=WARM,
            ),
        ),
        truths=(SeriesTruth(GPT_5_2, "healthy", published="healthy"),),
    )


def steady_queue() -> Story:
    """A queue worker that runs at one speed."""
    project, key = (
        Project("proj_queueLabel20", "queue-labeler"),
        ApiKey("key_queueLabel", "labeling queue"),
    )
    return Story(
        name="steady-queue",
        cause="a queue drained at constant speed: nothing can be said about load",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="queue-labeler",
                cells=(cell(project, key, GPT_4_1),),
                load=Load(240, 240, weekend_factor=1.0, hour_sigma=0.0, day_sigma=0.0),
                prompts=Prompts(2900, 1400),
                key="template",
                fleet=WARM,
                arrival="regular",
            ),
        ),
        truths=(SeriesTruth(GPT_4_1, "load-does-not-vary", published="load-does-not-vary"),),
    )


def archived_project() -> Story:
    """A project that was switched off three weeks before the anchor."""
    off = -days(21)
    project, key = (
        Project("proj_legacyCht21", "legacy-chat", archived_at=off),
        ApiKey("key_legacyChat", "legacy chat"),
    )
    return Story(
        name="archived-project",
        cause="switched off and archived; its name is listed only with include_archived",
        project=project,
        keys=(key,),
        workloads=(
            Workload(
                name="legacy-chat",
                cells=(cell(project, key, GPT_4_1),),
                load=Load(40, 300),
                prompts=Prompts(1900, 1100),
                fleet=WARM,
                ends=off,
            ),
        ),
        truths=(),
        markers=(Marker("other", off, "service switched off"),),
    )


def stories() -> tuple[Story, ...]:
    """All of this file's stories."""
    return (
        two_templates(),
        longer_documents(),
        late_revision(),
        uncounted_requests(),
        no_project(),
        batch_jobs(),
        steady_queue(),
        archived_project(),
    )
