"""Celery's door to the services: thin, safe to run twice or to be killed midway."""

from __future__ import annotations

from contextlib import suppress

from celery import shared_task
from django.utils import timezone

from ingest import queries, services
from ingest.models import IngestRun

# Of the worker: its pool processes are forked from it.
_STARTED_AT = timezone.now()
# What beat asks for again and again loses its point when no worker was there to do it; it must not
# pile up. A week or a removal that is lost so is picked up by resume_backfills.
_EXPIRES_S = 120
_HOURLY_EXPIRES_S = 3_000
_BUSY = (services.SourceBusy,)
_BUSY_RETRY_S = 60
# An hourly read that comes between two weeks takes seconds.
_NEXT_WEEK_RETRY_S = 3


@shared_task(
    name="ingest.refresh_sources", time_limit=60, soft_time_limit=50, expires=_HOURLY_EXPIRES_S
)
def refresh_sources() -> None:
    """Ask for one hourly read per source."""
    for source in queries.sources_to_read():
        refresh_source.delay(source.pk)


@shared_task(
    name="ingest.refresh_source",
    expires=_HOURLY_EXPIRES_S,
    time_limit=900,
    soft_time_limit=840,
    autoretry_for=_BUSY,
    default_retry_delay=_BUSY_RETRY_S,
    max_retries=5,
)
def refresh_source(source_id: int, by_hand: bool = False) -> None:
    """Read the trailing hours of one source, and its names once a day."""
    source = queries.source_by_id(source_id)
    if source is None:
        return
    kind = IngestRun.Kind.MANUAL if by_hand else IngestRun.Kind.HOURLY
    reading = services.refresh_source(source, now=timezone.now(), kind=kind, started_at=_STARTED_AT)
    read = reading is not None and reading.error is None
    if read and services.names_due(source, now=timezone.now()):
        read_names.delay(source_id)


@shared_task(name="ingest.resume_backfills", time_limit=60, soft_time_limit=50, expires=_EXPIRES_S)
def resume_backfills() -> None:
    """Pick up weeks and removals that are due, those a crash dropped too."""
    for week in services.due_weeks(now=timezone.now(), started_at=_STARTED_AT):
        backfill_week.delay(week.pk)
    for source in queries.removed_sources():
        if services.recover(source, now=timezone.now()):
            delete_removed_source.delay(source.pk)


@shared_task(
    name="ingest.backfill_week",
    time_limit=900,
    soft_time_limit=840,
    autoretry_for=_BUSY,
    default_retry_delay=_NEXT_WEEK_RETRY_S,
    max_retries=100,
)
def backfill_week(week_id: int) -> None:
    """Read one week, then ask for the next one of the same source."""
    week = queries.week_by_id(week_id)
    if week is None:
        return
    reading = services.backfill_week(week, now=timezone.now(), started_at=_STARTED_AT)
    following = services.next_week(week.source, now=timezone.now())
    if following is not None and reading is not None and reading.error is None:
        backfill_week.delay(following.pk)


@shared_task(name="ingest.probe_source", time_limit=120, soft_time_limit=100)
def probe_source(source_id: int) -> None:
    """Ask what the source's key may read."""
    source = queries.source_by_id(source_id)
    if source is not None:
        services.probe_source(source, now=timezone.now())


@shared_task(name="ingest.read_names", time_limit=600, soft_time_limit=540)
def read_names(source_id: int) -> None:
    """Read the names of projects and API keys."""
    source = queries.source_by_id(source_id)
    if source is not None:
        services.read_names(source, now=timezone.now())


@shared_task(name="ingest.read_minutes", expires=_EXPIRES_S, time_limit=300, soft_time_limit=280)
def read_minutes(source_id: int) -> None:
    """Read the days of minutes of a source that wait; where another run reads it, beat asks again."""
    source = queries.source_by_id(source_id)
    if source is not None:
        with suppress(services.SourceBusy):
            services.read_waiting_minutes(source, now=timezone.now())


@shared_task(name="ingest.count_pushed", expires=_EXPIRES_S, time_limit=60, soft_time_limit=50)
def count_pushed() -> None:
    """Ask for the pushed requests of each source that takes them."""
    for source in queries.request_sources():
        count_pushed_source.delay(source.pk)


@shared_task(name="ingest.count_pushed_source", expires=_EXPIRES_S)
def count_pushed_source(source_id: int) -> None:
    """Count a source's pushed requests into hours, and forget old ones; beat asks again if it is busy."""
    source = queries.source_by_id(source_id)
    if source is not None:
        with suppress(services.SourceBusy):
            services.count_pushed(source, now=timezone.now())
            services.forget_old_requests(source, now=timezone.now())


@shared_task(
    name="ingest.remove_source",
    time_limit=900,
    soft_time_limit=840,
    autoretry_for=_BUSY,
    default_retry_delay=_BUSY_RETRY_S,
    max_retries=5,
)
def delete_removed_source(source_id: int) -> None:
    """Delete what is stored of a removed source; nothing to do where that is done."""
    for source in queries.removed_sources().filter(pk=source_id):
        services.delete_removed_source(source)
