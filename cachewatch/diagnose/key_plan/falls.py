"""What `cachewatch diagnose` says of series whose keys are planned: misses under load, or a fan-out."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from cachewatch.analysis.controls.control import FIRED
from cachewatch.analysis.examination import FAN_OUT
from cachewatch.analysis.key_advice.advice import LoadFall
from cachewatch.analysis.thresholds import DEFAULTS, SETTLE_MINUTES
from cachewatch.analysis.verdict_codes import SCATTER
from cachewatch.diagnose.cells import SeriesId
from cachewatch.diagnose.file_minutes import minutes_in_files
from cachewatch.diagnose.judging import Judged, diagnose, hours_read
from cachewatch.diagnose.reading import Say
from ingest.usage_files import UsageFiles

_SECONDS_PER_HOUR = 3600


class Found(NamedTuple):
    """Of one series: the shares where misses rise with load, and whether workers start together."""

    fall: LoadFall | None
    fan_out: bool


def found_of(files: UsageFiles, say: Say) -> dict[SeriesId, Found]:
    """Every series of usage pages as `cachewatch diagnose` judges it.

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
    return {(one.project_id, one.model): Found(_fall(one), _fans_out(one)) for one in found.series}


def _fall(one: Judged) -> LoadFall | None:
    quiet, busy = one.evidence.quiet, one.evidence.busy
    if one.evidence.verdict != SCATTER or quiet is None or busy is None:
        return None
    return LoadFall(quiet.share, busy.share)


def _fans_out(one: Judged) -> bool:
    control = one.evidence.control(FAN_OUT)
    return control is not None and control.status == FIRED
