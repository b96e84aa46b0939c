"""How an import changes its state, and the locks that say who is at it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime

from cachewatch.evidence.models import EvidenceImport
from ingest.services.locks import session_lock

State = EvidenceImport.State
UNREAD = (State.QUEUED, State.RUNNING)
ENDED_EARLY = (
    "The reading of this log ended early again and again: the server stopped, or ran out of memory."
    " Send the log again, in parts if it is large."
)
FAILED_HERE = "The log could not be read because of a fault of the server; its own log says which."
TOOK_TOO_LONG = "The log took longer to read than a worker may take; send it in parts."
NOT_THERE = (
    "The upload is not in the worker's folder for uploads. Send the log again; where that does not"
    " help, the web server and the worker do not share that folder (docs/deployment.md)."
)
LONGEST_SENTENCE = 1_000
# 16 bits that say what is locked; the other 48 are of the hash.
_IMPORT_LOCK = 0x637A << 48
_READING_LOCK = 0x637B << 48


def held(row: EvidenceImport) -> AbstractContextManager[bool]:
    """Hold an import while the block runs; False at once where another process has it."""
    return held_content(row.source_id, row.content_key)


def held_content(source_id: int, content_key: str) -> AbstractContextManager[bool]:
    """The same of an import that may not be stored yet."""
    return session_lock(_IMPORT_LOCK | (int(content_key[:12], 16) ^ source_id))


def only_reader() -> AbstractContextManager[bool]:
    """Hold the right to read a log: one at a time, so that memory is bounded and hours are read."""
    return session_lock(_READING_LOCK)


def fail(row: EvidenceImport, sentence: str, now: datetime, *, field: str = "") -> None:
    """End an import without a result; what older rules found of the same log stands.

    `field`: of the form, where the log or an option is to blame. The files are not waited for any
    more. A deleted import stays deleted.
    """
    state = State.FAILED if row.document is None else State.DONE
    EvidenceImport.objects.filter(pk=row.pk).update(
        state=state, error=sentence[:LONGEST_SENTENCE], error_field=field, spool=[], finished_at=now
    )
