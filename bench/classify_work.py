"""The steps of bench.classify; imported once Django is set up."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import psycopg
from django.db import connection, transaction
from psycopg.types.json import Jsonb

from bench.stored import Fill
from cachewatch.verdicts.models import Decision, Verdict
from cachewatch.verdicts.services import CHUNK_SERIES, classify_stale
from ingest.models import Series, Source

_READ = """
SELECT string_agg(int8send(bucket.slice_id), ''), string_agg(int4send(bucket.hour), ''),
    string_agg(int8send(requests), ''), string_agg(int8send(input_tokens), ''),
    string_agg(int8send(cached_tokens), ''), string_agg(int8send(uncached_tokens), '')
FROM ingest_usagebucket bucket JOIN ingest_slice slice ON slice.id = bucket.slice_id
WHERE slice.series_id = ANY(%s) AND bucket.hour >= %s AND bucket.hour < %s
"""
_COLUMNS = [
    str(field.column)
    for field in Verdict._meta.concrete_fields  # noqa: SLF001 -- Django's documented model API
    if not field.primary_key
]


def classify_all(source: Source, now: datetime) -> int:
    """Classify what is stale; how many verdicts were written."""
    return classify_stale([source], now=now)


def forget_verdicts(source: Source) -> None:
    """As before the first classification."""
    Decision.objects.filter(series__source=source).delete()
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE cachewatch_verdict CASCADE")


def written_rows(source: Source) -> list[list[Any]]:
    """The verdict rows as they were written, by series."""
    found = Verdict.objects.filter(series__source=source).order_by("series_id")
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE bench_verdict (LIKE cachewatch_verdict INCLUDING ALL)")
    return [[_sent(getattr(row, name)) for name in _COLUMNS] for row in found]


def empty_copy() -> None:
    """Empty the table that the bare write fills."""
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE bench_verdict")


def bare(source: Source, fill: Fill, rows: list[list[Any]]) -> None:
    """Read the window's rows and write the verdict rows, as many series at a time as the subject."""
    series = list(Series.objects.filter(source=source).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(series), CHUNK_SERIES):
        part = slice(start, start + CHUNK_SERIES)
        with transaction.atomic():
            _read(series[part], fill)
            _write(rows[part])


def _read(series: list[int], fill: Fill) -> None:
    window = (fill.end_hour - fill.hours, fill.end_hour)
    with psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(_READ, [series, *window], binary=True).fetchall()


def _write(rows: list[list[Any]]) -> None:
    names = ", ".join(_COLUMNS)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY bench_verdict ({names}) FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)


class FewStale:
    """A part of the series whose hours have changed since, and how many verdicts that touches."""

    def __init__(self, source: Source, stale: int) -> None:
        self.stale = stale
        self.touched: list[int] = []
        self._source = source

    def make_stale(self) -> None:
        """Everything is up to date but for a few series."""
        from bench.stored import Fill, now_of

        classify_stale([self._source], now=now_of(Fill(1, 1)))
        few = Series.objects.filter(source=self._source).order_by("pk")[: self.stale]
        for one in few:
            one.data_version += 1
            one.save(update_fields=["data_version"])

    def classify(self, now: datetime) -> None:
        """Classify, and note how many verdicts were written."""
        self.touched.append(classify_stale([self._source], now=now))


def _sent(value: Any) -> Any:
    return Jsonb(value) if isinstance(value, dict | list) else value
