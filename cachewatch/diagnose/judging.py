"""From hourly usage to the evidence of every series."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.avoidable import Avoidable
from cachewatch.analysis.classify import Classification, classify
from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.gather import evidences_of
from cachewatch.analysis.reading import Rules
from cachewatch.analysis.segments import Bools, segment_counts
from cachewatch.analysis.series import (
    SeriesBatch,
    batch_from_rows,
    settled_until_hour,
)
from cachewatch.analysis.thresholds import SETTLE_MINUTES, Thresholds
from cachewatch.diagnose.cells import Cells, SeriesId, cells_of, columns_of
from cachewatch.diagnose.claims import Asked, claims_of
from cachewatch.diagnose.doubt import (
    HoursOfSeries,
    cells_without_doubt,
    doubtful_hours,
    without_doubt,
)
from cachewatch.diagnose.minute_rows import MinuteRows, minute_days
from cachewatch.money import BEST_OF_HOURS
from cachewatch.prices import ListBook, PriceBook
from ingest.normalise import HourlyUsage, RejectedValue

HOURS_PER_DAY = 24
LIST_PRICES = ListBook()


@dataclass(frozen=True)
class Judged:
    """One series, its evidence, and what could be saved a week (None: nothing is claimed)."""

    project_id: str | None
    model: str | None
    evidence: Evidence
    claim: Avoidable | None = None


@dataclass(frozen=True)
class Diagnosis:
    """What `diagnose` found.

    Attributes:
        start_hour, end_hour: the window, half-open, whole UTC hours since the epoch; None where
            no hour was read.
        series: every series with traffic, by project and model, null first.
        rejects: what could not be read.
        clipped_hours, future_hours: hours left out of the window's end or edges.
        partly_read_hours: hours with a row that could not be placed, left out of the series that
            it may be of.

    """

    start_hour: int | None
    end_hour: int | None
    series: list[Judged]
    rejects: list[RejectedValue]
    clipped_hours: int
    future_hours: int
    partly_read_hours: int = 0

    @property
    def findings(self) -> int:
        """How many series are findings."""
        return sum(judged.evidence.is_finding for judged in self.series)


def diagnose(
    usage: HourlyUsage,
    *,
    days: int | None,
    now_seconds: float,
    rules: Rules,
    thresholds: Thresholds,
    minutes: Mapping[SeriesId, MinuteRows] | None = None,
    book: PriceBook = LIST_PRICES,
) -> Diagnosis:
    """Classify every project x model series of the usage.

    Args:
        usage: whole hours.
        days: keep this many days before the end of the last hour that was read; None: all hours.
        now_seconds: now, in seconds since the epoch; it decides which hours are settled.
        rules: "full" or "published".
        thresholds: for all series.
        minutes: those of a busy day of some series.
        book: where prices come from; the published rule claims no money.

    """
    recent = partial(last_days, usage, BEST_OF_HOURS // HOURS_PER_DAY)
    usage = last_days(usage, days)
    settled_until = settled_until_hour(now_seconds, SETTLE_MINUTES.default)
    found = _classified(usage, settled_until, rules, thresholds, minutes or {})
    hours = hours_read(usage)
    first, end = min(hours, default=0), max(hours, default=-1) + 1
    asked = Asked(found.ids, found.cells, first, end, settled_until, recent)
    return Diagnosis(
        start_hour=first if hours else None,
        end_hour=end if hours else None,
        series=_judged(found, asked, book),
        rejects=usage.rejects,
        clipped_hours=len(usage.clipped_hours),
        future_hours=len(usage.future_hours),
        partly_read_hours=len(usage.partly_read_hours),
    )


class _Classified(NamedTuple):
    """The series of some usage, their cells (None under the published rule), and what they are."""

    ids: list[SeriesId]
    has_traffic: Bools
    cells: Cells | None
    result: Classification


def _classified(
    usage: HourlyUsage,
    settled_until: int,
    rules: Rules,
    thresholds: Thresholds,
    minutes: Mapping[SeriesId, MinuteRows],
) -> _Classified:
    ids, batch = batch_of(usage, settled_until)
    has_traffic = segment_counts(batch.had_traffic, batch.ids, len(batch)) > 0
    place = {one: number for number, one in enumerate(ids)}
    clipped = np.full(len(ids), len(usage.clipped_hours))
    # The published rule takes no notice of cells, nor of what could not be read.
    cells = None
    if rules != "published":
        doubtful = doubtful_hours(usage, ids)
        clipped += np.array([len(hours) for hours in doubtful], dtype=np.int64)
        batch = without_doubt(batch, doubtful)
        cells = _cells(usage, place, doubtful, settled_until)
    result = classify(
        batch,
        thresholds,
        rules=rules,
        cells=cells.batch if cells else None,
        models=[model for _, model in ids],
        minutes=minute_days(minutes, place, cells),
        clipped_hours=clipped,
    )
    return _Classified(ids, has_traffic, cells, result)


def _judged(found: _Classified, asked: Asked, book: PriceBook) -> list[Judged]:
    """The series with traffic, their evidence and their claims, by name."""
    labels = asked.cells.labels if asked.cells else ()
    evidence = evidences_of(found.result, labels)
    claims = claims_of(found.result, evidence, asked, book)
    series = [
        Judged(*asked.ids[index], evidence[index], claims[index])
        for index in np.flatnonzero(found.has_traffic).tolist()
    ]
    return sorted(series, key=_by_name)


def _cells(
    usage: HourlyUsage, place: Mapping[SeriesId, int], doubtful: HoursOfSeries, settled_until: int
) -> Cells:
    """The cells of the series, without the hours that may hold more than was read."""
    cells = cells_of(usage, place, settled_until)
    return cells._replace(batch=cells_without_doubt(cells.batch, doubtful))


def hours_read(usage: HourlyUsage) -> list[int]:
    """All hours the usage says something whole about, of some series at least."""
    return [*usage.covered_hours, *usage.partly_read_hours]


def last_days(usage: HourlyUsage, days: int | None) -> HourlyUsage:
    """The usage cut to the days before the end of its last hour. None keeps everything."""
    hours = hours_read(usage)
    if days is None or not hours:
        return usage
    first = max(hours) + 1 - days * HOURS_PER_DAY
    return usage._replace(
        rows=[row for row in usage.rows if row.hour >= first],
        covered_hours=[hour for hour in usage.covered_hours if hour >= first],
        clipped_hours=[hour for hour in usage.clipped_hours if hour >= first],
        partly_read_hours=[hour for hour in usage.partly_read_hours if hour >= first],
        rejects=[one for one in usage.rejects if one.hour is None or one.hour >= first],
    )


def batch_of(usage: HourlyUsage, settled_until: int) -> tuple[list[SeriesId], SeriesBatch]:
    """The series of the usage and their hours; all other dimensions are added up."""
    index: dict[SeriesId, int] = {}
    series = [index.setdefault((row.project_id, row.model), len(index)) for row in usage.rows]
    batch = batch_from_rows(
        columns_of(usage.rows, series),
        series_count=len(index),
        covered_hours=hours_read(usage),
        settled_until=settled_until,
    )
    return list(index), batch


def _by_name(judged: Judged) -> tuple[bool, str, bool, str]:
    project, model = judged.project_id, judged.model
    return project is not None, project or "", model is not None, model or ""
