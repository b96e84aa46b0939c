"""Pushed requests into hours: counted whole from their rows, and frozen when those are deleted.

Level-triggered: what is to be counted is found by looking, so that a run that was killed, or never
came, is made up for by the next one. What was written counts as of the latest moment that a push
told of, as a provider's answer counts as of when it was fetched: an hour is settled once a request
came whose time is later than its end and the settle time. Nobody can tell a gateway that was down
from one that had nothing to tell, so an hour without a row is idle once a later one has come, but
unknown where the gap is longer than queries.pushed.MOST_IDLE_HOURS.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F

from ingest import queries
from ingest.models import PushedHour, Source
from ingest.normalise import HourlyUsage
from ingest.services.locks import source_lock
from ingest.services.push_runs import run_of_pushes
from ingest.services.pushed_rows import RETENTION_HOURS
from ingest.store import store_usage
from ingest.store.pushed import delete_some_requests

GROUPING = ("service_tier",)
HOURS_AT_ONCE = 168
ROWS_AT_ONCE = 20_000


def count_pushed(source: Source, *, now: datetime) -> int:
    """Bring the buckets of a source in line with its pushed requests. Returns how many hours it took.

    Safe to run twice and to be killed midway. Raises SourceBusy where another process is at it.
    """
    with source_lock(source):
        told_to = queries.told_to(source)
        if told_to is None:
            return 0
        versions = queries.versions_to_count(source)
        settled = queries.hours_that_settled(source, told_to)
        hours = sorted({*versions, *settled}, reverse=True)
        for start in range(0, len(hours), HOURS_AT_ONCE):
            some = sorted(hours[start : start + HOURS_AT_ONCE])
            _count(source, some, told_to=told_to, now=now)
            _mark_counted(source, {hour: versions[hour] for hour in some if hour in versions})
    return len(hours)


def forget_old_requests(source: Source, *, now: datetime) -> int:
    """Freeze hours that are over for longer than the retention, and delete their rows.

    Hours that are still to be counted wait. That an hour is frozen is forgotten after another
    retention: its late rows are rejected for their age alone, and by then no clock that was set right
    makes them younger. Returns how many rows were deleted. Safe to run twice and to be killed
    midway. Raises SourceBusy where another process counts.
    """
    end_hour = int(now.timestamp()) // 3600 - RETENTION_HOURS
    with source_lock(source):
        old = PushedHour.objects.filter(source=source, hour__lt=end_hour)
        old.filter(frozen_at=None, rows_version=F("counted_version")).update(frozen_at=now)
        frozen = queries.frozen_hours_with_rows(source, end_hour)
        deleted = _delete(source, frozen) if frozen else 0
        old.filter(hour__lt=end_hour - RETENTION_HOURS).exclude(frozen_at=None).delete()
    return deleted


def _delete(source: Source, hours: Sequence[int]) -> int:
    deleted = 0
    while some := delete_some_requests(source.pk, hours, ROWS_AT_ONCE):
        deleted += some
    return deleted


def _count(source: Source, hours: Sequence[int], *, told_to: datetime, now: datetime) -> None:
    usage = HourlyUsage(
        rows=list(queries.usage_of_hours(source, hours)),
        covered_hours=list(hours),
        clipped_hours=[],
        rejects=[],
    )
    run = run_of_pushes(source, hours, now)
    as_of = min(told_to, now)
    store_usage(source, usage, run=run, grouping=GROUPING, now=now, read_as_of=as_of)


def _mark_counted(source: Source, versions: dict[int, int]) -> None:
    """Rows that came since raise the version: their hour is counted again."""
    for hour, version in versions.items():
        PushedHour.objects.filter(source=source, hour=hour).update(counted_version=version)
