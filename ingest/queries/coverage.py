"""Which hours of a source are read, settled, open or missing."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.db.models import Count

from ingest.models import BucketRevision, Source, SourceHour


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

    An hour is settled when it ended more than the settle time ago.
    """
    # The last hour whose end lies strictly before now - settle time, plus one.
    limit_s = int(now.timestamp()) - settle_minutes * 60
    return (limit_s - 1) // 3600


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


def complete_to_hour(source: Source) -> int | None:
    """The end of the newest hour that was read whole after it settled; None before the first one.

    Exclusive: everything of the hour before it counts. Older hours may still be missing.
    """
    newest = SourceHour.objects.filter(source=source).order_by("-hour")
    for hour, fetched_at in newest.values_list("hour", "fetched_at").iterator(chunk_size=100):
        if settled_when_read(hour, fetched_at, source.settle_minutes):
            return hour + 1
    return None


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
