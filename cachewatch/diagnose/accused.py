"""The series whose minutes are to be read, and which of their hours may be chosen from."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.series import SeriesBatch, settled_until_hour
from cachewatch.analysis.thresholds import SETTLE_MINUTES
from cachewatch.diagnose.cells import SeriesId
from cachewatch.diagnose.judging import Diagnosis, batch_of, last_days
from ingest.normalise import HourlyUsage


class Accused(NamedTuple):
    """Series of one diagnosis with certain verdicts.

    Attributes:
        since_hour: of each, the first hour that its verdict is about: where a fall began inside the
            window, else the window's start; whole UTC hours since the epoch.
        end_hour: of the window, half-open.
        ids: every series of the batch, in its order.
        batch: their hours.

    """

    since_hour: dict[SeriesId, int]
    end_hour: int
    ids: list[SeriesId]
    batch: SeriesBatch


def accused_of(
    found: Diagnosis,
    usage: HourlyUsage,
    asks: Callable[[Evidence], bool],
    *,
    days: int | None,
    now_seconds: float,
) -> Accused | None:
    """The series of `found` whose evidence asks for minutes; None where there is none.

    `usage`, `days` and `now_seconds`: as of the diagnosis.
    """
    start_hour, end_hour = found.start_hour, found.end_hour
    if start_hour is None or end_hour is None:
        return None
    since = {
        (judged.project_id, judged.model): max(start_hour, judged.evidence.since_hour or 0)
        for judged in found.series
        if asks(judged.evidence)
    }
    if not since:
        return None
    settled_until = settled_until_hour(now_seconds, SETTLE_MINUTES.default)
    ids, batch = batch_of(last_days(usage, days), settled_until)
    return Accused(since, end_hour, ids, batch)
