"""Imports that are deleted, and files that no import waits for."""

from __future__ import annotations

from pathlib import Path

from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.services.states import UNREAD
from cachewatch.evidence.spool import discard, spooled_files, sweep


def delete_import(row: EvidenceImport, folder: Path) -> None:
    """Forget an import, with the log if it still waits."""
    EvidenceImport.objects.filter(pk=row.pk).delete()
    discard(folder, spooled_files(row.spool))


def sweep_uploads(folder: Path) -> int:
    """Delete the files that a crash left; how many. Safe to run twice."""
    return sweep(folder, _is_awaited)


def _is_awaited(place: str) -> bool:
    unread = EvidenceImport.objects.filter(state__in=UNREAD)
    return unread.filter(spool__contains=[{"place": place}]).exists()
