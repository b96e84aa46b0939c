"""Reads behind the page of one series: itself, its window, the history of its verdicts."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date, timedelta

from cachewatch.verdicts.browse import with_verdicts
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.records import WINDOW_HOURS
from ingest.models import Series, Slice


def series_by_id(series_id: int, *, source_ids: Collection[int]) -> Series | None:
    """A series of these sources, with `source` and `project_name`; None where there is none."""
    visible = Series.objects.filter(pk=series_id, source_id__in=list(source_ids))
    return with_verdicts(visible).first()


def series_by_ids(source_id: int, project_id: str | None, model: str | None) -> Series | None:
    """The series of a source with these ids, each of which may be null."""
    named = Series.objects.filter(source_id=source_id, project_id=project_id, model=model)
    return with_verdicts(named).first()


def newest_verdict(series: Series) -> Verdict | None:
    """The verdict in force."""
    return Verdict.objects.filter(series=series, is_newest=True).first()


def default_span(series: Series, current_hour: int) -> tuple[int, int]:
    """[start, end) of the hours a series page shows: the verdict's window and the hours since.

    Without a verdict, or with one from long ago, the last 168 hours and the current one.
    """
    verdict = newest_verdict(series)
    end = current_hour + 1
    recent = verdict is not None and verdict.window_start_hour > end - 2 * WINDOW_HOURS
    start = verdict.window_start_hour if verdict is not None and recent else end - WINDOW_HOURS - 1
    return start, end


@dataclass(frozen=True)
class RunOfDays:
    """Consecutive days with one verdict; `end` is not part of it."""

    start: date
    end: date
    code: str
    flipped_from: str | None


def verdict_runs(series: Series) -> list[RunOfDays]:
    """The verdicts of every stored day as runs, oldest first; a day without one ends a run."""
    runs: list[RunOfDays] = []
    days = Verdict.objects.filter(series=series).order_by("day").values_list("day", "code")
    for day, code in days:
        tomorrow = day + timedelta(days=1)
        last = runs[-1] if runs else None
        adjoins = last is not None and last.end == day
        if last is not None and adjoins and last.code == code:
            runs[-1] = replace(last, end=tomorrow)
        else:
            came_from = last.code if last is not None and adjoins else None
            runs.append(RunOfDays(day, tomorrow, code, came_from))
    return runs


def api_key_ids(series: Series) -> list[str]:
    """The ids of the API keys that carried traffic of the series, in order."""
    found = Slice.objects.filter(series=series, api_key_id__isnull=False)
    return sorted({key for key in found.values_list("api_key_id", flat=True) if key is not None})
