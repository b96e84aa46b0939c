"""The steps of bench.growth; imported once Django is set up."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import connection

from bench.stored import Fill
from cachewatch.verdicts.overview import overview_numbers
from cachewatch.verdicts.services import classify_stale
from ingest.models import Series, Source
from ingest.queries import series_hours

_SIZE = """
SELECT COALESCE(sum(pg_total_relation_size(inhrelid)), 0) FROM pg_inherits
WHERE inhparent = 'ingest_usagebucket'::regclass
"""
_PARTITIONS = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'ingest_usagebucket'::regclass"
DETAIL_HOURS, WINDOW_HOURS = 672, 168


def disk_bytes() -> int:
    """All buckets with their index, after a VACUUM."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ingest_usagebucket")
        cursor.execute(_SIZE)
        return int(cursor.fetchone()[0])


def database_bytes() -> int:
    """The whole database, verdicts too."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def partitions() -> int:
    """How many there are."""
    with connection.cursor() as cursor:
        cursor.execute(_PARTITIONS)
        return int(cursor.fetchone()[0])


def classify_all(source: Source, now: datetime) -> int:
    """Give every series its first verdict."""
    return classify_stale([source], now=now)


def reads(source: Source, fill: Fill) -> dict[str, Callable[[], object]]:
    """What pages read."""
    one = _first_series(source)
    start = fill.end_hour - min(fill.hours, DETAIL_HOURS)
    return {
        "overview": lambda: overview_numbers([source.pk]),
        "hours of 28 days of a series": lambda: series_hours.load_series_hours(
            [one], start, fill.end_hour
        ),
    }


def plans(source: Source, fill: Fill) -> dict[str, tuple[str, list[Any]]]:
    """Statements over the buckets, whose plans must leave old partitions alone."""
    statement = series_hours._LOAD  # noqa: SLF001 -- the plan of the very statement is shown
    every = list(Series.objects.filter(source=source).values_list("pk", flat=True)[:1000])
    end = fill.end_hour
    return {
        "window of 1,000 series": (statement, [every, end - WINDOW_HOURS, end]),
        "28 days of one series": (statement, [[_first_series(source)], end - DETAIL_HOURS, end]),
    }


def partitions_read(statement: str, values: list[Any]) -> list[str]:
    """The partitions that a plan touches."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}", values)
        found = cursor.fetchone()[0]
    document = json.loads(found) if isinstance(found, str) else found
    return sorted(set(_relations(document)))


def _relations(node: Any) -> list[str]:
    if isinstance(node, list):
        return [name for one in node for name in _relations(one)]
    if not isinstance(node, dict):
        return []
    own = str(node.get("Relation Name", ""))
    below = [name for one in node.values() for name in _relations(one)]
    return [own, *below] if own.startswith("ingest_usagebucket_") else below


def _first_series(source: Source) -> int:
    return int(Series.objects.filter(source=source).order_by("pk").values_list("pk", flat=True)[0])
