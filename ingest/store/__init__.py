"""STORE: the only writer of buckets. An hour is replaced whole, in one transaction, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
from django.db import transaction
from django.db.models import F

from ingest.models import IngestRun, Source
from ingest.normalise import HourlyUsage
from ingest.settling import first_unsettled_hour
from ingest.store import coverage, digests, revisions, rows
from ingest.store.partitions import ensure_partitions
from ingest.store.rejects import store_rejects
from ingest.usage_rows import columns_of_rows

__all__ = ["StoreCounts", "grouping_label", "store_usage"]


class StoreCounts(NamedTuple):
    """What one answer did to the stored buckets; `rejected` counts values that were not readable."""

    new: int
    changed: int
    removed: int
    unchanged: int
    rejected: int


class _Asked(NamedTuple):
    """Hours of an answer that are to be compared with what is stored, and its grouping."""

    covered: list[int]
    partly: list[int]
    label: str

    @property
    def hours(self) -> list[int]:
        """All of them, ascending."""
        return sorted({*self.covered, *self.partly})


class _Read(NamedTuple):
    """The run of an answer, when it was fetched, and up to when it tells of what there was."""

    run: IngestRun | None
    now: datetime
    as_of: datetime


def grouping_label(grouping: Iterable[str]) -> str:
    """The dimensions beyond project_id and model, sorted, comma separated; "" for none."""
    return ",".join(sorted(set(grouping) - {"project_id", "model"}))


def store_usage(
    source: Source,
    usage: HourlyUsage,
    *,
    run: IngestRun | None,
    grouping: Iterable[str],
    now: datetime,
    read_as_of: datetime | None = None,
) -> StoreCounts:
    """Replace the covered hours of a source by what the provider said, and return what changed.

    Covered hours are replaced whole: rows inserted, changed, and stored rows that the answer no
    longer holds removed, whatever they were grouped by. Partly read hours gain and change rows and
    do not become known whole: the rejects say which series lack a row there. They lose only rows
    of another grouping, of series that the answer holds there, and are then no longer known whole.
    Rows of other hours (clipped ones) are passed over.
    `grouping` names the dimensions beyond project_id and model that the answer is grouped by.
    `now` is when the answer was fetched; `read_as_of`, of an answer that tells less than all there
    was by then, up to when it does.

    Safe to run twice and beside itself: the source's row is locked to the end of the transaction.
    Raises Source.DoesNotExist where the source is gone; ValueError where two rows are
    one bucket; Slice.DoesNotExist where slices are removed meanwhile.
    """
    asked, read = _asked(usage, grouping), _Read(run, now, read_as_of or now)
    columns = columns_of_rows(usage.rows)
    kept = columns.take(np.isin(columns.hour, asked.hours))
    ensure_partitions(np.unique(kept.hour).tolist())
    with transaction.atomic():
        _lock(source)
        incoming = rows.incoming(source.pk, kept, asked.label)
        changes, known_anew = _replace(source, incoming, asked, read)
        rejects = store_rejects(source.pk, usage.rejects, asked.hours, run=run, now=now)
        # A row without a place may be one of any series: what is known of all of them changes.
        of_all = known_anew or rejects.other_rows_unplaced
        settled = first_unsettled_hour(read.as_of, source.settle_minutes)
        coverage.bump_series(source.pk, changes, settled_until=settled, all_of_source=of_all)
        counts = _counts(changes, len(kept.hour), rejects.found)
        _count_in_run(run, counts, hours=len(asked.covered), rows_read=len(kept.hour))
    return counts


def _asked(usage: HourlyUsage, grouping: Iterable[str]) -> _Asked:
    covered, partly = sorted(set(usage.covered_hours)), sorted(set(usage.partly_read_hours))
    return _Asked(covered, partly, grouping_label(grouping))


def _lock(source: Source) -> None:
    """Two stores of one source would diff against each other's unfinished work."""
    Source.objects.select_for_update(no_key=True).only("pk").get(pk=source.pk)


def _replace(
    source: Source, incoming: rows.Incoming, asked: _Asked, read: _Read
) -> tuple[list[rows.SliceChange], bool]:
    """What changed in the hours that are not known to be the same, and whether an hour became known
    or unknown by it.
    """
    contents = digests.contents(incoming, asked.covered)
    same = digests.unchanged(source.pk, contents)
    differing = asked._replace(covered=[hour for hour in asked.covered if hour not in same])
    changes, closed = _write(source, incoming.of(differing.hours), differing, read)
    digests.forget(source.pk, asked.partly)
    opened = coverage.mark_read(
        source.pk, contents, run=read.run, label=asked.label, now=read.as_of
    )
    return changes, opened or closed


def _write(
    source: Source, incoming: rows.Incoming, asked: _Asked, read: _Read
) -> tuple[list[rows.SliceChange], bool]:
    """Write what differs, and whether a known hour was cut anew by it."""
    if rows.is_new_ground(source.pk, asked.hours):
        return rows.write_new(incoming), False
    if not rows.diff(source.pk, incoming, asked.covered, asked.partly, asked.label):
        return [], False
    closed = coverage.forget_cut_anew(source.pk, asked.partly)
    watched = revisions.watch(source.pk, source.settle_minutes, asked.hours)
    changes = rows.apply_changes()
    if watched:
        revisions.record(asked.hours, run=read.run, now=read.now)
    return changes, closed


def _counts(changes: Sequence[rows.SliceChange], rows_read: int, rejected: int) -> StoreCounts:
    new = sum(change.new for change in changes)
    changed = sum(change.changed for change in changes)
    removed = sum(change.removed for change in changes)
    return StoreCounts(new, changed, removed, rows_read - new - changed, rejected)


def _count_in_run(
    run: IngestRun | None, counts: StoreCounts, *, hours: int, rows_read: int
) -> None:
    """Add to the run's own figures, in the same transaction: they hold after any kill."""
    if run is None:
        return
    IngestRun.objects.filter(pk=run.pk).update(
        hours=F("hours") + hours,
        rows_read=F("rows_read") + rows_read,
        rows_new=F("rows_new") + counts.new,
        rows_changed=F("rows_changed") + counts.changed,
        rows_removed=F("rows_removed") + counts.removed,
        rows_unchanged=F("rows_unchanged") + counts.unchanged,
        rows_rejected=F("rows_rejected") + counts.rejected,
    )
