"""From stored minutes to their test, the form that the classifier takes."""

from __future__ import annotations

from collections.abc import Sequence

from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.minute_cells import places_of_cells
from cachewatch.analysis.minutes import MinuteDay, MinuteTest
from cachewatch.analysis.segments import Ints
from cachewatch.analysis.thresholds import MINUTE_RENEWAL
from cachewatch.verdicts.arrays import LoadedCells
from ingest.models import SeriesMinutes
from ingest.queries import minute_columns, minutes_by_series

# Minutes are read anew once their day has left the window; until then the old ones hold.
RENEWAL_HOURS = int(MINUTE_RENEWAL.default)


def load_minute_days(
    series_ids: Sequence[int], day_window: tuple[int, int], cells: LoadedCells
) -> dict[int, MinuteDay]:
    """Place in `series_ids` -> the series' newest day of minutes; absent where there is none.

    `day_window`: the verdict's hours [start, end). The day lies in it, or began at most
    RENEWAL_HOURS before; minutes from after it say nothing of it. `cells`: of the same series.
    """
    start_hour, end_hour = day_window
    stored = minutes_by_series(series_ids, start_hour - RENEWAL_HOURS, end_hour)
    return {
        place: _day(stored[series_id], _places(stored[series_id], cells, place))
        for place, series_id in enumerate(series_ids)
        if series_id in stored
    }


def day_test(stored: SeriesMinutes) -> MinuteTest:
    """The test of one stored day, all its cells together."""
    return _day(stored, None).test()


def _places(stored: SeriesMinutes, cells: LoadedCells, place: int) -> Ints:
    """Which cell of the hours each cell of the minutes is."""
    labels = [CellLabel(key, batch, tier) for key, tier, batch in stored.cells]
    return places_of_cells(labels, cells.labels, cells.batch.of_series(place))


def _day(stored: SeriesMinutes, places: Ints | None) -> MinuteDay:
    rows = minute_columns(stored)
    cell = rows.cell if places is None else places[rows.cell]
    return MinuteDay.of(rows.minute, cell, rows.requests, rows.input_tokens, rows.cached_tokens)
