"""Minutes that the files hold: the busiest complete day of each series that falls, without asking."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cachewatch.analysis.evidence import Evidence
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.service_days import quietest_clock_hour
from cachewatch.analysis.verdict_codes import INCONCLUSIVE, SCATTER
from cachewatch.diagnose.accused import accused_of
from cachewatch.diagnose.cells import SeriesId
from cachewatch.diagnose.judging import HOURS_PER_DAY, Diagnosis
from cachewatch.diagnose.minute_rows import MinuteRows
from cachewatch.diagnose.reading import Say
from ingest.normalise import HourlyUsage
from ingest.openai_usage.file_minutes import FileMinutes


def minutes_in_files(
    found: Diagnosis,
    usage: HourlyUsage,
    held: FileMinutes,
    *,
    days: int | None,
    now_seconds: float,
    say: Say,
) -> Mapping[SeriesId, MinuteRows]:
    """The minutes of the busiest day that the files hold whole, of each accused or doubtful series.

    `found`, `usage`, `days` and `now_seconds`: as of the diagnosis. A series without such a day has
    none, and its verdict stands as the hours have it; how many those are is said in words.
    """
    accused = accused_of(found, usage, _asks, days=days, now_seconds=now_seconds)
    if accused is None or not held.hours:
        return {}
    cut = quietest_clock_hour(accused.batch)
    chosen: dict[SeriesId, int] = {}
    for place, series in enumerate(accused.ids):
        if series not in accused.since_hour:
            continue
        window = accused.since_hour[series], accused.end_hour
        day = busiest_day(_hours_with_minutes(accused.batch, place, held, window), int(cut[place]))
        if day is not None:
            chosen[series] = day
    say(_sentence(len(chosen), len(accused.since_hour)))
    return held.rows_of(chosen)


def _asks(evidence: Evidence) -> bool:
    """What is in the files costs nothing: every doubt is looked at as an accusation is."""
    return evidence.verdict in (SCATTER, INCONCLUSIVE)


def busiest_day(requests: Mapping[int, float], cut: int) -> int | None:
    """The first hour of the busiest 24 hours in a row that are all there; None without any.

    `requests`: by whole UTC hour. A service day, which begins at the clock hour `cut`, goes before
    any other 24 hours; of equally busy ones the newest.
    """
    days = {
        first: sum(requests[first + hour] for hour in range(HOURS_PER_DAY))
        for first in requests
        if all(first + hour in requests for hour in range(HOURS_PER_DAY))
    }
    busy = {first: total for first, total in days.items() if total > 0}
    return max(
        busy,
        key=lambda first: (first % HOURS_PER_DAY == cut, busy[first], first),
        default=None,
    )


def _hours_with_minutes(
    batch: SeriesBatch, place: int, held: FileMinutes, window: tuple[int, int]
) -> dict[int, float]:
    """Requests of the hours in the window that the files hold minute by minute; idle ones: 0.

    Hours that are not settled, or do not report their requests, are left out.
    """
    of_series = slice(int(batch.offsets[place]), int(batch.offsets[place + 1]))
    usable = batch.settled[of_series] & ~np.isnan(batch.requests[of_series])
    hours = dict.fromkeys((h for h in held.hours if window[0] <= h < window[1]), 0.0)
    rows = zip(
        batch.hour[of_series].tolist(),
        batch.requests[of_series].tolist(),
        usable.tolist(),
        strict=True,
    )
    for hour, requests, known in rows:
        if hour in hours and known:
            hours[hour] = requests
        elif hour in hours:
            del hours[hour]
    return hours


def _sentence(judged: int, wanted: int) -> str:
    text = f"minutes of the files: {judged:,} series judged by their busiest complete day"
    left = wanted - judged
    return f"{text}; of {left:,} the files hold no complete day" if left else text
