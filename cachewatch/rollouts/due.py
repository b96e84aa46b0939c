"""Which readouts are due, in a number of queries that does not grow with how many there are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import connection
from django.db.models import Count, F, Q

from cachewatch.rollouts.kinds import REPAIRS
from cachewatch.rollouts.measuring import MEASURE_VERSION, Hours, hours_of, moment, ramp_of
from cachewatch.rollouts.models import Marker, Readout, Rollout
from cachewatch.rollouts.queries import markers_near, readouts_in_force, touches_hours
from ingest.models import Series, Source

HOURS_PER_DAY = 24
# Of a project or a source: the largest; a rollout that touches more is read where most is at stake.
MOST_SERIES = 100
ACTIVE_BEFORE_HOURS = 7 * HOURS_PER_DAY
# A store that began before a measurement may end after it.
STORE_LASTS_AT_MOST_S = 900
# What is not looked at in one run is in the next.
LOOKED_AT_ONCE = 500
# Hours read; the last revision of its own hours, however old, and of those of its controls where
# they were restated since.
_READ_AND_RESTATED = """
SELECT (
    SELECT count(*) FROM ingest_sourcehour read
    WHERE read.source_id = %s AND read.hour >= asked.first AND read.hour < asked.last
), greatest(
    (SELECT max(revision.id) FROM ingest_bucketrevision revision
     WHERE revision.series_id = asked.series AND revision.hour >= asked.first
       AND revision.hour < asked.last),
    (SELECT max(revision.id)
     FROM cachewatch_readout readout
     CROSS JOIN LATERAL jsonb_array_elements(readout.document -> 'controls') control
     JOIN ingest_bucketrevision revision
       ON revision.series_id = (control ->> 'series_id')::bigint
      AND revision.hour >= asked.first AND revision.hour < asked.last
      AND revision.seen_at > readout.measured_at - make_interval(secs => %s)
     WHERE readout.id = asked.readout))
FROM unnest(%s::bigint[], %s::bigint[], %s::integer[], %s::integer[])
    WITH ORDINALITY AS asked(readout, series, first, last, place)
ORDER BY asked.place
"""


class Inputs(NamedTuple):
    """What a measurement is made of: the markers near, the hour it reads up to, and a key of it all."""

    near: list[Marker]
    now_hour: int
    key: str

    def make_due(self, held: Readout) -> bool:
        """Whether it was last measured with others; new rules alone do not touch a decided one."""
        if held.outcome:
            return _of_hours(self.key) != _of_hours(held.measured_key)
        return self.key != held.measured_key


def tells_hours(measured_key: str) -> bool:
    """Whether a key tells hours from rules; those of version 1 did not."""
    return ":" in measured_key


def inputs_of(readouts: Sequence[Readout], settled: int) -> list[Inputs]:
    """Of readouts of one source, in their order; `settled`: the hour up to which it is complete.

    A decided readout reads up to the hour it was frozen at. The queries are two, and return a row
    a readout and the markers near.
    """
    if not readouts:
        return []
    spans = [hours_of(one.rollout.marker, one.series.model) for one in readouts]
    ends = [_now_hour(*pair, settled) for pair in zip(readouts, spans, strict=True)]
    start, end = min(span.start for span in spans), max(span.end for span in spans)
    source_id = readouts[0].series.source_id
    markers = markers_near(source_id, moment(start), moment(end))
    known = [Hours(span.start, last) for span, last in zip(spans, ends, strict=True)]
    stored = _read_and_restated(source_id, readouts, known)
    found = []
    for place, (one, span) in enumerate(zip(readouts, spans, strict=True)):
        near = [
            each for each in markers if touches_hours(each, moment(span.start), moment(span.end))
        ]
        key = _key(one.rollout.marker, near, ends[place], *stored[place])
        found.append(Inputs(near, ends[place], key))
    return found


def maybe_due(source: Source) -> list[Readout]:
    """Readouts that may have to be measured, LOOKED_AT_ONCE at most, without their documents.

    Those that something was noticed of, and those of other rules than the present ones. Never
    measured ones come first, then those measured longest ago; decided ones are among them.
    """
    other_rules = Q(outcome="") & ~Q(measured_key__endswith=f":{MEASURE_VERSION}")
    first_rules = ~Q(measured_key__contains=":")
    found = readouts_in_force().filter(
        Q(may_be_due=True) | other_rules | first_rules, series__source=source
    )
    found = found.defer("document", "late_document")
    return list(found.order_by(F("measured_at").asc(nulls_first=True), "pk")[:LOOKED_AT_ONCE])


def rollouts_to_open(source: Source, now: datetime) -> list[Rollout]:
    """Rollouts in force that lack a readout of a series they touch."""
    rollouts = [one for one in _rollouts(source) if not _has_its_series(one)]
    if not rollouts:
        return []
    fields = ("pk", "project_id", "first_hour", "last_hour")
    series = [
        one
        for one in Series.objects.filter(source=source).values_list(*fields)
        if one[2] is not None and one[3] is not None
    ]
    known = set(Readout.objects.filter(rollout__in=rollouts).values_list("rollout_id", "series_id"))
    return [one for one in rollouts if _lacks(one.marker, one.pk, series, known, now)]


def active_from(marker: Marker, now: datetime) -> Hours:
    """Series count that began before `end` and had traffic since `start`: the week before."""
    end = min(ramp_of(marker).start, int(now.timestamp()) // 3600)
    return Hours(end - ACTIVE_BEFORE_HOURS, end)


def _now_hour(held: Readout, span: Hours, settled: int) -> int:
    if held.outcome and held.settled_hour is not None:
        return held.settled_hour
    return min(settled, span.end)


def _read_and_restated(
    source_id: int, readouts: Sequence[Readout], spans: Sequence[Hours]
) -> list[tuple[int, int | None]]:
    asked = [[one.pk for one in readouts], [one.series_id for one in readouts]]
    starts, ends = ([span[end] for span in spans] for end in (0, 1))
    with connection.cursor() as cursor:
        cursor.execute(_READ_AND_RESTATED, [source_id, STORE_LASTS_AT_MOST_S, *asked, starts, ends])
        return [(read, revision) for read, revision in cursor.fetchall()]


def _key(
    marker: Marker, near: Iterable[Marker], now_hour: int, read: int, revision: int | None
) -> str:
    parts = [
        now_hour,
        read,
        revision,
        marker.pk,
        *(ramp_of(marker)),
        *((one.pk, one.version) for one in near),
    ]
    return f"{hashlib.sha256(repr(parts).encode()).hexdigest()[:48]}:{MEASURE_VERSION}"


def _of_hours(key: str) -> str:
    return key.partition(":")[0]


def _rollouts(source: Source) -> Iterable[Rollout]:
    found = Rollout.objects.filter(
        marker__source=source,
        marker__state=Marker.State.IN_FORCE,
        marker__deleted_at__isnull=True,
        marker__kind__in=list(REPAIRS),
    )
    count = Count("readouts")
    return (
        found.annotate(readout_count=count)
        .filter(readout_count__lt=MOST_SERIES)
        .select_related("marker")
    )


def _has_its_series(rollout: Rollout) -> bool:
    return rollout.marker.scope == Marker.Scope.SERIES and rollout.readout_count > 0  # type: ignore[attr-defined]


def _lacks(
    marker: Marker,
    rollout_id: int,
    series: Iterable[tuple[int, str | None, int, int]],
    known: set[tuple[int, int]],
    now: datetime,
) -> bool:
    if marker.scope == Marker.Scope.SERIES:
        return True
    active = active_from(marker, now)
    return any(
        (rollout_id, pk) not in known
        and (marker.scope == Marker.Scope.SOURCE or project_id == marker.project_id)
        and first < active.end
        and last >= active.start
        for pk, project_id, first, last in series
    )
