"""Requests that were pushed become a log like any other: written out, and read by the same worker."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

import msgspec

from cachewatch.accounts.models import User
from cachewatch.evidence.services.receiving import NewImport, Received, receive
from cachewatch.evidence.spool import STORED_REQUESTS, incoming
from ingest.models import Series
from ingest.queries import stored_requests
from ingest.request_logs import LogRefused

MOST_REQUESTS = 100_000
LINES_AT_ONCE = 5_000
_FORMAT = "generic"


def receive_stored(
    series: Series, days: int, by: tuple[str, ...], folder: Path, *, user: User, now: datetime
) -> Received:
    """Queue the requests that were pushed for a series in the last days, at most the newest 100,000.

    The same requests once more are the import that is there. Raises LogRefused where none is
    stored, UploadRefused and BeingRead as an upload does.
    """
    found = stored_requests(series, now - timedelta(days=days), MOST_REQUESTS)
    first: datetime | None = None
    with incoming(folder) as upload:
        upload.begin(STORED_REQUESTS)
        while some := list(islice(found, LINES_AT_ONCE)):
            upload.add(b"".join(msgspec.json.encode(one) + b"\n" for one in some))
            first = first or datetime.fromtimestamp(float(str(some[0]["timestamp"])), now.tzinfo)
        if first is None:
            raise LogRefused("", f"no request of this series was pushed in the last {days} days")
        name = f"pushed requests {first:%Y-%m-%d} to {now:%Y-%m-%d}.jsonl"
        new = NewImport(series.source, name, _FORMAT, by, series)
        return receive(upload, new, folder, by=user, now=now)
