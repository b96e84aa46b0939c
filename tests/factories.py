"""One function per stored thing, with plain values and no surprises."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from ingest.models import IngestRun, Source
from ingest.normalise import HourlyUsage, RejectedValue, UsageRow

# Monday, 2 November 2026, 00:00 UTC: also where a week of a backfill begins.
HOUR = 498_216
GROUPING = ("api_key_id", "batch", "service_tier")


def at(hour: int, minutes: int = 0) -> datetime:
    """The moment so many minutes after an hour begins."""
    return datetime.fromtimestamp(hour * 3600, UTC) + timedelta(minutes=minutes)


def make_source(slug: str = "acme", **fields: Any) -> Source:
    """An OpenAI source without a key."""
    given = {
        "name": slug.capitalize(),
        "base_url": "https://usage.example/v1",
        "grouping": list(GROUPING),
        "created_at": at(HOUR),
    }
    return Source.objects.create(slug=slug, **given | fields)


def make_run(source: Source, **fields: Any) -> IngestRun:
    """An hourly run over two days."""
    given = {
        "kind": IngestRun.Kind.HOURLY,
        "start_hour": HOUR,
        "end_hour": HOUR + 48,
        "started_at": at(HOUR + 48),
    }
    return IngestRun.objects.create(source=source, **given | fields)


def usage_row(hour: int = HOUR, **fields: Any) -> UsageRow:
    """An hour of project proj_a on gpt-5.4 with key key_1: 1,000 input tokens, 400 of them cached."""
    given: dict[str, Any] = {
        "project_id": "proj_a",
        "model": "gpt-5.4",
        "api_key_id": "key_1",
        "service_tier": "default",
        "batch": False,
        "requests": 10,
        "input_tokens": 1_000,
        "cached_tokens": 400,
        "cache_write_tokens": None,
        "cache_write_30m_tokens": None,
        "cache_write_12h_tokens": None,
        "uncached_tokens": 600,
        "output_tokens": 50,
    }
    return UsageRow(hour=hour, **given | fields)


def hourly_usage(
    rows: Iterable[UsageRow] = (),
    *,
    covered: Iterable[int] | None = None,
    clipped: Iterable[int] = (),
    partly: Iterable[int] = (),
    rejects: Iterable[RejectedValue] = (),
) -> HourlyUsage:
    """The result of one walk; by default it covers the hours of its rows."""
    kept = list(rows)
    hours = {row.hour for row in kept} if covered is None else set(covered)
    return HourlyUsage(
        rows=kept,
        covered_hours=sorted(hours),
        clipped_hours=sorted(clipped),
        rejects=list(rejects),
        partly_read_hours=sorted(partly),
    )
