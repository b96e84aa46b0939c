"""One writer at a time, held until the end of the transaction by Postgres' advisory locks."""

from __future__ import annotations

from django.db import connection

from ingest.models import Series, Source

# 16 bits that say what is locked, then the number of the row.
_FINDINGS_OF_SOURCE = 0x6378 << 48
_WORK_ON_SERIES = 0x6379 << 48


def try_source(source: Source) -> bool:
    """Hold the findings of a source; False at once where another process has them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_FINDINGS_OF_SOURCE | source.pk])
        (held,) = cursor.fetchone()
    return bool(held)


def hold_series(series: Series) -> None:
    """Hold what people write on a series, where the row to lock may not be there yet."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_WORK_ON_SERIES | series.pk])
