"""STORE: the only writer of buckets. An hour is replaced whole, in one transaction, or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import F

from ingest.models import IngestRun, Source
from ingest.normalise import HourlyUsage, UsageRow
from ingest.store import coverage, revisions, rows
from ingest.store.partitions import ensure_partitions
from ingest.store.rejects import store_rejects
from ingest.store.slices import resolve_slices

__all__ = ["StoreCounts", "grouping_label", "store_usage"]


class StoreCounts(NamedTuple):
    """What one answer did to the stored buckets; `rejected` counts values that were not readable."""

    new: int
    changed: int
    removed: int
    unchanged: int
    rejected: int


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
    Raises Source.DoesNotExist where the source is gone; ValueError where two rows are one bucket.
    """
    label = grouping_label(grouping)
    covered, partly = sorted(set(usage.covered_hours)), sorted(set(usage.partly_read_hours))
    hours = sorted({*covered, *partly})
    kept = _rows_of(set(hours), usage.rows)
    ensure_partitions(row.hour for row in kept)
    with transaction.atomic():
        _lock(source)
        rows.copy_incoming(kept, resolve_slices(source.pk, kept, label))
        rows.diff(source.pk, covered, partly, label)
        closed = coverage.forget_cut_anew(source.pk, partly)
        new, changed, removed = _apply_watched(source, hours, run, now)
        opened = coverage.mark_read(source.pk, covered, run=run, label=label, now=read_as_of or now)
        rejects = store_rejects(source.pk, usage.rejects, hours, run=run, now=now)
        # A row without a place may be one of any series: what is known of all of them changes.
        known_anew = opened or closed or rejects.other_rows_unplaced
        coverage.bump_series(source.pk, all_of_source=known_anew)
        counts = StoreCounts(new, changed, removed, len(kept) - new - changed, rejects.found)
        _count_in_run(run, counts, hours=len(covered), rows_read=len(kept))
    return counts


def _lock(source: Source) -> None:
    """Two stores of one source would diff against each other's unfinished work."""
    Source.objects.select_for_update(no_key=True).only("pk").get(pk=source.pk)


def _apply_watched(
    source: Source, hours: list[int], run: IngestRun | None, now: datetime
) -> tuple[int, int, int]:
    """Write the change and keep the revisions it makes: how many rows are new, changed, removed."""
    watched = revisions.watch(source.pk, source.settle_minutes, hours)
    applied = rows.apply_changes()
    if watched:
        revisions.record(hours, run=run, now=now)
    return applied


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


def _rows_of(hours: set[int], usage_rows: list[UsageRow]) -> list[UsageRow]:
    return [row for row in usage_rows if row.hour in hours]
