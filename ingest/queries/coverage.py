"""Which hours of a source are read, settled, open or missing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.db import connection
from django.db.models import Count, Min

from ingest.models import BucketRevision, Source, SourceHour
from ingest.queries.pushed import awaited_hours
from ingest.queries.unplaced import IS_UNPLACED, partly_read
from ingest.settling import settled_when_read

# Partly read hours are looked for only above the newest whole one: few, where a source reads well.
_COMPLETE_TO = f"""
SELECT source.id, COALESCE(partly.hour, whole.hour) + 1 FROM ingest_source source
LEFT JOIN LATERAL (
    SELECT read.hour FROM ingest_sourcehour read
    WHERE read.source_id = source.id AND read.fetched_at <= %(now)s
        AND extract(epoch FROM read.fetched_at)
            > (read.hour + 1) * 3600::bigint + source.settle_minutes * 60
    ORDER BY read.hour DESC LIMIT 1
) whole ON true
LEFT JOIN LATERAL (
    SELECT reject.hour FROM ingest_reject reject
    WHERE reject.source_id = source.id AND reject.hour > COALESCE(whole.hour, -1)
        AND {IS_UNPLACED} AND reject.last_seen_at <= %(now)s
        AND extract(epoch FROM reject.last_seen_at)
            > (reject.hour + 1) * 3600::bigint + source.settle_minutes * 60
    ORDER BY reject.hour DESC LIMIT 1
) partly ON true
WHERE source.id = ANY(%(sources)s) AND COALESCE(partly.hour, whole.hour) IS NOT NULL
"""  # noqa: S608 -- built from our own names
_LAST_READ = f"""
SELECT GREATEST(
    (SELECT max(hour) FROM ingest_sourcehour
     WHERE source_id = %(source)s AND hour < %(end_hour)s),
    (SELECT max(hour) FROM ingest_reject reject
     WHERE source_id = %(source)s AND hour < %(end_hour)s AND {IS_UNPLACED})
)
"""  # noqa: S608 -- built from our own names


class State(StrEnum):
    """How an hour of a source stands."""

    COMPLETE = "complete"
    PARTLY = "partly"  # read when settled, but for a row that could not be placed
    SETTLING = "settling"  # last read before it was settled, or pushes may still tell of it
    OPEN = "open"  # not over yet
    MISSING = "missing"  # over, never read whole; nor told of, in more than a day of silence


class HourState(NamedTuple):
    """One hour of a source: its state, and how many revisions it has had."""

    hour: int
    state: State
    revisions: int


def hour_states(source: Source, start_hour: int, end_hour: int, now: datetime) -> list[HourState]:
    """Every hour of [start_hour, end_hour), oldest first."""
    read = dict(
        SourceHour.objects.filter(
            source=source, hour__gte=start_hour, hour__lt=end_hour
        ).values_list("hour", "fetched_at")
    )
    found = partly_read([source.pk], start_hour, end_hour).get(source.pk)
    partly = dict(found.is_settled) if found else {}
    current = int(now.timestamp()) // 3600
    partly |= dict.fromkeys(awaited_hours(source, start_hour, current), False)
    revisions = _revisions(source, start_hour, end_hour)
    return [
        HourState(
            hour,
            State.OPEN
            if hour >= current
            else _state(hour, read.get(hour), partly.get(hour), source.settle_minutes),
            revisions.get(hour, 0),
        )
        for hour in range(start_hour, end_hour)
    ]


def complete_to(source_ids: Iterable[int], *, now: datetime) -> dict[int, int]:
    """Source id -> the end of its newest hour that was read, by `now`, after it settled.

    Exclusive: everything of the hours before it counts, though older ones may be missing. An hour
    in which a row could not be placed counts as read. Sources without such an hour are absent.
    """
    with connection.cursor() as cursor:
        cursor.execute(_COMPLETE_TO, {"now": now, "sources": list(source_ids)})
        return dict(cursor.fetchall())


def last_read_hour(source: Source, end_hour: int) -> int | None:
    """The newest hour before `end_hour` that was read, whole or but for a row without a place."""
    with connection.cursor() as cursor:
        cursor.execute(_LAST_READ, {"source": source.pk, "end_hour": end_hour})
        newest: int | None = cursor.fetchone()[0]
    return newest


def first_told_hour(source: Source) -> int | None:
    """The oldest hour of a source that was read, or counted from pushes, whole; None where there is none."""
    found: int | None = SourceHour.objects.filter(source=source).aggregate(n=Min("hour"))["n"]
    return found


def missing_hours(source: Source, start_hour: int, end_hour: int) -> list[int]:
    """The hours of [start_hour, end_hour) that were never read whole, ascending."""
    read = set(
        SourceHour.objects.filter(
            source=source, hour__gte=start_hour, hour__lt=end_hour
        ).values_list("hour", flat=True)
    )
    return [hour for hour in range(start_hour, end_hour) if hour not in read]


def _state(
    hour: int, fetched_at: datetime | None, settled_in_part: bool | None, settle_minutes: int
) -> State:
    """Of an hour that is over: when it was read whole, and how it stood when read in part."""
    if fetched_at and settled_when_read(hour, fetched_at, settle_minutes):
        return State.COMPLETE
    if settled_in_part:
        return State.PARTLY
    return State.MISSING if fetched_at is None and settled_in_part is None else State.SETTLING


def _revisions(source: Source, start_hour: int, end_hour: int) -> dict[int, int]:
    found = BucketRevision.objects.filter(
        series__source=source, hour__gte=start_hour, hour__lt=end_hour
    )
    return dict(found.order_by().values("hour").annotate(n=Count("pk")).values_list("hour", "n"))
