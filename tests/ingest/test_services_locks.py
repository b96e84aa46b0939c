"""One walk per source at a time."""

from __future__ import annotations

import pytest
from django.db import connection

from ingest import services
from ingest.models import Source


def test_a_source_that_another_process_reads_is_busy(source: Source) -> None:
    with services.source_lock(source):
        other = connection.copy()
        try:
            with other.cursor() as cursor:
                cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [0x63770002, source.pk])
                assert cursor.fetchone() == (False,)
        finally:
            other.close()


def test_waiting_for_a_busy_source_ends_with_a_sentence_and_leaves_the_connection_usable(
    source: Source,
) -> None:
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [0x63770002, source.pk])
        for wait_s in (0, 1):
            with (
                pytest.raises(services.SourceBusy, match="Acme is being read by another run"),
                services.source_lock(source, wait_s=wait_s),
            ):
                pass
        assert Source.objects.count() == 1
    finally:
        other.close()
    with services.source_lock(source, wait_s=5):
        pass
