"""Rejects: values that could not be read, kept once each."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import QuerySet

from ingest.models import IngestRun, Reject
from ingest.normalise import RejectedValue

RejectKey = tuple[int | None, str, str]


def store_rejects(
    source_id: int,
    rejected: Iterable[RejectedValue],
    covered: list[int],
    *,
    run: IngestRun | None,
    now: datetime,
) -> int:
    """Keep each rejected value once, and drop those of covered hours that now read fine.

    The list so says what is unreadable in the history as stored; each run's count stays in its
    IngestRun. A reject without an hour cannot be matched to an answer: it is never dropped, its
    last_seen_at says how old it is. Returns how many values the answer held.
    """
    found = list(rejected)
    by_key = {_key(item): item for item in found}
    Reject.objects.bulk_create(
        [_stored(source_id, item, run, now) for item in by_key.values()],
        update_conflicts=True,
        unique_fields=["source", "hour", "dimensions", "field"],
        update_fields=["place", "reason", "sent", "run", "last_seen_at"],
        batch_size=1_000,
    )
    _healed(source_id, covered, by_key).delete()
    return len(found)


def _healed(
    source_id: int, covered: list[int], by_key: dict[RejectKey, RejectedValue]
) -> QuerySet[Reject]:
    stored = Reject.objects.filter(source_id=source_id, hour__in=covered)
    gone = [
        row[3]
        for row in stored.values_list("hour", "dimensions", "field", "id")
        if row[:3] not in by_key
    ]
    return Reject.objects.filter(pk__in=gone)


def _key(item: RejectedValue) -> RejectKey:
    return (item.hour, _width(item.dimensions, "dimensions"), _width(item.field, "field"))


def _width(text: str, column: str) -> str:
    """Cut to the column's width: what is kept is a hint, and may not fail the run."""
    return text[: Reject.WIDTHS[column]].replace("\x00", "")


def _stored(source_id: int, item: RejectedValue, run: IngestRun | None, now: datetime) -> Reject:
    hour, dimensions, field = _key(item)
    return Reject(
        source_id=source_id,
        hour=hour,
        dimensions=dimensions,
        field=field,
        place=_width(item.place, "place"),
        reason=item.reason.replace("\x00", ""),
        sent=item.sent.replace("\x00", ""),
        run=run,
        first_seen_at=now,
        last_seen_at=now,
    )
