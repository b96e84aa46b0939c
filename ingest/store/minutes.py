"""The minutes of one series on one day, replaced whole."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
from django.db import transaction
from django.db.models import F

from ingest.models import Series, SeriesMinutes
from ingest.models.minutes import MINUTE_COLUMNS, NOT_REPORTED, pack_minutes
from ingest.openai_usage.minutes import MinuteRow, MinuteUsage
from ingest.store import grouping_label

Cell = tuple[str | None, str | None, bool | None]


def store_minutes(asked: SeriesMinutes, usage: MinuteUsage, *, now: datetime) -> None:
    """Keep what was read for a request, and make the verdict of its series stale.

    One transaction; safe to run twice. `now` is when the answer was fetched.
    """
    cells: dict[Cell, int] = {}
    rows = np.array([_numbers(row, cells) for row in usage.rows], np.int64)
    packed = pack_minutes(rows.reshape(-1, len(MINUTE_COLUMNS)).T)
    with transaction.atomic():
        version = Series.objects.select_for_update().values_list("data_version", flat=True)
        asked.data_version = version.get(pk=asked.series_id)
        asked.state, asked.reason, asked.reason_code = SeriesMinutes.State.FETCHED, "", ""
        asked.start_hour, asked.end_hour = asked.asked_start_hour, asked.asked_end_hour
        asked.fetched_at, asked.notices = now, list(usage.walk.notices)
        asked.hours_read = list(usage.walk.usage.covered_hours)
        asked.grouping = grouping_label(usage.walk.grouping)
        asked.cells, asked.packed = [list(cell) for cell in cells], packed
        asked.save()
        # What a verdict is of: the classifier looks at series whose version moved on.
        Series.objects.filter(pk=asked.series_id).update(data_version=F("data_version") + 1)


def _numbers(row: MinuteRow, cells: dict[Cell, int]) -> Sequence[int]:
    cell = cells.setdefault((row.api_key_id, row.service_tier, row.batch), len(cells))
    counts = (row.requests, row.input_tokens, row.cached_tokens)
    return (row.minute, cell, *(NOT_REPORTED if one is None else one for one in counts))
