"""Notice what changed of all that readouts are made of, and which readouts that may make due."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db import connection
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.forms import model_to_dict

from cachewatch.analysis.readout_thresholds import LONGEST_BEFORE_DAYS, LOOKS, PLACEBO_DAYS
from cachewatch.rollouts.due import STORE_LASTS_AT_MOST_S
from cachewatch.rollouts.measuring import moment
from cachewatch.rollouts.models import MarkerChange, Readout, ReadoutWatch
from ingest.models import Source

HOURS_PER_WEEK = 168
# No washout is longer; an hour lies between a moment and its whole hour.
LONGEST_WASHOUT = timedelta(hours=24)
AN_HOUR = timedelta(hours=1)
BEFORE = timedelta(days=max(LONGEST_BEFORE_DAYS.default, PLACEBO_DAYS.default)) + AN_HOUR
AFTER = timedelta(days=LOOKS[-1].days) + LONGEST_WASHOUT + AN_HOUR
# Weeks, since a readout spans six of them: few rows, however much was read. Hours that are read or
# forgotten between two looks change the number or the sum of those of a time.
_CHANGED_WEEKS = """
SELECT changed.hour / %(week)s, changed.at, changed.what, count(*), sum(changed.hour) FROM (
    SELECT 'read' AS what, hour, fetched_at AS at FROM ingest_sourcehour
    WHERE source_id = %(source)s AND fetched_at > %(since)s
    UNION ALL
    SELECT 'rejected', hour, last_seen_at FROM ingest_reject
    WHERE source_id = %(source)s AND last_seen_at > %(since)s AND hour IS NOT NULL
    UNION ALL
    SELECT 'restated', revision.hour, revision.seen_at FROM ingest_bucketrevision revision
    JOIN ingest_series series ON series.id = revision.series_id
    WHERE series.source_id = %(source)s AND revision.seen_at > %(since)s
) changed GROUP BY 1, 2, 3
"""
_LONG_AGO, _FAR_AHEAD = datetime(1, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
Stretch = tuple[datetime, datetime]  # half-open


class _Change(NamedTuple):
    """One change: a name that only it has, when it was written, and where readouts may read it."""

    name: str
    at: datetime
    stretch: Stretch
    of_a_marker: bool


def notice_changes(source: Source, settled: int) -> None:
    """Set may_be_due on each readout of a source that a change since the last call may concern.

    Changes: hours read, restated or forgotten, markers, and the hour up to which the source is
    settled. To be called in a transaction: it holds the watch of the source to the end of it, so
    that nothing is noticed between a look and the note that there is nothing more to see. What
    was written at a time before the last call is found where its transaction took at most
    STORE_LASTS_AT_MOST_S; what that call found already is no change.
    """
    ReadoutWatch.objects.bulk_create([ReadoutWatch(source=source)], ignore_conflicts=True)
    watch = ReadoutWatch.objects.select_for_update().get(source=source)
    before = model_to_dict(watch)
    found = [*_changed_hours(watch), *_changed_markers(watch)]
    _flag(source, [one.stretch for one in found if one.name not in watch.noticed])
    if watch.settled_hour is not None and watch.settled_hour != settled:
        from_there_on = moment(min(settled, watch.settled_hour)), _FAR_AHEAD
        _flag(source, [from_there_on], undecided_only=True)
    watch.settled_hour = settled
    watch.noticed = sorted(one.name for one in found if one.at > _seen_again_after(watch, one))
    if model_to_dict(watch) != before:
        watch.save()


def _changed_hours(watch: ReadoutWatch) -> list[_Change]:
    since = _less_slack(watch.hours_to)
    with connection.cursor() as cursor:
        cursor.execute(
            _CHANGED_WEEKS, {"week": HOURS_PER_WEEK, "source": watch.source_id, "since": since}
        )
        rows = cursor.fetchall()
    changes = []
    for week, at, *which in rows:
        watch.hours_to = max(watch.hours_to or at, at)
        stretch = moment(week * HOURS_PER_WEEK), moment((week + 1) * HOURS_PER_WEEK)
        name = " ".join(str(part) for part in (week, at.isoformat(), *which))
        changes.append(_Change(name, at, stretch, of_a_marker=False))
    return changes


def _changed_markers(watch: ReadoutWatch) -> list[_Change]:
    """Where the markers lie that were changed, and where they lay before."""
    changes = MarkerChange.objects.filter(
        marker__source=watch.source_id, at__gt=_less_slack(watch.markers_to)
    )
    fields = ("pk", "at", "fields", "marker__starts_at", "marker__ends_at")
    found = []
    for pk, at, changed, starts_at, ends_at in changes.values_list(*fields):
        watch.markers_to = max(watch.markers_to or at, at)
        times = [starts_at, ends_at or starts_at, *_moved_from_and_to(changed)]
        stretch = min(times), max(times) + AN_HOUR
        found.append(_Change(f"marker change {pk}", at, stretch, of_a_marker=True))
    return found


def _seen_again_after(watch: ReadoutWatch, change: _Change) -> datetime:
    return _less_slack(watch.markers_to if change.of_a_marker else watch.hours_to)


def _moved_from_and_to(fields: dict[str, list[str | None]]) -> Iterable[datetime]:
    for name in ("starts_at", "ends_at"):
        yield from (datetime.fromisoformat(one) for one in fields.get(name, []) if one)


def _less_slack(last: datetime | None) -> datetime:
    return _LONG_AGO if last is None else last - timedelta(seconds=STORE_LASTS_AT_MOST_S)


def _flag(source: Source, stretches: list[Stretch], *, undecided_only: bool = False) -> None:
    """Readouts that may read an hour of these stretches, or draw a marker in them.

    Those that are flagged too: one may be measured just now, by what was there before.
    """
    concerned = Q(pk__in=[])
    for start, end in _joined(stretches):
        concerned |= Q(rollout__marker__starts_at__lt=end + BEFORE, ramp_ends_at__gt=start - AFTER)
    found = Readout.objects.annotate(
        ramp_ends_at=Coalesce(F("rollout__marker__ends_at"), F("rollout__marker__starts_at"))
    ).filter(concerned, series__source=source)
    if undecided_only:
        found = found.filter(outcome="")
    Readout.objects.filter(pk__in=found.values("pk")).update(may_be_due=True)


def _joined(stretches: list[Stretch]) -> list[Stretch]:
    """The same stretches, overlapping and adjoining ones as one."""
    joined: list[Stretch] = []
    for start, end in sorted(stretches):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(joined[-1][1], end)
        else:
            joined.append((start, end))
    return joined
