"""What is stored of a source: coverage by hour, backfill by week."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from cachewatch.api.auth import readable_source, source_for
from cachewatch.api.queueing import queue_backfill
from cachewatch.api.source_rows import backfill_out, coverage_out
from cachewatch.api.source_shapes import Backfill, BackfillRequest, Coverage
from ingest import services

router = Router(tags=["sources"])


@router.get("/sources/{slug}/coverage", response=Coverage)
def get_source_coverage(request: HttpRequest, slug: str) -> Coverage:
    """The last 168 hours and the open one."""
    return coverage_out(readable_source(request, slug), now=timezone.now())


@router.get("/sources/{slug}/backfill", response=Backfill)
def get_source_backfill(request: HttpRequest, slug: str) -> Backfill:
    """The weeks of history, and how far reading them has come."""
    return backfill_out(readable_source(request, slug))


@router.post("/sources/{slug}/backfill", response=Backfill)
def start_source_backfill(request: HttpRequest, slug: str, wanted: BackfillRequest) -> Backfill:
    """Read history, newest week first, as far back as asked and as the provider allows."""
    source = source_for(request, slug, "ingest")
    services.plan_backfill(source, now=timezone.now(), days=wanted.days)
    queue_backfill()
    return backfill_out(source)
