"""The 1-minute buckets of usage files: kept as they were read, for the day that a verdict needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ingest.normalise import (
    MINUTES_PER_HOUR,
    SECONDS_PER_HOUR,
    SECONDS_PER_MINUTE,
    SentBucket,
    bucket_kind,
)
from ingest.openai_usage.chaining import GivenPage
from ingest.openai_usage.minutes import MinuteRow, minute_row

HOURS_PER_DAY = 24
SeriesKey = tuple[str | None, str | None]  # project, model


class _Walk(NamedTuple):
    """The minutes of one walk, and the hours of which it holds all sixty."""

    buckets: list[SentBucket]
    hours: frozenset[int]


class FileMinutes:
    """Buckets of a minute by walk, in the order given; the buckets themselves, not copies."""

    def __init__(self, walks: Iterable[Sequence[GivenPage]]) -> None:
        self._walks = [walk for walk in map(_minutes_of, walks) if walk.hours]
        self.hours = frozenset(hour for walk in self._walks for hour in walk.hours)

    def rows_of(self, days: Mapping[SeriesKey, int]) -> dict[SeriesKey, list[MinuteRow]]:
        """The minutes with traffic of a day of each series; `days`: its first hour.

        As for hours, an hour of a series is taken whole from the walk given last that has a row of
        it. Whole UTC hours since the epoch; hours without all their minutes have no rows.
        """
        found: dict[SeriesKey, dict[int, list[MinuteRow]]] = {series: {} for series in days}
        for walk in self._walks:
            held: dict[tuple[SeriesKey, int], list[MinuteRow]] = {}
            for series, hour, row in _rows(walk, days):
                held.setdefault((series, hour), []).append(row)
            for (series, hour), rows in held.items():
                found[series][hour] = rows
        return {
            series: [row for hour in sorted(hours) for row in hours[hour]]
            for series, hours in found.items()
        }


def _minutes_of(walk: Sequence[GivenPage]) -> _Walk:
    """Hours with a row that could not be placed count as not held: it may be of any series."""
    buckets = [
        bucket for _, page in walk for bucket in page.buckets if bucket_kind(bucket) == "minute"
    ]
    minutes: dict[int, set[int]] = {}
    unsure: set[int] = set()
    for bucket in buckets:
        hour = bucket.start_s // SECONDS_PER_HOUR
        minutes.setdefault(hour, set()).add(bucket.start_s // SECONDS_PER_MINUTE)
        if bucket.unplaced_rows:
            unsure.add(hour)
    whole = {hour for hour, seen in minutes.items() if len(seen) == MINUTES_PER_HOUR}
    return _Walk(buckets, frozenset(whole - unsure))


def _rows(walk: _Walk, days: Mapping[SeriesKey, int]) -> Iterable[tuple[SeriesKey, int, MinuteRow]]:
    wanted = {hour for start in days.values() for hour in range(start, start + HOURS_PER_DAY)}
    for bucket in walk.buckets:
        hour = bucket.start_s // SECONDS_PER_HOUR
        if hour not in wanted or hour not in walk.hours:
            continue
        for row in bucket.rows:
            series = row.project_id, row.model
            start = days.get(series)
            if start is not None and start <= hour < start + HOURS_PER_DAY:
                yield series, hour, minute_row(bucket, row)
