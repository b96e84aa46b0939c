"""Reads that somebody asks for by hand: one per source waits or runs at a time."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from django.core.cache import cache

from ingest.models import IngestRun, Source

# Longer than a request waits behind a backfill. One that nobody took by then may be made again: give
# its task this time to expire, so that never two wait.
REQUEST_LAPSES_S = 900
_LATER_THAN_ITS_TASK_S = 10
_Kind = IngestRun.Kind


class ReadRequest(StrEnum):
    """What became of a read that was asked for by hand."""

    QUEUED = "queued"
    WAITING = "waiting"
    RUNNING = "running"


def request_read(source: Source, *, now: datetime, longest_read: timedelta) -> ReadRequest:
    """Ask for one read; a second one, while it waits or the source is read, would find nothing new.

    Hand a QUEUED one to a worker, to expire after REQUEST_LAPSES_S, or call forget_request where
    that cannot be done. A worker ends a read after `longest_read`; an older one that is still
    "running" was killed.
    """
    running = IngestRun.objects.filter(
        source=source,
        status=IngestRun.Status.RUNNING,
        kind__in=(_Kind.MANUAL, _Kind.HOURLY),
        started_at__gt=now - longest_read,
    )
    if running.exists():
        return ReadRequest.RUNNING
    lasts_s = REQUEST_LAPSES_S + _LATER_THAN_ITS_TASK_S
    asked = cache.add(_key(source), True, timeout=lasts_s)
    return ReadRequest.QUEUED if asked else ReadRequest.WAITING


def forget_request(source: Source) -> None:
    """Let the next read be asked for: this one begins, or nobody could be told of it."""
    cache.delete(_key(source))


def _key(source: Source) -> str:
    return f"read-asked-for-{source.pk}"
