"""Pushed requests: which hours are to be counted, and what their rows add up to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from django.db import connection
from django.db.models import F, QuerySet

from ingest.models import PushedHour, PushedRequest, Source, SourceHour
from ingest.normalise import UsageRow
from ingest.settling import first_unsettled_hour

# A sum with a part that is not reported is not reported.
_SUM = "CASE WHEN count(*) = count({0}) THEN sum({0})::bigint END"
_ADDED_UP = f"""
SELECT hour, project_id, model, service_tier, count(*), {_SUM.format("input_tokens")},
    {_SUM.format("cached_tokens")}, {_SUM.format("cache_write_tokens")},
    {_SUM.format("output_tokens")}
FROM ingest_pushedrequest
WHERE source_id = %s AND hour = ANY(%s) AND left_out = ''
GROUP BY hour, project_id, model, service_tier
ORDER BY hour
"""  # noqa: S608 -- built from our own names
_LATEST_HOURS = 3
# Hours without a row between two hours that were told of: idle where they are at most this many, as
# of a night; where they are more, a row with a wrong clock is as likely as a weekend, so they stay
# unread.
MOST_IDLE_HOURS = 24
# The hours that were told of, and those between two of them, that were not read when settled.
_NOT_SETTLED = """
SELECT hour.hour FROM (
    SELECT hour, lead(hour) OVER (ORDER BY hour) AS next_hour, frozen_at
    FROM ingest_pushedhour WHERE source_id = %(source)s
) pushed
CROSS JOIN LATERAL generate_series(pushed.hour, CASE
    WHEN pushed.next_hour - pushed.hour - 1 <= %(most_idle)s THEN pushed.next_hour - 1
    ELSE pushed.hour
END) AS hour (hour)
LEFT JOIN ingest_sourcehour read ON read.source_id = %(source)s AND read.hour = hour.hour
WHERE hour.hour < %(end)s AND (pushed.frozen_at IS NULL OR pushed.hour <> hour.hour) AND (
    read.hour IS NULL
    OR extract(epoch FROM read.fetched_at) <= (hour.hour + 1) * 3600::bigint + %(settle_s)s
)
"""


def request_sources() -> QuerySet[Source]:
    """Sources that requests are pushed to, paused ones too: what they took is counted."""
    return Source.objects.filter(kind=Source.Kind.REQUESTS, removed_at=None).order_by("pk")


def told_to(source: Source) -> datetime | None:
    """Up to when the pushes of a source have told what there was; None where nothing came yet."""
    # The clock of a gateway may be ahead: the newest hour need not hold the newest moment.
    newest = PushedHour.objects.filter(source=source).order_by("-hour")[:_LATEST_HOURS]
    return max((hour.newest_at for hour in newest), default=None)


def versions_to_count(source: Source) -> dict[int, int]:
    """Hour -> version of its rows, of the hours whose rows changed since they were counted."""
    changed = PushedHour.objects.filter(source=source, frozen_at=None).exclude(
        rows_version=F("counted_version")
    )
    return dict(changed.order_by("hour").values_list("hour", "rows_version"))


def hours_that_settled(source: Source, told_to: datetime) -> list[int]:
    """The hours, ascending, that are settled as of `told_to` and were not when last counted.

    Those without a row are among them where at most MOST_IDLE_HOURS lie between two hours that were
    told of: the later one says that nothing was pushed of them.
    """
    end = first_unsettled_hour(told_to, source.settle_minutes)
    values = {"source": source.pk, "end": end, "settle_s": source.settle_minutes * 60}
    values["most_idle"] = MOST_IDLE_HOURS
    with connection.cursor() as cursor:
        cursor.execute(_NOT_SETTLED, values)
        return sorted(row[0] for row in cursor.fetchall())


def awaited_hours(source: Source, start_hour: int, current_hour: int) -> list[int]:
    """The hours from `start_hour` on that pushes told of, and those that they may still tell of.

    None of them failed to be read. The latter lie after an hour that was told of, before the next
    one or the current one, and are at most MOST_IDLE_HOURS: nothing but time has to pass until
    requests are counted, or known not to have come. A longer gap is unknown for good, as is one
    between two hours of a source that hours are pushed to. Of other sources there are none.
    """
    told_of = sorted(_told_of(source, start_hour, current_hour))
    awaited = set(told_of)
    for hour, next_hour in pairwise([*told_of, current_hour]):
        if next_hour - hour - 1 <= MOST_IDLE_HOURS:
            awaited.update(range(hour, next_hour))
    return sorted(hour for hour in awaited if hour >= start_hour)


def _told_of(source: Source, start_hour: int, end_hour: int) -> list[int]:
    """Hours before `end_hour` that pushes told of, with those that a gap before `start_hour` begins at."""
    if source.kind == Source.Kind.REQUESTS:
        found = PushedHour.objects.filter(source=source, hour__lt=end_hour)
        first = start_hour - MOST_IDLE_HOURS - 1
        return list(found.filter(hour__gte=first).values_list("hour", flat=True))
    if source.kind == Source.Kind.BUCKETS:
        sent = SourceHour.objects.filter(source=source, hour__lt=end_hour)
        return list(sent.order_by("-hour").values_list("hour", flat=True)[:1])
    return []


def frozen_hours_with_rows(source: Source, end_hour: int) -> list[int]:
    """Frozen hours before `end_hour` whose rows are still stored."""
    rows = PushedRequest.objects.filter(source=source, hour__lt=end_hour).values("hour").distinct()
    frozen = PushedHour.objects.filter(source=source, hour__in=rows).exclude(frozen_at=None)
    return list(frozen.order_by("hour").values_list("hour", flat=True))


def usage_of_hours(source: Source, hours: Sequence[int]) -> Iterator[UsageRow]:
    """What the stored requests of these hours add up to, by project, model and service tier."""
    with connection.cursor() as cursor:
        cursor.execute(_ADDED_UP, [source.pk, list(hours)])
        for hour, project_id, model, service_tier, *counts in cursor.fetchall():
            requests, input_tokens, cached_tokens, cache_write_tokens, output_tokens = counts
            yield UsageRow(
                hour=hour,
                project_id=project_id,
                model=model,
                api_key_id=None,
                service_tier=service_tier,
                batch=None,
                requests=requests,
                input_tokens=input_tokens,
                cached_tokens=cached_tokens,
                cache_write_tokens=cache_write_tokens,
                cache_write_30m_tokens=None,
                cache_write_12h_tokens=None,
                uncached_tokens=None,
                output_tokens=output_tokens,
            )
