"""Which hours of a source are read, settled, open or missing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from django.db import connection
from django.db.models import Count

from ingest.models import BucketRevision, Source, SourceHour

_EPOCH = datetime.fromtimestamp(0, UTC)
_HOUR = timedelta(hours=1)

_COMPLETE_TO = """
SELECT source.id, newest.hour + 1 FROM ingest_source source
CROSS JOIN LATERAL (
    SELECT read.hour FROM ingest_sourcehour read
    WHERE read.source_id = source.id AND read.fetched_at <= %s
        AND extract(epoch FROM read.fetched_at)
            > (read.hour + 1) * 3600::bigint + source.settle_minutes * 60
    ORDER BY read.hour DESC LIMIT 1
) newest
WHERE source.id = ANY(%s)
"""


class State(StrEnum):
    """How an hour of a source stands."""

    COMPLETE = "complete"
    SETTLING = "settling"  # last read before it was settled
    OPEN = "open"  # not over yet
    MISSING = "missing"  # over, never read whole


class HourState(NamedTuple):
    """One hour of a source: its state, and how many revisions it has had."""

    hour: int
    state: State
    revisions: int


def first_unsettled_hour(now: datetime, settle_minutes: int) -> int:
    """The hour from which on nothing is settled at `now`.

    An hour is settled when it ended more than the settle time ago, to the microsecond.
    """
    limit = now - timedelta(minutes=settle_minutes)
    hours_begun = -((_EPOCH - limit) // _HOUR)  # rounded up
    return hours_begun - 1


def settled_when_read(hour: int, fetched_at: datetime, settle_minutes: int) -> bool:
    """Whether an hour was settled when it was last read: only then are its values relied on."""
    return hour < first_unsettled_hour(fetched_at, settle_minutes)


def hour_states(source: Source, start_hour: int, end_hour: int, now: datetime) -> list[HourState]:
    """Every hour of [start_hour, end_hour), oldest first."""
    read = dict(
        SourceHour.objects.filter(
            source=source, hour__gte=start_hour, hour__lt=end_hour
        ).values_list("hour", "fetched_at")
    )
    revisions = _revisions(source, start_hour, end_hour)
    current = int(now.timestamp()) // 3600
    return [
        HourState(hour, _state(hour, current, read.get(hour), source), revisions.get(hour, 0))
        for hour in range(start_hour, end_hour)
    ]


def complete_to(source_ids: Iterable[int], *, now: datetime) -> dict[int, int]:
    """Source id -> the end of its newest hour that was read whole, by `now`, after it settled.

    Exclusive: everything of the hours before it counts, though older ones may be missing. Sources
    without such an hour are absent.
    """
    with connection.cursor() as cursor:
        cursor.execute(_COMPLETE_TO, [now, list(source_ids)])
        return dict(cursor.fetchall())


def missing_hours(source: Source, start_hour: int, end_hour: int) -> list[int]:
    """The hours of [start_hour, end_hour) that were never read whole, ascending."""
    read = set(
        SourceHour.objects.filter(
            source=source, hour__gte=start_hour, hour__lt=end_hour
        ).values_list("hour", flat=True)
    )
    return [hour for hour in range(start_hour, end_hour) if hour not in read]


def _state(hour: int, current: int, fetched_at: datetime | None, source: Source) -> State:
    if hour >= current:
        return State.OPEN
    if fetched_at is None:
        return State.MISSING
    settled = settled_when_read(hour, fetched_at, source.settle_minutes)
    return State.COMPLETE if settled else State.SETTLING


def _revisions(source: Source, start_hour: int, end_hour: int) -> dict[int, int]:
    found = BucketRevision.objects.filter(
        series__source=source, hour__gte=start_hour, hour__lt=end_hour
    )
    return dict(found.order_by().values("hour").annotate(n=Count("pk")).values_list("hour", "n"))
