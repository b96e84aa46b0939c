"""Minutes of one series on one day, asked for where a verdict needs them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.db import IntegrityError, transaction

from ingest.models import Series, SeriesMinutes, Source
from ingest.models.minutes import HOURS_PER_DAY
from ingest.openai_usage.errors import (
    KeyRejected,
    ProviderFailed,
    RateLimited,
    ScopeMissing,
    UsageError,
)
from ingest.openai_usage.minutes import SeriesName
from ingest.queries import queued_minutes
from ingest.services.errors import KeyMissing, KeyUnreadable, SourceError
from ingest.services.keys import ClientOf, client_of
from ingest.services.locks import source_lock
from ingest.services.walks import unforeseen
from ingest.store.minutes import store_minutes

# A day of minutes is evidence of a verdict; verdicts are compared over 28 days, each of a week.
KEPT_DAYS = 35
MOST_AT_ONCE = 20
# What asking again may change: the provider recovers, somebody repairs the key.
_MAY_PASS = (
    ProviderFailed,
    RateLimited,
    KeyRejected,
    ScopeMissing,
    KeyMissing,
    KeyUnreadable,
)
_ANSWERED = (SeriesMinutes.State.FETCHED, SeriesMinutes.State.REFUSED)


class Asked(NamedTuple):
    """The request that waits, or the answer to it; `is_new`: this call made it wait."""

    minutes: SeriesMinutes
    is_new: bool


def ask_for_minutes(
    series: Series, start_hour: int, *, now: datetime, by_hand: bool = False
) -> Asked:
    """Queue the 24 hours of minutes that begin at an hour; one day at a time per series.

    Where one waits already, it is that one. What was read of the day before stays, with its span,
    until it is read again.
    """
    waiting = SeriesMinutes.objects.filter(series=series, state=SeriesMinutes.State.QUEUED)
    before = waiting.first()
    if before is not None:
        return Asked(before, by_hand and _make_by_hand(before))
    try:
        with transaction.atomic():
            return Asked(_queue(series, start_hour, now, by_hand), is_new=True)
    except IntegrityError:  # somebody else asked at the same moment; it may be answered by now
        newest = SeriesMinutes.objects.filter(series=series).order_by("-asked_at", "-day").first()
        if newest is None:
            raise
        return Asked(waiting.first() or newest, is_new=False)


def _queue(series: Series, start_hour: int, now: datetime, by_hand: bool) -> SeriesMinutes:
    """Write the request. Raises IntegrityError where another day of the series waits."""
    request = {
        "state": SeriesMinutes.State.QUEUED,
        "asked_start_hour": start_hour,
        "asked_at": now,
        "by_hand": by_hand,
    }
    day = datetime.fromtimestamp(start_hour * 3600, UTC).date()
    nothing_read = {"start_hour": start_hour, "end_hour": start_hour + HOURS_PER_DAY}
    queued, _ = SeriesMinutes.objects.update_or_create(
        series=series, day=day, defaults=request, create_defaults=request | nothing_read
    )
    if queued.packed is None:
        SeriesMinutes.objects.filter(pk=queued.pk).update(**nothing_read)
        queued.refresh_from_db()
    return queued


def _make_by_hand(waiting: SeriesMinutes) -> bool:
    """Let a request that waits be read in spite of a pause; False where it is so already."""
    if waiting.by_hand:
        return False
    waiting.by_hand = True
    waiting.save(update_fields=["by_hand"])
    return True


def read_waiting_minutes(source: Source, *, now: datetime, client_of: ClientOf = client_of) -> int:
    """Read the days of minutes of a source that wait, oldest first. Returns how many were read.

    It ends where one fails, as the next would too, where the source was paused, and after
    MOST_AT_ONCE.
    Raises SourceBusy where another run reads the source: so one process is at them at a time.
    """
    for read in range(MOST_AT_ONCE):
        asked = queued_minutes(source).first()
        if asked is None:
            return read
        if read_minutes(asked, now=now, client_of=client_of).state not in _ANSWERED:
            return read + 1
    return MOST_AT_ONCE


def read_minutes(
    asked: SeriesMinutes, *, now: datetime, client_of: ClientOf = client_of
) -> SeriesMinutes:
    """Read a queued day of minutes and keep it, or why it could not be had.

    Nothing to do where it is no longer queued, or the source was removed, or paused and nobody
    asked by hand. Raises SourceBusy where another run reads the source. Anything unforeseen is
    noted, and raised.
    """
    with source_lock(asked.series.source):
        asked.refresh_from_db()
        if not queued_minutes(asked.series.source).filter(pk=asked.pk).exists():
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
            name, asked.asked_start_hour, asked.asked_end_hour, _grouping(source)
        )
    store_minutes(asked, usage, now=now)


def _grouping(source: Source) -> list[str]:
    return [name for name in source.grouping if name not in source.refused_grouping]


def _note(asked: SeriesMinutes, code: str, sentence: str, *, may_pass: bool) -> None:
    states = SeriesMinutes.State
    asked.state = states.FAILED if may_pass else states.REFUSED
    asked.reason_code, asked.reason = code, sentence
    asked.save(update_fields=["state", "reason_code", "reason"])
