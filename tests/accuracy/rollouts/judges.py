"""The seam between served rollouts and the readouts: what a judge may see, and the judges.

A judge takes a case and a number of days after the marker, and answers with one word. It sees
neither the truth nor the family. Everything that calls cachewatch.analysis is in this file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.before_after import read_out
from cachewatch.analysis.cells import CellBatch, cells_from_rows
from cachewatch.analysis.hour_rates import HourRates
from cachewatch.analysis.rank_correlation import correlate
from cachewatch.analysis.readouts.question import Marker, OtherMarker, Question
from cachewatch.analysis.readouts.result import Readout
from cachewatch.analysis.series import SeriesBatch, UsageColumns, batch_from_rows
from tests.accuracy.rollouts.controls import ControlUsage
from tests.accuracy.rollouts.serving import PRICES_USD, Rollout, Usage

NAIVE_POINTS = 0.05
RHO_FLOOR, RHO_NONE = -0.4, -0.2
WEEK_HOURS = 168


class Case(NamedTuple):
    """What a judge sees: usage of the target by cell and of the others, and the marker."""

    model: str
    kind: str
    first_hour: int
    marker_hour: int
    marked_too: bool
    bills_writes: bool
    cell_models: tuple[str, ...]
    usage: Usage
    others: tuple[tuple[str, Usage], ...]

    def until(self, hour: int) -> Case:
        """The case as it stood when hours below this one were settled."""
        others = tuple((model, _before(usage, hour)) for model, usage in self.others)
        return self._replace(usage=_before(self.usage, hour), others=others)


Judge = Callable[[Case, int], str]


def case_of(rollout: Rollout, controls: Sequence[ControlUsage]) -> Case:
    """The case of a rollout; controls are moved by whole weeks to its window."""
    moved = tuple(
        (one.model, one.usage._replace(hour=one.usage.hour + rollout.first_hour - one.first_hour))
        for one in controls
    )
    return Case(
        model=rollout.model,
        kind=rollout.kind,
        first_hour=rollout.first_hour,
        marker_hour=rollout.marker_hour,
        marked_too=rollout.marked_too,
        bills_writes=rollout.bills_writes,
        cell_models=tuple(cell.model for cell in rollout.cells),
        usage=rollout.usage,
        others=moved,
    )


def question_of(case: Case, days: int, *, controls: bool = True) -> Question:
    """The question that is asked so many days after the marker."""
    now = case.marker_hour + 24 * days
    seen = case.until(now)
    others = seen.others if controls else ()
    marker = Marker(case.kind, case.marker_hour, case.marker_hour)  # type: ignore[arg-type]
    also = OtherMarker("prompt changed", case.marker_hour, case.marker_hour + 1)
    cells = _cells(seen.usage, len(case.cell_models), case.first_hour, now)
    return Question(
        batch=_batch((seen.usage, *(usage for _, usage in others)), case.first_hour, now),
        target=0,
        marker=marker,
        now_hour=now,
        models=[case.model, *(model for model, _ in others)],
        cells=cells,
        rates=_rates(len(cells.hours.hour), bills_writes=case.bills_writes),
        others=(also,) if case.marked_too else (),
        seed=1,
    )


def _rates(hours: int, *, bills_writes: bool) -> HourRates:
    """The prices by which the truth about cost is reckoned."""
    fresh, read, written = PRICES_USD
    usd = (fresh, read, written if bills_writes else np.nan)
    return HourRates(*(np.full(hours, one) for one in usd))


def readout_of(case: Case, days: int, *, controls: bool = True) -> Readout:
    """The product's readout so many days after the marker."""
    return read_out(question_of(case, days, controls=controls))


def readout(case: Case, days: int) -> str:
    """Its word."""
    return readout_of(case, days).state


def naive(case: Case, days: int) -> str:
    """Pooled share of the days after against that of as many weeks before: five points are a word."""
    before, after = (_pooled(case.usage, *span) for span in _spans(case, days))
    change = after - before
    if abs(change) < NAIVE_POINTS:
        return "no-detectable-change"
    return "improved" if change > 0 else "worse"


def note(case: Case, days: int) -> str:
    """The published check: the rank correlation goes to about zero (or falls below its floor)."""
    before, after = (_rho(case.usage, *span) for span in _spans(case, days))
    if before is None or after is None:
        return "collecting"
    if before <= RHO_FLOOR and after > RHO_NONE:
        return "improved"
    if before > RHO_NONE and after <= RHO_FLOOR:
        return "worse"
    return "no-detectable-change"


JUDGES: dict[str, Judge] = {"readout": readout, "naive": naive, "note": note}


def _spans(case: Case, days: int) -> tuple[tuple[int, int], tuple[int, int]]:
    start = case.marker_hour + 1
    return (case.marker_hour - WEEK_HOURS, case.marker_hour), (start, start + 24 * days)


def _pooled(usage: Usage, start: int, end: int) -> float:
    inside = (usage.hour >= start) & (usage.hour < end)
    return float(usage.cached[inside].sum() / usage.input[inside].sum())


def _rho(usage: Usage, start: int, end: int) -> float | None:
    inside = (usage.hour >= start) & (usage.hour < end)
    hours, place = np.unique(usage.hour[inside], return_inverse=True)
    requests, tokens, cached = (
        np.bincount(place, column[inside], len(hours))
        for column in (usage.requests, usage.input, usage.cached)
    )
    return correlate(requests.tolist(), (cached / tokens).tolist())


def _before(usage: Usage, hour: int) -> Usage:
    kept = usage.hour < hour
    return Usage(*(column[kept] for column in usage))


def _columns(tables: Sequence[Usage], index: np.ndarray) -> UsageColumns:
    columns = (
        np.concatenate([getattr(table, name) for table in tables]).astype(float)
        for name in ("requests", "input", "cached", "written")
    )
    hour = np.concatenate([table.hour for table in tables])
    return UsageColumns(index, hour, *columns)


def _batch(tables: Sequence[Usage], first: int, now: int) -> SeriesBatch:
    index = np.repeat(np.arange(len(tables)), [len(table.hour) for table in tables])
    return batch_from_rows(
        _columns(tables, index),
        series_count=len(tables),
        covered_hours=np.arange(first, now),
        settled_until=now,
    )


def _cells(usage: Usage, cells: int, first: int, now: int) -> CellBatch:
    columns = _columns((usage,), usage.cell)
    fresh = usage.input - usage.cached - usage.written
    return cells_from_rows(
        columns,
        np.zeros(cells, np.int64),
        covered_hours=np.arange(first, now),
        settled_until=now,
        uncached_tokens=fresh.astype(float),
    )
