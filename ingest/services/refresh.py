"""The hourly read: the trailing hours again, and those not read yet."""

from __future__ import annotations

from datetime import datetime

from ingest.models import IngestRun, Source
from ingest.queries import last_read_hour
from ingest.services.asking import forget_request
from ingest.services.backfill import heal, plan_backfill
from ingest.services.keys import ClientOf, client_of
from ingest.services.locks import source_lock
from ingest.services.walks import Reading, read_hours

# The provider restates closed hours; other connectors re-read 24 to 48 h.
REREAD_HOURS = 48
# After a longer pause the rest is a backfill: the newest hours come first.
REFRESH_MAX_HOURS = 168
LOCK_WAIT_S = 60.0


def refresh_source(
    source: Source,
    *,
    now: datetime,
    kind: IngestRun.Kind = IngestRun.Kind.HOURLY,
    started_at: datetime | None = None,
    client_of: ClientOf = client_of,
) -> Reading | None:
    """Read the trailing REREAD_HOURS again, and all whole hours since the last one read.

    Hours beyond REFRESH_MAX_HOURS are queued as weeks of a backfill. None where the source is
    removed or pushed to, or paused and not asked for by hand. Raises SourceBusy where another run reads the
    source for longer than LOCK_WAIT_S. `started_at`: as in recover.
    """
    with source_lock(source, wait_s=LOCK_WAIT_S):
        if kind == IngestRun.Kind.MANUAL:
            forget_request(source)
        source.refresh_from_db()
        of_no_provider = source.removed_at or source.is_pushed
        if of_no_provider or (source.paused and kind != IngestRun.Kind.MANUAL):
            return None
        heal(source, now, started_at)
        start_hour, end_hour = refresh_window(source, now)
        late = last_read_hour(source, end_hour)
        reading = read_hours(source, start_hour, end_hour, kind=kind, now=now, client_of=client_of)
    if late is not None and late + 1 < start_hour:
        plan_backfill(source, now=now)
    return reading


def refresh_window(source: Source, now: datetime) -> tuple[int, int]:
    """The hours to read at `now`: half-open, up to the last whole hour.

    From the oldest on that may not have been settled when the newest one was read, a week at most.
    """
    end_hour = int(now.timestamp()) // 3600
    last = last_read_hour(source, end_hour)
    start_hour = end_hour - REREAD_HOURS
    if last is not None:
        start_hour = min(start_hour, last - -(-source.settle_minutes // 60))
    return max(start_hour, end_hour - REFRESH_MAX_HOURS), end_hour
