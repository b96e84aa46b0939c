"""Minutes of one series on one day, asked for where a verdict needs them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import IntegrityError, transaction

from ingest.models import Series, SeriesMinutes, Source
from ingest.openai_usage.errors import ProviderFailed, RateLimited, UsageError
from ingest.openai_usage.minutes import SeriesName
from ingest.services.errors import SourceError
from ingest.services.keys import ClientOf, client_of
from ingest.services.locks import source_lock
from ingest.services.walks import unforeseen
from ingest.store.minutes import store_minutes

HOURS_PER_DAY = 24
# A day of minutes is evidence of a verdict; verdicts are compared over 28 days, each of a week.
KEPT_DAYS = 35
LOCK_WAIT_S = 20.0
_MAY_PASS = (ProviderFailed, RateLimited)


def ask_for_minutes(series: Series, start_hour: int, *, now: datetime) -> SeriesMinutes:
    """Queue the day of minutes that begins at an hour; one at a time per series.

    Returns the request that waits: this one, or the one that waited before. What was read of that
    day before stays until it is read again.
    """
    day = datetime.fromtimestamp(start_hour * 3600, UTC).date()
    asked = {
        "start_hour": start_hour,
        "end_hour": start_hour + HOURS_PER_DAY,
        "state": SeriesMinutes.State.QUEUED,
        "asked_at": now,
    }
    waiting = SeriesMinutes.objects.filter(series=series, state=SeriesMinutes.State.QUEUED)
    before = waiting.first()
    if before is not None:
        return before
    try:
        with transaction.atomic():
            queued, _ = SeriesMinutes.objects.update_or_create(
                series=series, day=day, defaults=asked
            )
    except IntegrityError:  # somebody else asked at the same moment
        return waiting.get()
    return queued


def read_minutes(
    asked: SeriesMinutes, *, now: datetime, client_of: ClientOf = client_of
) -> SeriesMinutes:
    """Read a queued day of minutes and keep it, or why it could not be had.

    Nothing to do where it is no longer queued. Raises SourceBusy where another run reads the source
    for longer than LOCK_WAIT_S. Anything unforeseen is noted, and raised.
    """
    with source_lock(asked.series.source, wait_s=LOCK_WAIT_S):
        asked.refresh_from_db(fields=["state", "start_hour", "end_hour"])
        if asked.state != SeriesMinutes.State.QUEUED:
            return asked
        try:
            _read(asked, now, client_of)
        except (UsageError, SourceError) as error:
            may_pass = isinstance(error, _MAY_PASS)
            _note(asked, error.code, error.sentence, may_pass=may_pass)
        except Exception as fault:
            _note(asked, "unforeseen", unforeseen(fault), may_pass=True)
            raise
    return asked


def forget_old_minutes(*, now: datetime) -> int:
    """Delete days of minutes older than KEPT_DAYS. Returns how many there were."""
    before = (now - timedelta(days=KEPT_DAYS)).date()
    return SeriesMinutes.objects.filter(day__lt=before).delete()[0]


def _read(asked: SeriesMinutes, now: datetime, client_of: ClientOf) -> None:
    series, source = asked.series, asked.series.source
    name = SeriesName(series.project_id, series.model)
    with client_of(source) as client:
        usage = client.walk_series_minutes(
            name, asked.start_hour, asked.end_hour, _grouping(source)
        )
    store_minutes(asked, usage, now=now)


def _grouping(source: Source) -> list[str]:
    return [name for name in source.grouping if name not in source.refused_grouping]


def _note(asked: SeriesMinutes, code: str, sentence: str, *, may_pass: bool) -> None:
    states = SeriesMinutes.State
    asked.state = states.FAILED if may_pass else states.REFUSED
    asked.reason_code, asked.reason = code, sentence
    asked.save(update_fields=["state", "reason_code", "reason"])
