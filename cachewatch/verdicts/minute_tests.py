"""From stored minutes to their test, the form that the classifier takes."""

from __future__ import annotations

from collections.abc import Sequence

from cachewatch.analysis.minutes import MinuteTest, minute_test
from ingest.models import SeriesMinutes
from ingest.queries import minute_columns, minutes_by_series

# Minutes are read anew once their day has left the window; until then the old ones hold.
RENEWAL_HOURS = 48


def load_minute_tests(
    series_ids: Sequence[int], day_window: tuple[int, int]
) -> dict[int, MinuteTest]:
    """Place in `series_ids` -> the test of the series' newest minutes; absent where there are none.

    `day_window`: the verdict's hours [start, end). The day lies in it, or began at most
    RENEWAL_HOURS before; minutes from after it say nothing of it.
    """
    start_hour, end_hour = day_window
    stored = minutes_by_series(series_ids, start_hour - RENEWAL_HOURS, end_hour)
    return {
        place: day_test(stored[series_id])
        for place, series_id in enumerate(series_ids)
        if series_id in stored
    }


def day_test(stored: SeriesMinutes) -> MinuteTest:
    """The test of one stored day."""
    rows = minute_columns(stored)
    return minute_test(rows.minute, rows.requests, rows.input_tokens, rows.cached_tokens)
