"""The seam between labelled series and the diagnosis: what a judge may see, and the judges.

A judge takes windows and answers with one verdict code each. It never sees the counterfactuals,
the family or the truth. Everything that calls cachewatch.analysis is in this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cells import CellBatch, cells_from_rows
from cachewatch.analysis.classify import Classification, classify
from cachewatch.analysis.minutes import MinuteDay
from cachewatch.analysis.provider_hours import Group, Witnesses
from cachewatch.analysis.series import (
    SeriesBatch,
    UsageColumns,
    batch_from_rows,
    settled_until_hour,
)
from ingest.simulator.requests import Ints
from tests.accuracy.series import CellName, Floats, LabelledSeries, Rows

SETTLE_MINUTES = 60.0


class UsageSeen(NamedTuple):
    """Usage by unit of time and cell; NaN where not reported. `time` in hours or minutes."""

    time: Ints
    cell: Ints
    requests: Floats
    input: Floats
    cached: Floats
    written: Floats


class Window(NamedTuple):
    """What a judge sees of a series: [first_hour, end_hour), all of it read; `minutes` of one day.

    Hours from `settled_until` on may still change.
    """

    model: str
    first_hour: int
    end_hour: int
    settled_until: int
    cells: tuple[CellName, ...]
    hours: UsageSeen
    minutes: UsageSeen | None


Judge = Callable[[Sequence[Window]], list[str]]


def window_of(
    series: LabelledSeries, *, end_hour: int | None = None, days: int | None = None
) -> Window:
    """The series' window, or the `days` that end at `end_hour` of it."""
    end = series.end_hour if end_hour is None else end_hour
    first = series.first_hour if days is None else end - days * 24
    now_seconds = series.now_seconds - (series.end_hour - end) * 3600
    return Window(
        model=series.model,
        first_hour=first,
        end_hour=end,
        settled_until=settled_until_hour(now_seconds, SETTLE_MINUTES),
        cells=series.cells,
        hours=_between(series.hours, first, end),
        minutes=_between(series.minutes, first * 60, end * 60),
    )


def without_cells(window: Window) -> Window:
    """The same usage as a provider reports it that groups by project and model alone."""
    merged = CellName(None, False, None, window.model)
    return window._replace(cells=(merged,), hours=_merged(window.hours), minutes=None)


def without_minutes(window: Window) -> Window:
    """The same window before anybody fetched its minutes."""
    return window._replace(minutes=None)


def published(windows: Sequence[Window]) -> list[str]:
    """The published rule over whole series."""
    verdicts = classify(batch_of(windows), rules="published")
    return [verdicts.verdict(place) for place in range(len(windows))]


def full(windows: Sequence[Window]) -> list[str]:
    """The product's own rules: cells where named, minutes where fetched."""
    found = classified(windows)
    return [found.verdict(place) for place in range(len(windows))]


def classified(windows: Sequence[Window]) -> Classification:
    """All that the product's own rules find in the windows.

    Each belongs to an organization of its own, so that none is compared with another.
    """
    batch = batch_of(windows)
    nobody = Group(batch.choose(np.zeros(0, np.int64)), np.full(len(batch), -1))
    first_cell = _first_cells(windows)
    return classify(
        batch,
        cells=cells_of(windows),
        models=[window.model for window in windows],
        minutes={
            place: _minute_day(window.minutes, first_cell[place])
            for place, window in enumerate(windows)
            if window.minutes is not None
        },
        witnesses=Witnesses(lambda _generation, _day: nobody),
    )


def cells_of(windows: Sequence[Window]) -> CellBatch:
    """The hours of many windows by cell, whatever their place in time."""
    tables = [window.hours for window in windows]
    pairs = zip(tables, _first_cells(windows), strict=True)
    cell = np.concatenate([seen.cell + first for seen, first in pairs])
    time, requests, tokens, cached, written = (
        np.concatenate([getattr(seen, name) for seen in tables])
        for name in ("time", "requests", "input", "cached", "written")
    )
    owner = np.repeat(np.arange(len(windows)), [len(window.cells) for window in windows])
    found = cells_from_rows(
        UsageColumns(cell, time, requests, tokens, cached, written),
        owner,
        covered_hours=every_hour(windows),
        settled_until=int(every_hour(windows)[-1]) + 1,
        uncached_tokens=tokens - cached - np.nan_to_num(written),
    )
    return replace(found, hours=_each_in_its_window(found.hours, owner[found.hours.ids], windows))


def _first_cells(windows: Sequence[Window]) -> Ints:
    """The place of each window's first cell among the cells of all."""
    return np.cumsum([0, *(len(window.cells) for window in windows[:-1])])


def every_hour(windows: Sequence[Window]) -> Ints:
    """All hours from the first of any window to the last of any."""
    first = min(window.first_hour for window in windows)
    return np.arange(first, max(window.end_hour for window in windows))


def _each_in_its_window(hours: SeriesBatch, owner: Ints, windows: Sequence[Window]) -> SeriesBatch:
    """What is settled, and known of the hour before, is so by the window that owns an hour."""
    first = np.array([window.first_hour for window in windows])
    settled_until = np.array([window.settled_until for window in windows])
    return replace(
        hours,
        settled=hours.hour < settled_until[owner],
        known_before=hours.known_before & (hours.hour > first[owner]),
    )


def _minute_day(seen: UsageSeen, first_cell: int) -> MinuteDay:
    return MinuteDay.of(seen.time, seen.cell + first_cell, seen.requests, seen.input, seen.cached)


def full_without_minutes(windows: Sequence[Window]) -> list[str]:
    """The product's own rules on hours alone."""
    return full([without_minutes(window) for window in windows])


def full_without_cells(windows: Sequence[Window]) -> list[str]:
    """The product's own rules on hours that nobody told by key, batch and tier."""
    return full([without_cells(window) for window in windows])


JUDGES: dict[str, Judge] = {
    "published": published,
    "full": full_without_minutes,
    "full-merged": full_without_cells,
    "full-minutes": full,
}


WITH_MINUTES = ("full-minutes",)  # their minutes are of one day, so they follow no series


def batch_of(windows: Sequence[Window]) -> SeriesBatch:
    """The hours of all windows as one batch, whatever their place in time."""
    tables = [window.hours for window in windows]
    index = np.repeat(np.arange(len(windows)), [len(table.time) for table in tables])
    columns = (
        np.concatenate([getattr(table, name) for table in tables])
        for name in ("time", "requests", "input", "cached", "written")
    )
    hours = every_hour(windows)
    batch = batch_from_rows(
        UsageColumns(index, *columns),
        series_count=len(windows),
        covered_hours=hours,
        settled_until=int(hours[-1]) + 1,
    )
    return _each_in_its_window(batch, batch.ids, windows)


def _between(rows: Rows, first: int, end: int) -> UsageSeen:
    inside = (rows.time >= first) & (rows.time < end)
    return UsageSeen(*(getattr(rows, name)[inside] for name in UsageSeen._fields))


def _merged(seen: UsageSeen) -> UsageSeen:
    found, inverse = np.unique(seen.time, return_inverse=True)
    sums = [np.bincount(inverse, column, len(found)) for column in seen[2:]]
    return UsageSeen(found, np.zeros(len(found), np.int64), *sums)
