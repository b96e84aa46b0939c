"""Weeks of history to read, one after the other."""

from __future__ import annotations

from datetime import datetime

from ingest import queries, services
from ingest.models import Source
from ingest.services.walks import Reading
from tests.factories import HOUR, at
from tests.ingest.fake_provider import FakeProvider

# A Wednesday, so that the newest week is not over.
NOW_HOUR = HOUR + 60
NOW = at(NOW_HOUR, 5)


def busy_provider() -> FakeProvider:
    """One series with traffic in every hour."""
    fake = FakeProvider()
    fake.fill(range(HOUR - 2_000, NOW_HOUR))
    return fake


def weeks(source: Source) -> list[tuple[int, int, str]]:
    """Start (hours from HOUR), width and state of each week, oldest first."""
    return [
        (week.start_hour - HOUR, week.end_hour - week.start_hour, week.state)
        for week in queries.backfill_weeks(source)
    ]


def read_next(source: Source, provider: FakeProvider, now: datetime = NOW) -> Reading | None:
    """Read the week whose turn it is."""
    week = services.next_week(source, now=now)
    assert week is not None
    return services.backfill_week(week, now=now, client_of=provider.client_of)
