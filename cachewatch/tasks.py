"""Where Celery looks for tasks: thin doors to the services. The clock is read here."""

from __future__ import annotations

from celery import Task, shared_task, signals
from django.utils import timezone

from cachewatch.evidence import services as evidence
from cachewatch.evidence.spool import uploads_folder
from cachewatch.rollouts.services import measure_due, propose_new_models
from cachewatch.verdicts import services
from cachewatch.verdicts.minutes import ask_for_accused
from cachewatch.verdicts.shards import Shard, shards_of
from cachewatch.worklist.services import follow_verdicts
from ingest import tasks as ingest_tasks
from ingest.queries import queued_minutes, source_by_id, sources_to_read, visible_sources
from ingest.services import forget_old_minutes

# Beat asks again every minute, so what waited longer has lost its point.
_EXPIRES_S = 120
# Less than a minute of work; beat asks for the rest.
READOUTS_A_RUN = 15


@shared_task(
    name="cachewatch.classify_stale", expires=_EXPIRES_S, time_limit=60, soft_time_limit=50
)
def classify_stale(fill: bool = False) -> None:
    """Ask for one classification per source; of large ones, per part.

    `fill`: also where nothing is stale, look for past days that lack a verdict.
    """
    for source in visible_sources():
        for shard in shards_of(source):
            classify_part.delay(source.pk, *shard, fill=fill)


@signals.task_success.connect
def _classify_after_first_weeks(
    sender: Task[..., object] | None = None, **_options: object
) -> None:
    """A new source need not wait for beat's minute once its first week is read."""
    if sender is not None and sender.name == ingest_tasks.backfill_week.name:
        classify_unjudged.delay()


@shared_task(
    name="cachewatch.classify_unjudged", expires=_EXPIRES_S, time_limit=60, soft_time_limit=50
)
def classify_unjudged() -> None:
    """Ask for the classification of sources that have no verdict yet."""
    for source in services.without_verdicts(visible_sources()):
        for shard in shards_of(source):
            classify_part.delay(source.pk, *shard, fill=False)


@shared_task(name="cachewatch.classify_part", expires=_EXPIRES_S)
def classify_part(source_id: int, number: int, of: int, fill: bool = False) -> None:
    """Classify a part of one source, unless another process is at it; go on with its past days."""
    source = source_by_id(source_id)
    if source is None:
        return
    written = services.classify_part(source, Shard(number, of), now=timezone.now(), fill=fill)
    if written is not None and written.stale > 0:
        follow_source_findings.delay(source_id)
    if written is not None and written.past > 0:
        classify_part.delay(source_id, number, of, fill=True)


@shared_task(
    name="cachewatch.follow_findings", expires=_EXPIRES_S, time_limit=60, soft_time_limit=50
)
def follow_findings() -> None:
    """Ask for the findings of each source: acceptances expire and repairs ship without a verdict."""
    for source in visible_sources():
        follow_source_findings.delay(source.pk)


@shared_task(name="cachewatch.follow_source_findings", expires=_EXPIRES_S)
def follow_source_findings(source_id: int) -> None:
    """Bring the findings of one source in line with its verdicts and repair markers."""
    source = source_by_id(source_id)
    if source is not None:
        follow_verdicts(source, now=timezone.now())


@shared_task(name="cachewatch.read_minutes", expires=_EXPIRES_S, time_limit=60, soft_time_limit=50)
def read_minutes() -> None:
    """Ask for the minutes of accused and doubtful series, and for those that still wait to be read."""
    now = timezone.now()
    forget_old_minutes(now=now)
    for source in sources_to_read():
        ask_for_accused(source, now=now)
    for source in visible_sources():  # of paused ones, what was asked for by hand
        if queued_minutes(source).exists():
            ingest_tasks.read_minutes.delay(source.pk)


@shared_task(
    name="cachewatch.measure_readouts", expires=_EXPIRES_S, time_limit=60, soft_time_limit=50
)
def measure_readouts() -> None:
    """Ask for the readouts of each source, and for what its data proposes as markers."""
    for source in visible_sources():
        measure_source_readouts.delay(source.pk)


@shared_task(name="cachewatch.measure_source_readouts", expires=_EXPIRES_S)
def measure_source_readouts(source_id: int) -> None:
    """Propose markers for new models, then measure some of the readouts that are due."""
    source = source_by_id(source_id)
    if source is None:
        return
    now = timezone.now()
    propose_new_models(source, now=now)
    measure_due(source, now=now, most=READOUTS_A_RUN)


@shared_task(name="cachewatch.tend_evidence", expires=_EXPIRES_S, time_limit=60, soft_time_limit=50)
def tend_evidence() -> None:
    """Redo imports whose process died, ask for waiting logs, delete uploads that nobody waits for."""
    evidence.recover_dead(now=timezone.now())
    if evidence.is_waiting():
        read_evidence.delay()
    evidence.sweep_uploads(uploads_folder())


# Below the broker's visibility timeout, and long enough for the largest upload.
@shared_task(
    name="cachewatch.read_evidence", expires=_EXPIRES_S, time_limit=3000, soft_time_limit=2900
)
def read_evidence() -> None:
    """Read the log that waits longest, unless one is being read; then ask for the next."""
    if evidence.read_waiting(uploads_folder(), clock=timezone.now):
        read_evidence.delay()
