"""The answer to a log that was handed in: at once, or once it is read."""

from __future__ import annotations

import threading
import time

from django.conf import settings
from django.http import HttpRequest
from ninja import Status

from cachewatch.api.auth import access
from cachewatch.api.errors import ApiError, not_found
from cachewatch.api.evidence_rows import evidence_out
from cachewatch.api.evidence_shapes import EvidenceRow
from cachewatch.api.evidence_upload import refusal
from cachewatch.api.marker_rows import names_of
from cachewatch.evidence import queries, services
from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.services.states import FAILED_HERE, UNREAD, State
from cachewatch.evidence.spool import uploads_folder

LONGEST_WAIT_S = 60
_LOOK_S = 0.5  # between two looks at the import that is waited for
# Of the threads of this process, half; who finds no place is answered at once.
MAY_WAIT = threading.BoundedSemaphore(settings.WEB_THREADS // 2)


def answer(request: HttpRequest, made: services.Received, seconds: int) -> Status[EvidenceRow]:
    """202 where the log waits or is being read after so many seconds, at once where too many wait.

    201: it was read meanwhile; 200: it was before. Raises ApiError: 422 where the log or an option
    was refused, of which nothing is kept then, 500 where the server is to blame.
    """
    import_id, source_id = made.row.pk, made.row.source_id
    if seconds and made.row.state in UNREAD:
        _wait(seconds, import_id, source_id)
    row = queries.import_by_id(import_id, [source_id])
    if row is None:  # deleted in the meantime
        raise not_found("evidence")
    if seconds:
        _raise_failure(row)
    read_status = 201 if made.is_new else 200
    status = 202 if row.state in UNREAD else read_status
    return Status(status, evidence_out(row, names_of([source_id]), access(request)))


def _wait(seconds: int, import_id: int, source_id: int) -> None:
    """Until its log is read or it is deleted, or the time is over."""
    if not MAY_WAIT.acquire(blocking=False):
        return
    try:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(_LOOK_S, left))
            if queries.state_of(import_id, source_id) not in UNREAD:
                return
    finally:
        MAY_WAIT.release()


def _raise_failure(row: EvidenceImport) -> None:
    if row.error_field:
        if row.state == State.FAILED:
            services.delete_import(row, uploads_folder())
        raise refusal(row.error_field, row.error)
    if row.state == State.FAILED:
        raise ApiError(500, "not_read", row.error or FAILED_HERE)
