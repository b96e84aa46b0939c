"""Reads behind the page of one series: itself, its window, the history of its verdicts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date, timedelta
from math import isclose

from cachewatch.analysis.day_jackknife import DayIntervals, day_intervals
from cachewatch.verdicts.arrays import load_batch
from cachewatch.verdicts.browse import with_verdicts
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.records import WINDOW_HOURS
from ingest.models import Series, Slice

SAME = 1e-6  # of a share or a correlation: far less than any page shows


def series_by_id(series_id: int, *, source_ids: Collection[int]) -> Series | None:
    """A series of these sources, with `source` and `project_name`; None where there is none."""
    visible = Series.objects.filter(pk=series_id, source_id__in=list(source_ids))
    return with_verdicts(visible).first()


def series_by_ids(source_id: int, project_id: str | None, model: str | None) -> Series | None:
    """The series of a source with these ids, each of which may be null."""
    named = Series.objects.filter(source_id=source_id, project_id=project_id, model=model)
    return with_verdicts(named).first()


def newest_verdict(series: Series) -> Verdict | None:
    """The newest verdict, with the decision that stands."""
    newest = Verdict.objects.filter(series=series, is_newest=True)
    return newest.select_related("series__decision").first()


def default_span(series: Series, current_hour: int) -> tuple[int, int]:
    """[start, end) of the hours a series page shows: the verdict's window and the hours since.

    Without a verdict, or with one from long ago, the last 168 hours and the current one.
    """
    verdict = newest_verdict(series)
    end = current_hour + 1
    recent = verdict is not None and verdict.window_start_hour > end - 2 * WINDOW_HOURS
    start = verdict.window_start_hour if verdict is not None and recent else end - WINDOW_HOURS - 1
    return start, end


def load_intervals(series: Series, verdict: Verdict) -> DayIntervals | None:
    """How sure the verdict's gap and rank correlation are, from its hours as they are stored.

    None where that cannot be stated, and where hours changed since, so that the numbers are others.
    """
    start = verdict.window_start_hour
    found = day_intervals(load_batch([series.pk], start, verdict.window_end_hour), start)
    if found is None or verdict.rho is None:
        return None
    if verdict.quiet_share is None or verdict.busy_share is None:
        return None
    gap = verdict.busy_share - verdict.quiet_share
    same = isclose(found.gap_now, gap, abs_tol=SAME) and isclose(
        found.rho_now, verdict.rho, abs_tol=SAME
    )
    return found if same else None


@dataclass(frozen=True)
class RunOfDays:
    """Consecutive days with one verdict; `end` is not part of it.

    `rules_changed`: it flipped on a day that was judged by another version of the rules than the
    day before, so that the traffic need not have changed.
    """

    start: date
    end: date
    code: str
    flipped_from: str | None
    rules_changed: bool


def verdict_runs(series: Series) -> list[RunOfDays]:
    """The verdicts of every stored day as runs, oldest first; a day without one ends a run."""
    runs: list[RunOfDays] = []
    rules = ""
    days = Verdict.objects.filter(series=series).order_by("day")
    for day, code, version in days.values_list("day", "code", "rules_version"):
        tomorrow = day + timedelta(days=1)
        last = runs[-1] if runs else None
        before = last if last is not None and last.end == day else None
        if before is not None and before.code == code:
            runs[-1] = replace(before, end=tomorrow)
        else:
            came_from = None if before is None else before.code
            changed = before is not None and version != rules
            runs.append(RunOfDays(day, tomorrow, code, came_from, changed))
        rules = version
    return runs


def api_key_ids(series: Series) -> list[str]:
    """The ids of the API keys that carried traffic of the series, in order."""
    found = Slice.objects.filter(series=series, api_key_id__isnull=False)
    return sorted({key for key in found.values_list("api_key_id", flat=True) if key is not None})
