"""Which source takes a push, and the run that stands for the pushes of one hour of the clock."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest, Least

from ingest.models import IngestRun, Source
from ingest.services.errors import PushRefused

_LEFT_OUT = re.compile(r"([\d,]+) requests? left out: (.+)")


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

    Holds the source's row, so that there is one run of an hour: to the end of the caller's
    transaction, where it has one.
    """
    start_hour, end_hour = min(hours), max(hours) + 1
    with transaction.atomic():
        Source.objects.select_for_update(no_key=True).only("pk").get(pk=source.pk)
        run, _ = IngestRun.objects.get_or_create(
            source=source,
            kind=IngestRun.Kind.PUSHED,
            started_at=now.replace(minute=0, second=0, microsecond=0),
            defaults={
                "start_hour": start_hour,
                "end_hour": end_hour,
                "status": IngestRun.Status.OK,
            },
        )
        IngestRun.objects.filter(pk=run.pk).update(
            start_hour=Least(F("start_hour"), start_hour),
            end_hour=Greatest(F("end_hour"), end_hour),
            finished_at=now,
        )
    return run


def note_not_counted(
    source: Source, hours: Sequence[int], rejected: int, left_out: Mapping[str, int], now: datetime
) -> None:
    """Add to the run of pushes how many requests were rejected, and left out by reason in words.

    To be called in the transaction that stores the rest. `hours`: those that the push told of; the
    current one stands for none.
    """
    if not rejected and not left_out:
        return
    run = run_of_pushes(source, hours or [int(now.timestamp()) // 3600], now)
    IngestRun.objects.filter(pk=run.pk).update(
        rows_rejected=F("rows_rejected") + rejected, notices=_added(run.notices, left_out)
    )


def _added(notices: Sequence[str], left_out: Mapping[str, int]) -> list[str]:
    """The notices of a run with more requests in them, the most frequent reason first."""
    counts = Counter(left_out)
    for notice in notices:
        if found := _LEFT_OUT.fullmatch(notice):
            counts[found[2]] += int(found[1].replace(",", ""))
    return [
        f"{n:,} {'request' if n == 1 else 'requests'} left out: {words}"
        for words, n in counts.most_common()
    ]
