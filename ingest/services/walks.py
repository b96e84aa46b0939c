"""One walk over the usage API: fetched, stored, and recorded in an IngestRun."""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import F, JSONField, Value
from django.db.models.expressions import CombinedExpression

from ingest.models import IngestRun, Source
from ingest.openai_usage.errors import KeyRejected, ScopeMissing, UsageError
from ingest.openai_usage.walking import PageProgress, UsageWalk
from ingest.services.errors import KeyMissing, KeyUnreadable, SourceError
from ingest.services.keys import ClientOf
from ingest.store import store_usage

# Errors that only a person can mend; the source's page shows them until a walk succeeds.
_FOR_PEOPLE = (KeyRejected, ScopeMissing, KeyMissing, KeyUnreadable)


class Reading(NamedTuple):
    """How one walk went. `error` is None where its hours are stored."""

    run: IngestRun
    refused_before_hour: int | None  # older hours are beyond the provider's history
    error: UsageError | SourceError | None

    @property
    def needs_people(self) -> bool:
        """Whether trying again is of no use before somebody enters or changes a key."""
        return isinstance(self.error, _FOR_PEOPLE)


def read_hours(
    source: Source,
    start_hour: int,
    end_hour: int,
    *,
    kind: IngestRun.Kind,
    now: datetime,
    client_of: ClientOf,
) -> Reading:
    """Fetch [start_hour, end_hour) and store it; the caller holds the source's lock.

    What the provider refuses, and what only a person can mend, is recorded in the run and
    returned. Anything unforeseen is recorded too, and raised.
    """
    run = IngestRun.objects.create(
        source=source, kind=kind, start_hour=start_hour, end_hour=end_hour, started_at=now
    )
    started_s = time.monotonic()
    error: UsageError | SourceError | None = None
    walk: UsageWalk | None = None
    try:
        walk = _walk(source, run, client_of)
        store_usage(source, walk.usage, run=run, grouping=walk.grouping, now=now)
    except (UsageError, SourceError) as refusal:
        error = refusal
    except BaseException as fault:
        _finish(run, _failed("unforeseen", unforeseen(fault)), started_s)
        raise
    _finish(run, _outcome(walk, error), started_s)
    reading = Reading(run, None if walk is None else walk.refused_before_hour, error)
    _note_on_source(source, reading, walk)
    return reading


def close_interrupted(source: Source, now: datetime) -> None:
    """Mark runs that a stopped process left running; the caller holds the lock."""
    IngestRun.objects.filter(source=source, status=IngestRun.Status.RUNNING).update(
        status=IngestRun.Status.INTERRUPTED,
        finished_at=now,
        error_code="interrupted",
        error="the process was stopped before the walk ended; its hours are read again",
    )


def _walk(source: Source, run: IngestRun, client_of: ClientOf) -> UsageWalk:
    grouping = [name for name in source.grouping if name not in source.refused_grouping]

    def on_page(progress: PageProgress) -> None:
        IngestRun.objects.filter(pk=run.pk).update(pages=progress.pages)

    with client_of(source) as client:
        return client.walk_hours(run.start_hour, run.end_hour, grouping, on_page)


def _outcome(walk: UsageWalk | None, error: UsageError | SourceError | None) -> dict[str, object]:
    if error is not None:
        return _failed(error.code, error.sentence)
    assert walk is not None  # noqa: S101 -- no error means that the walk ended
    return {
        "status": IngestRun.Status.OK,
        "pages": walk.pages,
        "notices": list(walk.notices),
    }


def _failed(code: str, sentence: str) -> dict[str, object]:
    return {"status": IngestRun.Status.FAILED, "error_code": code, "error": sentence}


def unforeseen(fault: BaseException) -> str:
    """The sentence for an error that nobody foresaw."""
    return f"stopped by {type(fault).__name__}; the log of the worker says where"


def _finish(run: IngestRun, outcome: dict[str, object], started_s: float) -> None:
    elapsed = timedelta(seconds=time.monotonic() - started_s)
    IngestRun.objects.filter(pk=run.pk).update(finished_at=run.started_at + elapsed, **outcome)
    run.refresh_from_db()


def _note_on_source(source: Source, reading: Reading, walk: UsageWalk | None) -> None:
    """Keep what the walk taught about the source."""
    changes: dict[str, object] = {}
    if reading.error is None:
        changes["problem"] = ""
        # The read itself proves the scope. Added in the database: others write the row meanwhile.
        granted = Value({"usage": "granted"}, JSONField())
        changes["scopes"] = CombinedExpression(F("scopes"), "||", granted)
    elif reading.needs_people:
        changes["problem"] = reading.error.sentence
    if walk is not None and walk.refused_grouping:
        changes["refused_grouping"] = sorted({*source.refused_grouping, *walk.refused_grouping})
    if reading.refused_before_hour is not None:
        changes["lookback_hour"] = reading.refused_before_hour
    if changes:
        Source.objects.filter(pk=source.pk).update(**changes)
        source.refresh_from_db()
