"""Which series of usage pages have misses that rise with load: what a single prefix does not explain."""

from __future__ import annotations

from functools import partial

from cachewatch.analysis.key_advice.advice import LoadFall
from cachewatch.analysis.thresholds import DEFAULTS, SETTLE_MINUTES
from cachewatch.analysis.verdict_codes import SCATTER
from cachewatch.diagnose.cells import SeriesId
from cachewatch.diagnose.file_minutes import minutes_in_files
from cachewatch.diagnose.judging import Judged, diagnose, hours_read
from cachewatch.diagnose.reading import Say
from ingest.usage_files import UsageFiles

_SECONDS_PER_HOUR = 3600


def falls_of(files: UsageFiles, say: Say) -> dict[SeriesId, LoadFall]:
    """The shares of quiet and busy hours of the series that `cachewatch diagnose` accuses of it.

    All hours of the files are judged, as the plan is made from all of them, and each as settled.
    """
    hours = hours_read(files.usage)
    if not hours:
        return {}
    settled_at = (max(hours) + 1) * _SECONDS_PER_HOUR + SETTLE_MINUTES.default * 60 + 1
    judge = partial(
        diagnose,
        files.usage,
        days=None,
        now_seconds=settled_at,
        rules="full",
        thresholds=DEFAULTS,
    )
    found = judge()
    if files.minutes is not None:
        found = judge(
            minutes=minutes_in_files(
                found, files.usage, files.minutes, days=None, now_seconds=settled_at, say=say
            )
        )
    falls = {(one.project_id, one.model): _fall(one) for one in found.series}
    return {series: fall for series, fall in falls.items() if fall is not None}


def _fall(one: Judged) -> LoadFall | None:
    quiet, busy = one.evidence.quiet, one.evidence.busy
    if one.evidence.verdict != SCATTER or quiet is None or busy is None:
        return None
    return LoadFall(quiet.share, busy.share)
