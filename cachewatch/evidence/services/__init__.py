"""Every write of evidence: an upload becomes a waiting import, a worker reads it, what died is redone."""

from cachewatch.evidence.services.deleting import delete_import, sweep_uploads
from cachewatch.evidence.services.reading import is_waiting, read_waiting
from cachewatch.evidence.services.receiving import (
    BadOption,
    BeingRead,
    NewImport,
    Received,
    receive,
)
from cachewatch.evidence.services.recovery import recover_dead
from cachewatch.evidence.services.stored_requests import receive_stored

__all__ = [
    "BadOption",
    "BeingRead",
    "NewImport",
    "Received",
    "delete_import",
    "is_waiting",
    "read_waiting",
    "receive",
    "receive_stored",
    "recover_dead",
    "sweep_uploads",
]
