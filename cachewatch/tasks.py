"""Where Celery looks for tasks: thin doors to the services. The clock is read here."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from cachewatch.verdicts import services
from ingest.queries import visible_sources


@shared_task(name="cachewatch.classify_stale", expires=120)
def classify_stale() -> None:
    """Classify what is stale, then some of the past days that lack a verdict."""
    sources = list(visible_sources())
    services.classify_stale(sources, now=timezone.now())
    services.classify_past_days(sources, now=timezone.now())
