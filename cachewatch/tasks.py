"""Where Celery looks for tasks: thin doors to the services. The clock is read here."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from cachewatch.verdicts import services
from cachewatch.verdicts.shards import Shard, shards_of
from ingest.queries import source_by_id, visible_sources

# Beat asks again every minute, so what waited longer has lost its point.
_EXPIRES_S = 120


@shared_task(
    name="cachewatch.classify_stale", expires=_EXPIRES_S, time_limit=60, soft_time_limit=50
)
def classify_stale() -> None:
    """Ask for one classification per source; of large ones, per part."""
    for source in visible_sources():
        for shard in shards_of(source):
            classify_part.delay(source.pk, *shard)


@shared_task(name="cachewatch.classify_part", expires=_EXPIRES_S)
def classify_part(source_id: int, number: int, of: int) -> None:
    """Classify a part of one source, unless another process is at it."""
    source = source_by_id(source_id)
    if source is not None:
        services.classify_part(source, Shard(number, of), now=timezone.now())
