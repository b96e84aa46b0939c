"""Many series in the database, written by Postgres itself in the order in which a backfill would.

The buckets follow a daily load curve; a stated part of the series falls with load.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db import connection

from ingest.models import Source
from ingest.store.partitions import ensure_partitions

END_HOUR = 498_216  # Monday, 2 November 2026, 00:00 UTC
WEEK_HOURS = 168
GROUPING = ("api_key_id", "batch", "service_tier")
MODELS = ("gpt-5.4", "gpt-5.4-mini", "gpt-5.2", "gpt-5.5", "gpt-5.1")

_SERIES = """
INSERT INTO ingest_series (source_id, project_id, model, data_version, first_hour, last_hour)
SELECT %(source)s, 'proj_' || lpad((n / 5)::text, 6, '0'), (%(models)s::text[])[n %% 5 + 1], 1,
    %(first)s, %(end)s - 1
FROM generate_series(0, %(series)s - 1) n
"""
_SLICES = """
INSERT INTO ingest_slice (series_id, grouping, api_key_id, service_tier, batch)
SELECT series.id, %(grouping)s, 'key_' || series.project_id || '_' || cell, 'default', false
FROM ingest_series series, generate_series(1, %(cells)s) cell
WHERE series.source_id = %(source)s ORDER BY series.id, cell
"""
# Every tenth series falls. Noise is a hash, so that the same slice and hour give the same numbers.
_BUCKETS = """
INSERT INTO ingest_usagebucket (slice_id, hour, requests, input_tokens, cached_tokens,
    cache_write_tokens, cache_write_30m_tokens, cache_write_12h_tokens, uncached_tokens,
    output_tokens)
SELECT id, hour, requests, tokens, cached, {writes}, tokens - cached, requests * 210
FROM (
    SELECT id, hour, requests, requests * 3000 AS tokens,
        floor(requests * 3000 * (0.02 * noise + CASE WHEN series_id %% 10 = 0
            THEN 0.78 - 0.4 * day ELSE 0.78 END))::bigint AS cached
    FROM (
        SELECT slice.id, slice.series_id, hour, day, noise,
            round((50 + slice.series_id * 7919 %% 400) * 12 ^ day * (0.9 + 0.2 * noise))::bigint
                AS requests
        FROM ingest_slice slice
        JOIN ingest_series series ON series.id = slice.series_id
        CROSS JOIN generate_series(%(first)s::integer, %(end)s - 1) hour
        CROSS JOIN LATERAL (
            SELECT (1 + cos(2 * pi() * (hour %% 24 - 14) / 24)) / 2 AS day,
                (hashint8(slice.id::bigint * 1000003 + hour) & 1023) / 1023.0 AS noise
        ) shape
        WHERE series.source_id = %(source)s
    ) drawn
    ORDER BY id, hour
) rows
"""
_READ_HOURS = """
INSERT INTO ingest_sourcehour (source_id, hour, fetched_at, grouping)
SELECT %(source)s, hour, to_timestamp((hour + 3) * 3600::bigint), %(grouping)s
FROM generate_series(%(first)s, %(end)s - 1) hour
"""


class Fill(NamedTuple):
    """What is stored: `series` x `hours` up to `end_hour`, each series in so many cells."""

    series: int
    hours: int
    cells: int = 1
    end_hour: int = END_HOUR
    writes_are_reported: bool = True


def now_of(fill: Fill) -> datetime:
    """A moment at which the last stored hour has settled and the next one has not."""
    return datetime.fromtimestamp(fill.end_hour * 3600, UTC) + timedelta(minutes=65)


def make_source(slug: str, base_url: str = "https://usage.example/v1") -> Source:
    """A source without a key."""
    return Source.objects.create(
        slug=slug,
        name=slug.capitalize(),
        base_url=base_url,
        grouping=list(GROUPING),
        created_at=datetime.fromtimestamp(END_HOUR * 3600, UTC),
    )


def fill_source(slug: str, fill: Fill) -> Source:
    """A source whose hours are all read; week by week, the newest first, as a backfill goes."""
    source = make_source(slug)
    first = fill.end_hour - fill.hours
    values: dict[str, Any] = {
        "source": source.pk,
        "series": fill.series,
        "cells": fill.cells,
        "models": list(MODELS),
        "grouping": ",".join(GROUPING),
        "first": first,
        "end": fill.end_hour,
    }
    ensure_partitions(range(first, fill.end_hour))
    writes = "0, 0, 0" if fill.writes_are_reported else "NULL, NULL, NULL"
    with connection.cursor() as cursor:
        cursor.execute(_SERIES, values)
        cursor.execute(_SLICES, values)
        for start in range(fill.end_hour - WEEK_HOURS, first - WEEK_HOURS, -WEEK_HOURS):
            week = {"first": max(start, first), "end": start + WEEK_HOURS}
            cursor.execute(_BUCKETS.format(writes=writes), values | week)
        cursor.execute(_READ_HOURS, values)
        cursor.execute("ANALYZE")
    return source
