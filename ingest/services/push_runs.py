"""Which source takes a push, and the run that stands for the pushes of one hour of the clock."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F
from django.db.models.functions import Greatest, Least

from ingest.models import IngestRun, Source
from ingest.services.errors import PushRefused


def refuse_others(source: Source, kind: Source.Kind, what: str) -> None:
    """Raise PushRefused for a source of another kind, or one that is paused; `what` is pushed."""
    if source.kind != kind:
        raise PushRefused(
            f"{source.name} takes no pushed {what}; make a source of the kind {kind.value}"
        )
    if source.paused:
        raise PushRefused(f"{source.name} is paused; it takes {what} once it is resumed")


def run_of_pushes(source: Source, hours: Sequence[int], now: datetime) -> IngestRun:
    """The run of all pushes taken within one hour of the clock; it spans the `hours` they told of.

    For one process at a time: the caller holds a lock of the source.
    """
    start_hour, end_hour = min(hours), max(hours) + 1
    run, _ = IngestRun.objects.get_or_create(
        source=source,
        kind=IngestRun.Kind.PUSHED,
        started_at=now.replace(minute=0, second=0, microsecond=0),
        defaults={"start_hour": start_hour, "end_hour": end_hour, "status": IngestRun.Status.OK},
    )
    IngestRun.objects.filter(pk=run.pk).update(
        start_hour=Least(F("start_hour"), start_hour),
        end_hour=Greatest(F("end_hour"), end_hour),
        finished_at=now,
    )
    return run
