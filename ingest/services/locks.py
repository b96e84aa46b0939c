"""One walk per source at a time, over all processes and machines; one writer of its settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from ingest.models import Source
from ingest.services.errors import SourceBusy, SourceRemoved

# The first of the two numbers of a Postgres advisory lock; the second is the source's id.
_SOURCE_LOCK = 0x63770002
_SOURCES_LOCK = 0x63770003


@contextmanager
def source_lock(source: Source, *, wait_s: float = 0) -> Iterator[None]:
    """Hold the source's lock, after waiting for at most `wait_s` seconds. Raises SourceBusy.

    A session lock of Postgres: no lifetime to guess, no second store to keep in step, and gone the
    moment the process that held it is, however it died. Waiting is first come, first served, so an
    hourly run that waits goes before the next week of a backfill, which does not wait. It wants a
    connection of its own: a pooler in front of Postgres must pool by session.
    """
    if not _acquire(source.pk, wait_s):
        raise SourceBusy(f"{source.name} is being read by another run")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [_SOURCE_LOCK, source.pk])


@contextmanager
def session_lock(key: int) -> Iterator[bool]:
    """Hold what a number of 64 bits names; yields False at once where another process has it.

    A session lock of Postgres: gone the moment the process that held it is, however it died.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        (held,) = cursor.fetchone()
    try:
        yield bool(held)
    finally:
        if held:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [key])


def hold_row(source: Source) -> None:
    """Lock the source's row to the end of the transaction, and read it again.

    What is changed and saved after it undoes no other writer's work. Raises SourceRemoved.
    """
    standing = Source.objects.select_for_update(no_key=True).filter(removed_at=None)
    try:
        source.refresh_from_db(from_queryset=standing)
    except Source.DoesNotExist:
        raise SourceRemoved(f"{source.name} was removed meanwhile") from None


def lock_list_of_sources() -> None:
    """Let one transaction at a time add or re-key sources, to its end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, 0)", [_SOURCES_LOCK])


def _acquire(source_id: int, wait_s: float) -> bool:
    if wait_s <= 0:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [_SOURCE_LOCK, source_id])
            return bool(cursor.fetchone()[0])
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{wait_s:.0f}s"])
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [_SOURCE_LOCK, source_id])
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            return False
        raise
    return True
