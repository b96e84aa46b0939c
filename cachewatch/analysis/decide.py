"""The rules `full`: from the measures of a batch to one verdict a series.

The order is that of docs/verdicts.md: what forbids a verdict about load first, then the fall and
what speaks against load as its cause, then the other shapes, then the absence of a finding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, TypedDict

import numpy as np

from cachewatch.analysis.accounting import Accounts, accounts_of
from cachewatch.analysis.cache_generation import Generation, day_of_hour, generation_of
from cachewatch.analysis.cells import CellBatch, whole_series_as_cells
from cachewatch.analysis.conditions import BY_CELLS, NO_CELL, PROVIDER_HOURS, Conditions, Fall
from cachewatch.analysis.drill import CellMeasures, measure_large_cells
from cachewatch.analysis.examination import FAN_OUT, LENGTH, NOT_EXAMINED, Examination, examine_all
from cachewatch.analysis.hour_states import USED
from cachewatch.analysis.level import LevelShift, level_shift
from cachewatch.analysis.measures import Measures, measure
from cachewatch.analysis.minutes import CONFIRMED, NO_MINUTES, UNDECIDED, MinuteDay, MinuteTest
from cachewatch.analysis.provider_hours import OtherSeries, Witnesses, first_series, other_series
from cachewatch.analysis.reading import Reading
from cachewatch.analysis.retention import Cold, Sparse, cold_hours, sparse_traffic
from cachewatch.analysis.segments import Ints
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.verdict_codes import INCONCLUSIVE, MIX_SHIFT, SCATTER


class MinutesSeen(NamedTuple):
    """The minutes of what a verdict is about: their test, and what they say (see MinuteTest)."""

    test: MinuteTest
    says: str | None


NOT_SEEN = MinutesSeen(NO_MINUTES, None)


@dataclass(frozen=True, eq=False)
class Decisions:
    """Verdicts of n series, and all that was measured for them.

    Attributes:
        verdict: codes, (n,).
        reason: what decided where the code alone does not say it, else "", (n,).
        cell: int64 (n,), the cell a verdict is about; NO_CELL = the whole series.
        models: of each series; None = unknown.
        generations: the contract of each series' model.
        measures: of the series.
        large_cells: of the cells that are judged alone.
        examined: by series, what was examined of it (or of its cell).
        others: by falling series, how other series fared in its hours.
        minutes: by series, the minutes of it (or of its cell), where they were fetched.
        level, cold, sparse: the other rules' numbers.
        accounts: of each series, what adds up.
        cell_counts: int64 (n,), cells of each series.
        reading: what was decided on.

    """

    verdict: Sequence[str]
    reason: Sequence[str]
    cell: Ints
    models: Sequence[str | None]
    generations: Sequence[Generation]
    measures: Measures
    large_cells: CellMeasures
    examined: Mapping[int, Examination]
    others: Mapping[int, OtherSeries]
    minutes: Mapping[int, MinutesSeen]
    level: LevelShift
    cold: Cold
    sparse: Sparse
    accounts: Sequence[Accounts]
    cell_counts: Ints
    reading: Reading


def decide(
    reading: Reading,
    cells: CellBatch | None = None,
    models: Sequence[str | None] | None = None,
    *,
    minutes: Mapping[int, MinuteDay] | None = None,
    witnesses: Witnesses | None = None,
) -> Decisions:
    """Give every series its verdict under the rules `full`.

    Args:
        reading: of the batch under its hygiene.
        cells: the same hours by cell; None: nothing finer than the series is known.
        models: of each series; None: unknown.
        minutes: by series, the minutes of one of its days where they were fetched.
        witnesses: whom a fall is compared with; None: the first series of the batch.

    """
    batch = reading.batch
    by_cell = whole_series_as_cells(batch) if cells is None else cells
    named = models or [None] * len(batch)
    generations = _generations(batch, named)
    rules = _conditions(reading, by_cell, generations)
    told = _told_apart(minutes or {}, by_cell)
    falls, examined = _examine_falls(rules, told)
    others = _compared(rules, falls, witnesses or first_series(batch, named), generations)
    falls |= _shared(rules, falls, others)
    verdict, reason = rules.in_order(falls)
    about = [_cell(falls.get(i)) for i in range(len(batch))]
    return Decisions(
        verdict=verdict,
        reason=reason,
        cell=np.array(about, np.int64),
        models=named,
        generations=generations,
        examined=examined,
        others=others,
        minutes={i: _minutes_of(rules, i, about[i], day) for i, day in told.items()},
        **_measured(rules, by_cell),
    )


def _last_day(batch: SeriesBatch) -> date | None:
    return day_of_hour(int(batch.hour.max())) if len(batch.hour) else None


def _generations(batch: SeriesBatch, models: Sequence[str | None]) -> list[Generation]:
    day = _last_day(batch)
    known = {model: generation_of(model, day) for model in set(models)}
    return [known[model] for model in models]


class _Measured(TypedDict):
    """What is kept of the measures, whatever was decided."""

    measures: Measures
    large_cells: CellMeasures
    level: LevelShift
    cold: Cold
    sparse: Sparse
    accounts: Sequence[Accounts]
    cell_counts: Ints
    reading: Reading


def _measured(rules: Conditions, cells: CellBatch) -> _Measured:
    count = len(rules.reading.batch)
    return _Measured(
        measures=rules.measures,
        large_cells=rules.large,
        level=rules.shift,
        cold=rules.cold,
        sparse=rules.sparse,
        accounts=rules.accounts,
        cell_counts=np.bincount(cells.series_of_cell, minlength=count),
        reading=rules.reading,
    )


def _conditions(
    reading: Reading, cells: CellBatch, generations: Sequence[Generation]
) -> Conditions:
    """Everything that is measured of all series, before any is examined."""
    order = reading.numbers.linked_hours.load_order
    measures = measure(reading.batch, reading.hour_state == USED, cells, order)
    floor = np.array([one.quiet_floor for one in reading.thresholds])
    return Conditions(
        reading=reading,
        measures=measures,
        large=measure_large_cells(cells, reading.numbers.counted.input_tokens),
        floor=floor,
        shift=level_shift(measures),
        cold=cold_hours(reading, floor),
        sparse=sparse_traffic(reading, generations, measures.thirds.busy.total.rate),
        accounts=accounts_of(cells, len(reading.batch), generations),
    )


def _cell(fall: Fall | None) -> int:
    return NO_CELL if fall is None else fall.cell


def _told_apart(minutes: Mapping[int, MinuteDay], cells: CellBatch) -> dict[int, MinuteDay]:
    """The minutes whose cells are those of the hours."""
    return {i: day for i, day in minutes.items() if day.tells_apart(cells.of_series(i))}


def _examine_falls(
    rules: Conditions, minutes: Mapping[int, MinuteDay]
) -> tuple[dict[int, Fall], dict[int, Examination]]:
    """Every series that falls, or one of whose cells does: what it is, and how it was examined."""
    falls, examined = {}, {}
    for index, tried in _examinations(rules).items():
        falls[index], examined[index] = _chosen(rules, index, tried, minutes.get(index))
    return {i: fall for i, fall in falls.items() if fall.verdict}, examined


def _examinations(rules: Conditions) -> dict[int, list[tuple[int, Examination]]]:
    """By series that may fall: its large cells that fall, the largest fall first, and itself."""
    measures, large = rules.measures, rules.large
    asked = np.flatnonzero(rules.may_fall)
    whole = asked[(measures.within.yes & rules.can_be_cached)[asked]]
    of_whole = dict(zip(whole.tolist(), examine_all(measures, whole), strict=True))
    rows = large.falling_rows(rules.floor)
    of_cells = {index: rows.get(index, []) for index in asked.tolist()}
    flat = np.array([row for some in of_cells.values() for row in some], np.int64)
    found = iter(examine_all(large.measures, flat))
    examined = {
        index: [(int(large.cell[row]), next(found)) for row in some]
        for index, some in of_cells.items()
    }
    for index, one in of_whole.items():
        examined[index].append((NO_CELL, one))
    return examined


def _chosen(
    rules: Conditions,
    index: int,
    examined: Sequence[tuple[int, Examination]],
    minutes: MinuteDay | None,
) -> tuple[Fall, Examination]:
    """What a series is, from what was found of its cells and of itself."""
    tried = [
        (_judged(found, _minutes_of(rules, index, cell, minutes), cell), found)
        for cell, found in examined
    ]
    scattered = [one for one in tried if one[0].verdict == SCATTER]
    if scattered:
        return scattered[0]
    if rules.falls[index] and not rules.measures.within.yes[index]:
        return Fall(MIX_SHIFT, BY_CELLS, NO_CELL), NOT_EXAMINED
    return tried[-1]


def _minutes_of(rules: Conditions, index: int, cell: int, day: MinuteDay | None) -> MinutesSeen:
    """The minutes of a series, or of one cell, since its fall began.

    A cell whose own minutes do not decide is acquitted by those of its series, but never accused.
    """
    if day is None:
        return NOT_SEEN
    own = _own_minutes(rules, index, cell, day)
    if cell == NO_CELL or own.says not in (None, UNDECIDED):
        return own
    whole = _own_minutes(rules, index, NO_CELL, day)
    if whole.says == CONFIRMED:
        return MinutesSeen(own.test, None)
    return own if whole.says in (None, UNDECIDED) else whole


def _own_minutes(rules: Conditions, index: int, cell: int, day: MinuteDay) -> MinutesSeen:
    measures, row = rules.measures_of(index, cell)
    onset_hour = measures.onset_hour(row)
    own = day if cell == NO_CELL else day.of_cell(cell)
    test = (own if onset_hour is None else own.since(onset_hour)).test()
    return MinutesSeen(test, test.says(float(measures.hourly_slope[row])))


def _judged(found: Examination, minutes: MinutesSeen, cell: int) -> Fall:
    """The verdict on a fall whose size and days are beyond doubt."""
    cause, says = found.cause, minutes.says
    if cause == LENGTH:
        return Fall(MIX_SHIFT, LENGTH, cell)
    if cause == FAN_OUT and minutes.test.spread:
        cause = None
    if cause is not None and says in (None, UNDECIDED):
        return Fall(INCONCLUSIVE, cause, cell)
    if says is not None:
        return Fall(SCATTER if says == CONFIRMED else INCONCLUSIVE, says, cell)
    return Fall(SCATTER, "", cell)


def _compared(
    rules: Conditions,
    falls: Mapping[int, Fall],
    witnesses: Witnesses,
    generations: Sequence[Generation],
) -> dict[int, OtherSeries]:
    """How others of the same generation fared in the hours of every fall."""
    last = _last_day(rules.reading.batch)
    return other_series(witnesses, rules.measures, generations, falls, day=last)


def _shared(
    rules: Conditions, falls: Mapping[int, Fall], others: Mapping[int, OtherSeries]
) -> dict[int, Fall]:
    """A fall that others of the same generation share in the same hours is no accusation."""
    fall = rules.measures.whole.median
    return {
        index: Fall(INCONCLUSIVE, PROVIDER_HOURS, NO_CELL)
        for index, found in others.items()
        if falls[index].verdict == SCATTER and found.explain(float(fall[index]))
    }
