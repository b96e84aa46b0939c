"""Stored minutes of series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db.models import QuerySet

from ingest.models import SeriesMinutes, Source
from ingest.models.minutes import MINUTE_COLUMNS, NOT_REPORTED, Ints, unpack_minutes
from ingest.queries.cell_hours import Floats


@dataclass(frozen=True)
class MinuteColumns:
    """Minutes with traffic of one series, one row a minute and cell, M in all. NaN = not reported."""

    minute: Ints  # (M,), whole minutes since the epoch
    cell: Ints  # (M,), place in SeriesMinutes.cells
    requests: Floats  # (M,)
    input_tokens: Floats  # (M,)
    cached_tokens: Floats  # (M,)


def minute_columns(stored: SeriesMinutes) -> MinuteColumns:
    """The rows of one stored day; none where nothing was read yet."""
    if stored.packed is None:
        rows = np.zeros((len(MINUTE_COLUMNS), 0), np.int64)
    else:
        rows = unpack_minutes(bytes(stored.packed))
    counts = np.where(rows[2:] == NOT_REPORTED, np.nan, rows[2:])
    return MinuteColumns(rows[0], rows[1], *counts)


def minutes_by_series(
    series_ids: Sequence[int], start_hour: int, end_hour: int
) -> dict[int, SeriesMinutes]:
    """Series id -> its newest day of minutes that lies in [start_hour, end_hour), where one was read."""
    found = SeriesMinutes.objects.filter(
        series_id__in=list(series_ids),
        packed__isnull=False,
        start_hour__gte=start_hour,
        end_hour__lte=end_hour,
    )
    return {one.series_id: one for one in found.order_by("start_hour")}


def newest_minutes(series_id: int) -> SeriesMinutes | None:
    """The day asked for last; None where none was."""
    return SeriesMinutes.objects.filter(series_id=series_id).order_by("-asked_at", "-day").first()


def queued_minutes(source: Source) -> QuerySet[SeriesMinutes]:
    """The requests of a source that wait to be read, oldest first; of a paused one those by hand."""
    waiting = SeriesMinutes.objects.filter(series__source=source, state=SeriesMinutes.State.QUEUED)
    if source.removed_at is not None:
        return waiting.none()
    if source.paused:
        waiting = waiting.filter(by_hand=True)
    return waiting.order_by("asked_at", "pk")


def asked_since(source: Source, moment: datetime) -> int:
    """How many days of minutes were asked for since then, but not by hand."""
    of_source = SeriesMinutes.objects.filter(series__source=source, by_hand=False)
    return of_source.filter(asked_at__gte=moment).count()
