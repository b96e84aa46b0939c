"""Imports whose worker died are read again, by one process at a time, and failed in the end."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from django.db import connection

from cachewatch.evidence.models import EvidenceImport
from cachewatch.evidence.services import is_waiting, recover_dead, states
from cachewatch.evidence.services import sweep_uploads as sweep
from ingest.models import Source
from tests.cachewatch.evidence.logs import imported, left_in, read, waiting
from tests.factories import HOUR, at


def died(row: EvidenceImport, attempts: int) -> None:
    """As a worker leaves it that is killed while it reads."""
    EvidenceImport.objects.filter(pk=row.pk).update(
        state="running", attempts=attempts, bytes_read=5
    )


def test_a_log_whose_worker_died_is_read_again_and_failed_in_the_end(
    acme: Source, folder: Path
) -> None:
    row = waiting(acme, folder).row
    died(row, 1)
    assert recover_dead([acme.pk], now=at(HOUR, 3)) == 1
    row.refresh_from_db()
    assert (row.state, row.bytes_read, is_waiting()) == ("queued", 0, True)
    died(row, 5)
    assert recover_dead(now=at(HOUR, 4)) == 1
    assert recover_dead(now=at(HOUR, 5)) == 0
    row.refresh_from_db()
    assert (row.state, row.error, row.finished_at) == ("failed", states.ENDED_EARLY, at(HOUR, 4))
    assert (sweep(folder), left_in(folder)) == (1, 0)


def test_a_log_that_is_read_again_gives_the_same(acme: Source, folder: Path) -> None:
    row = waiting(acme, folder).row
    died(row, 1)
    recover_dead(now=at(HOUR, 3))
    read(folder, 3)
    row.refresh_from_db()
    assert (row.state, row.requests, row.attempts) == ("done", 33, 2)


def test_an_import_of_which_nothing_waits_is_failed_by_the_next_look(
    acme: Source, folder: Path
) -> None:
    row = imported(acme, folder).row
    EvidenceImport.objects.update(state="running", document=None)
    assert recover_dead([acme.pk], now=at(HOUR, 3)) == 1
    row.refresh_from_db()
    assert (row.state, row.error) == ("failed", states.ENDED_EARLY)


@pytest.mark.django_db(transaction=True)
def test_an_import_that_another_process_reads_is_neither_failed_nor_read_twice(
    folder: Path, acme: Source
) -> None:
    row = waiting(acme, folder).row
    died(row, 1)
    number = states._IMPORT_LOCK | (int(row.content_key[:12], 16) ^ acme.pk)
    with psycopg.connect(_dsn()) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [number])
        assert recover_dead([acme.pk], now=at(HOUR, 3)) == 0
        again = waiting(acme, folder)
        assert (again.is_new, again.row.state, left_in(folder)) == (False, "running", 1)
        other.execute("SELECT pg_advisory_unlock(%s)", [number])
    assert recover_dead([acme.pk], now=at(HOUR, 3)) == 1


@pytest.mark.django_db(transaction=True)
def test_one_log_is_read_at_a_time(folder: Path, acme: Source) -> None:
    waiting(acme, folder)
    with psycopg.connect(_dsn()) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [states._READING_LOCK])
        assert read(folder) is False
        assert is_waiting()


def _dsn() -> str:
    told = connection.settings_dict
    names = {"host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD"}
    parts = {name: told[key] for name, key in names.items() if told[key]}
    return psycopg.conninfo.make_conninfo(dbname=told["NAME"], **parts)
