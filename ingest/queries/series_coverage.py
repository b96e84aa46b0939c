"""What was read of each series, hour by hour."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ingest.models import Series, SourceHour
from ingest.queries.unplaced import PartlyRead, partly_read
from ingest.settling import settled_when_read

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
SeriesName = tuple[int, str | None, str | None]  # source id, project, model
_NOBODY: SeriesName = (0, None, None)


class SeriesCoverage(NamedTuple):
    """Three tables (n, end_hour - first_hour), a row for each series."""

    known: Flags  # all of the series was read
    settled: Flags  # the hour was settled when it was last read
    doubtful: Flags  # read, but for a row that may be one of the series


def series_coverage(ids: Ints, first_hour: int, end_hour: int) -> SeriesCoverage:
    """What was read of these series in [first_hour, end_hour); of unknown ids nothing."""
    stored = Series.objects.filter(pk__in=ids.tolist())
    names = {
        row[0]: row[1:] for row in stored.values_list("pk", "source_id", "project_id", "model")
    }
    series: list[SeriesName] = [names.get(pk, _NOBODY) for pk in ids.tolist()]
    of_series = np.array([source_id for source_id, _, _ in series], dtype=np.int64)
    sources, row = np.unique(of_series, return_inverse=True)
    read, settled = _read_whole(sources, first_hour, end_hour)
    found = partly_read(sources.tolist(), first_hour, end_hour)
    partly = _add_partly_read(read, settled, sources, found, first_hour)
    doubtful = partly[row] & _may_lack_a_row(series, found, first_hour, end_hour)
    return SeriesCoverage(read[row] & ~doubtful, settled[row], doubtful)


def _read_whole(sources: Ints, first_hour: int, end_hour: int) -> tuple[Flags, Flags]:
    """Two tables (m, hours): was the hour of the source read whole, and was it settled then."""
    read = np.zeros((len(sources), end_hour - first_hour), dtype=np.bool_)
    settled = read.copy()
    found = SourceHour.objects.filter(
        source__in=sources.tolist(), hour__gte=first_hour, hour__lt=end_hour
    ).values_list("source_id", "hour", "fetched_at", "source__settle_minutes")
    row_of = {source_id: row for row, source_id in enumerate(sources.tolist())}
    for source_id, hour, fetched_at, settle_minutes in found.iterator(chunk_size=10_000):
        cell = row_of[source_id], hour - first_hour
        read[cell] = True
        settled[cell] = settled_when_read(hour, fetched_at, settle_minutes)
    return read, settled


def _add_partly_read(
    read: Flags, settled: Flags, sources: Ints, found: dict[int, PartlyRead], first_hour: int
) -> Flags:
    """Mark in both tables what was read in part, and give a table of it.

    An hour that was read whole after it settled stays so: its rows are never taken away.
    """
    partly = np.zeros_like(read)
    for row, source_id in enumerate(sources.tolist()):
        of_source = found[source_id].is_settled if source_id in found else {}
        for hour, is_settled in of_source.items():
            cell = row, hour - first_hour
            if not (read[cell] and settled[cell]):
                read[cell] = partly[cell] = True
                settled[cell] = is_settled
    return partly


def _may_lack_a_row(
    series: list[SeriesName], found: dict[int, PartlyRead], first_hour: int, end_hour: int
) -> Flags:
    """Table (n, hours): a row without a place that may be one of the series."""
    lacking = np.zeros((len(series), end_hour - first_hour), dtype=np.bool_)
    for place, (source_id, project_id, model) in enumerate(series):
        if source_id in found:
            hours = found[source_id].doubtful.of(project_id, model)
            lacking[place, [hour - first_hour for hour in hours]] = True
    return lacking
