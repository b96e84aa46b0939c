"""What the findings of some usage cost a week, against the best day of all that was read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cachewatch.analysis.avoidable import Avoidable
from cachewatch.analysis.classify import Classification
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.segments import Ints
from cachewatch.analysis.series import SeriesBatch, batch_from_rows
from cachewatch.diagnose.cells import Cells, SeriesId, columns_of
from cachewatch.money import Traffic, claims, decided_of
from cachewatch.prices import PriceBook
from ingest.normalise import HourlyUsage


class Asked(NamedTuple):
    """What was classified of some usage.

    Attributes:
        ids: the series.
        cells: their cells; None under the published rule, which claims nothing.
        first_hour, end_hour: the window, [first_hour, end_hour).
        settled_until: hours below it are settled.
        recent: gives the last 28 days of what was read, which may be more than the window.

    """

    ids: Sequence[SeriesId]
    cells: Cells | None
    first_hour: int
    end_hour: int
    settled_until: int
    recent: Callable[[], HourlyUsage]


def claims_of(
    result: Classification, evidence: Sequence[Evidence], asked: Asked, book: PriceBook
) -> list[Avoidable | None]:
    """The claim of each series of a classification, whose evidence is given, at a book's prices."""
    if asked.cells is None:
        return [None] * len(asked.ids)
    end = min(asked.end_hour, asked.settled_until)
    models = [model for _, model in asked.ids]
    traffic = Traffic(result.batch, models, asked.cells.batch, asked.cells.labels)

    def past(places: Ints) -> SeriesBatch:
        ids = [asked.ids[place] for place in places.tolist()]
        return _hours_of(asked.recent(), ids, asked.settled_until)

    return claims(traffic, decided_of(result, evidence, asked.first_hour, end), book, past)


def _hours_of(usage: HourlyUsage, ids: Sequence[SeriesId], settled_until: int) -> SeriesBatch:
    """The whole hours of these series."""
    place = {one: number for number, one in enumerate(ids)}
    partly = set(usage.partly_read_hours)
    rows = [
        row for row in usage.rows if (row.project_id, row.model) in place and row.hour not in partly
    ]
    return batch_from_rows(
        columns_of(rows, [place[row.project_id, row.model] for row in rows]),
        series_count=len(ids),
        covered_hours=usage.covered_hours,
        settled_until=settled_until,
    )
