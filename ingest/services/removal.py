"""Removing a source: hidden at once, then deleted in bounded batches."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from ingest.models import PushedHour, Source, SourceHour
from ingest.services.keys import KEY_FIELDS
from ingest.services.locks import hold_row, source_lock
from ingest.store.deletion import delete_some_series
from ingest.store.pushed import delete_some_requests

SERIES_PER_BATCH = 50
REQUESTS_PER_BATCH = 20_000
LOCK_WAIT_S = 60.0


def remove_source(source: Source, *, now: datetime) -> None:
    """Hide the source at once, free its slug and forget its key; its history is deleted later.

    Raises SourceRemoved where that is done already.
    """
    with transaction.atomic():
        hold_row(source)
        source.removed_at, source.paused = now, True
        source.slug = f"_removed-{source.pk}"  # no name makes such a slug
        source.key_encrypted, source.key_variable, source.key_hint = None, "", ""
        source.save(update_fields={"removed_at", "paused", "slug", *KEY_FIELDS})


def delete_removed_source(source: Source) -> None:
    """Delete a removed source and all that was stored of it. Safe to stop and to run again.

    Batch by batch, each a transaction of its own, so that no lock is held for long. Raises
    SourceBusy where a run still reads it; ValueError for a source that is not removed.
    """
    if source.removed_at is None:
        raise ValueError(f"{source.slug} is not removed")
    with source_lock(source, wait_s=LOCK_WAIT_S):
        while delete_some_series(source.pk, SERIES_PER_BATCH):
            pass
        while delete_some_requests(source.pk, None, REQUESTS_PER_BATCH):
            pass
        with transaction.atomic():
            SourceHour.objects.filter(source=source).delete()
            PushedHour.objects.filter(source=source).delete()
            Source.objects.filter(pk=source.pk).delete()
