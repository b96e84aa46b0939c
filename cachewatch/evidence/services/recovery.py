"""Imports whose process died: read again, and failed where that does not help."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.services.states import ENDED_EARLY, State, fail, held

MOST_ATTEMPTS = 5  # a log that ends its worker each time must not do so for ever


def recover_dead(source_ids: Collection[int] | None = None, *, now: datetime) -> int:
    """Queue what a process died over, or fail it after its last time; how many. Safe to run twice.

    `source_ids`: of these sources; None: of all.
    """
    running = EvidenceImport.objects.filter(state=State.RUNNING)
    if source_ids is not None:
        running = running.filter(source_id__in=source_ids)
    recovered = 0
    for row in running.defer("document"):
        with held(row) as is_held:
            if is_held:
                recovered += _recover(row.pk, now)
    return recovered


def _recover(import_id: int, now: datetime) -> int:
    row = EvidenceImport.objects.filter(pk=import_id, state=State.RUNNING).first()
    if row is None:
        return 0
    if row.spool and row.attempts < MOST_ATTEMPTS:
        return EvidenceImport.objects.filter(pk=import_id).update(state=State.QUEUED, bytes_read=0)
    fail(row, ENDED_EARLY, now)
    return 1
