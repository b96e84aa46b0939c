"""Reading a source over the wire with the real client and store, and what is stored of it then."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import connection

from ingest import services
from ingest.models import IngestRun, Source
from ingest.openai_usage.client import UsageClient
from ingest.openai_usage.connection import Timeouts
from ingest.openai_usage.retrying import Patience
from ingest.services.keys import admin_key
from ingest.services.walks import Reading
from tests.faults.stored import Rows, of_source
from tests.faults.wire import Wire

# As the product's own, only shorter; a slow machine is given up on less readily than that.
TIMEOUTS = Timeouts(connect_s=5.0, piece_s=0.5, answer_s=0.5)
PATIENCE = Patience(
    tries=3, total_s=20.0, first_wait_s=0.01, longest_wait_s=0.02, jitter_s=0.0,
    longest_retry_after_s=2.0,
)  # fmt: skip


def client_of(source: Source) -> UsageClient:
    """What services take in place of their own client_of: the real client, in a hurry."""
    return UsageClient(
        base_url=source.base_url,
        admin_key=admin_key(source),
        patience=PATIENCE,
        timeouts=TIMEOUTS,
        clock=lambda: float(source.created_at.timestamp()),
    )


def connect(wire: Wire, name: str, *, days: int = 10) -> Source:
    """A source that reads from the wire; any key opens it."""
    return services.add_source(
        name=name,
        admin_key=f"sk-admin-{name}",
        base_url=wire.base_url,
        now=now_of(wire),
        backfill_days=days,
    )


def now_of(wire: Wire) -> datetime:
    """The provider's clock, and 20 minutes: the last whole hour is over."""
    return datetime.fromtimestamp(wire.now_s + 1_200, UTC)


def read(source: Source, now: datetime) -> Reading:
    """One hourly read."""
    reading = services.refresh_source(source, now=now, client_of=client_of)
    assert reading is not None
    return reading


def backfill(source: Source, now: datetime, *, most: int = 100) -> list[Reading]:
    """Read the weeks that are due until none is, or so many of them."""
    readings: list[Reading] = []
    while len(readings) < most and (due := services.due_weeks(now=now)):
        for week in due:
            reading = services.backfill_week(week, now=now, client_of=client_of)
            if reading is not None:
                readings.append(reading)
    return readings


def outcome(reading: Reading) -> tuple[str, str]:
    """How a run ended: its status and the code of its error."""
    run = IngestRun.objects.get(pk=reading.run.pk)
    assert run.finished_at is not None
    assert bool(run.error) == bool(run.error_code), "a failure without a sentence, or the reverse"
    return run.status, run.error_code


def stored_of(source: Source) -> dict[str, Rows]:
    """Everything stored of the source, as rows that compare with another source's."""
    connection.ensure_connection()
    return of_source(connection.connection, source.slug)
