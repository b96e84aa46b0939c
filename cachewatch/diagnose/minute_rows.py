"""From the rows of minutes to the form that the classifier takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cachewatch.analysis.cells import CellLabel
from cachewatch.analysis.minute_cells import places_of_cells
from cachewatch.analysis.minutes import MinuteDay
from cachewatch.diagnose.cells import Cells, SeriesId, numbers
from ingest.openai_usage.minutes import MinuteRow

MinuteRows = Sequence[MinuteRow]


def minute_days(
    minutes: Mapping[SeriesId, MinuteRows], place: Mapping[SeriesId, int], cells: Cells | None
) -> dict[int, MinuteDay]:
    """Place of a series -> its minutes, by the cells of its hours; None: nothing finer is known."""
    return {place[one]: _day(rows, place[one], cells) for one, rows in minutes.items()}


def _day(rows: MinuteRows, series: int, cells: Cells | None) -> MinuteDay:
    labels = [CellLabel(row.api_key_id, row.batch, row.service_tier) for row in rows]
    number = {label: at for at, label in enumerate(dict.fromkeys(labels))}
    found = np.arange(len(number))
    if cells is not None:
        found = places_of_cells(list(number), cells.labels, cells.batch.of_series(series))
    return MinuteDay.of(
        [row.minute for row in rows],
        [found[number[label]] for label in labels],
        numbers([row.requests for row in rows]),
        numbers([row.input_tokens for row in rows]),
        numbers([row.cached_tokens for row in rows]),
    )
