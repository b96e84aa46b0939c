"""The minutes of `diagnose --minutes` by the cells of their series' hours."""

from __future__ import annotations

import numpy as np

from cachewatch.analysis.cells import CellLabel
from cachewatch.diagnose.cells import cells_of
from cachewatch.diagnose.minute_rows import minute_days
from ingest.openai_usage.minutes import MinuteRow
from tests.factories import HOUR, hourly_usage, usage_row

SERIES, OTHER = ("proj_a", "gpt-5.4"), ("proj_b", "gpt-5.4")
PLACE = {OTHER: 0, SERIES: 1}


def minute(at, key, *counts):
    return MinuteRow(HOUR * 60 + at, key, "default", False, *counts)


def test_the_keys_of_minutes_are_those_of_the_hours_and_what_is_not_reported_stays_unknown():
    rows = [usage_row(HOUR, api_key_id=key) for key in ("key_2", "key_1")]
    usage = hourly_usage([usage_row(HOUR, project_id="proj_b"), *rows])
    cells = cells_of(usage, PLACE, HOUR + 1)
    minutes = [
        minute(1, "key_2", 3, 300, None),
        minute(0, "key_1", 2, 200, 20),
        minute(0, "x", 1, 9, 9),
    ]
    found = minute_days({SERIES: minutes}, PLACE, cells)
    assert list(found) == [1]
    day = found[1]
    labels = [cells.labels[cell] if cell < len(cells.labels) else None for cell in day.cell]
    assert labels == [
        CellLabel("key_1", False, "default"),
        None,
        CellLabel("key_2", False, "default"),
    ]
    assert (day.minute - HOUR * 60).tolist() == [0, 0, 1]
    assert day.requests.tolist() == [2, 1, 3]
    assert np.isnan(day.cached_tokens).tolist() == [False, False, True]


def test_a_day_without_traffic_has_no_minutes():
    cells = cells_of(hourly_usage([usage_row(HOUR)]), {SERIES: 0}, HOUR + 1)
    found = minute_days({SERIES: []}, {SERIES: 0}, cells)
    assert (len(found[0].minute), found[0].test().minutes) == (0, 0)
