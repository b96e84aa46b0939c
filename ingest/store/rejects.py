"""Rejects: values that could not be read, kept once each."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from ingest.models import IngestRun, Reject
from ingest.normalise import RejectedValue
from ingest.openai_usage.unplaced import is_unplaced

RejectKey = tuple[int | None, str, str]


class StoredRejects(NamedTuple):
    """How many values the answer held, and whether other rows than before have no place."""

    found: int
    other_rows_unplaced: bool


def store_rejects(
    source_id: int,
    rejected: Iterable[RejectedValue],
    answered: list[int],
    *,
    run: IngestRun | None,
    now: datetime,
) -> StoredRejects:
    """Keep each rejected value once, and drop those of answered hours that are no longer sent.

    `answered` are the hours read whole or in part. The list so says what is unreadable in the
    history as stored; each run's count stays in its IngestRun. A reject without an hour cannot be
    matched to an answer: it is never dropped, its last_seen_at says how old it is.
    """
    found = list(rejected)
    by_key = {_key(item): item for item in found}
    stored = list(
        Reject.objects.filter(source_id=source_id, hour__in=answered).values_list(
            "hour", "dimensions", "field", "place", "id"
        )
    )
    before = {row[:3] for row in stored if is_unplaced(row[2], row[3])}
    Reject.objects.bulk_create(
        [_stored(source_id, item, run, now) for item in by_key.values()],
        update_conflicts=True,
        unique_fields=["source", "hour", "dimensions", "field"],
        update_fields=["place", "reason", "sent", "run", "last_seen_at"],
        batch_size=1_000,
    )
    Reject.objects.filter(pk__in=[row[4] for row in stored if row[:3] not in by_key]).delete()
    hours = set(answered)
    after = {
        key
        for key, item in by_key.items()
        if key[0] in hours and is_unplaced(item.field, item.place)
    }
    return StoredRejects(len(found), before != after)


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
