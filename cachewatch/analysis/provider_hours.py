"""Hours that were bad for everybody: other series of the same generation that were not busier.

Who the others are must not hang on which series are classified together, so a caller that takes
series in parts names them (Witnesses).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import Generation, generation_of
from cachewatch.analysis.contrast import BUSY, MIDDLE, QUIET, nanmedian
from cachewatch.analysis.hour_states import USED, full_hour_states
from cachewatch.analysis.measures import Measures
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.thresholds import (
    PROVIDER_PART,
    PROVIDER_SAME_LOAD,
    PROVIDER_SERIES,
    PROVIDER_SHARE,
    PROVIDER_WITNESSES,
)

LONGEST_SPAN_HOURS = 28 * 24
ONE_THREAD = 2**18  # multiplications from which OpenBLAS takes several threads
BLOCK_SERIES = 256  # falling series whose hours are held as tables at a time


class OtherSeries(NamedTuple):
    """The other series in the same hours.

    Attributes:
        series: how many, of the same generation, cached, and not busier in the busy hours.
        fall: their median fall from the reference to the busy hours; None without any.

    """

    series: int
    fall: float | None

    def explain(self, fall: float) -> bool:
        """They fall by half as much or more, and there are enough of them."""
        enough = self.series >= PROVIDER_SERIES.default and self.fall is not None
        return enough and (self.fall or 0.0) >= PROVIDER_PART.default * fall


NO_OTHERS = OtherSeries(0, None)


class Group(NamedTuple):
    """Series of one generation that others of it are compared with, m of them, over their window.

    Attributes:
        batch: their hours.
        place: int64 (n,), where each series of the batch that is judged stands among them; -1 for
            one that does not.

    """

    batch: SeriesBatch
    place: Ints


@dataclass(frozen=True, eq=False)
class Witnesses:
    """Whom a falling series is compared with.

    Attributes:
        of: the group of a generation, by its name and the day on which a model's contract is looked
            up; asked only for generations of which a series falls.

    """

    of: Callable[[str, date | None], Group]


def first_of_generation(
    models: Iterable[tuple[int, str | None]], name: str, day: date | None
) -> list[int]:
    """The first PROVIDER_WITNESSES series of a generation among (series, model) pairs."""
    same = (series for series, model in models if generation_of(model, day).name == name)
    return list(islice(same, int(PROVIDER_WITNESSES.default)))


def places_among(chosen: Sequence[int], series: Iterable[int]) -> Ints:
    """Where each series stands among the chosen ones; -1 for one that does not."""
    places = {one: place for place, one in enumerate(chosen)}
    return np.array([places.get(one, -1) for one in series], np.int64)


def first_series(batch: SeriesBatch, models: Sequence[str | None]) -> Witnesses:
    """The first series of each generation of the batch that is judged, as its witnesses."""

    def group(name: str, day: date | None) -> Group:
        chosen = first_of_generation(enumerate(models), name, day)
        return Group(
            batch.choose(np.array(chosen, np.int64)), places_among(chosen, range(len(batch)))
        )

    return Witnesses(group)


def other_series(
    witnesses: Witnesses,
    measures: Measures,
    generations: Sequence[Generation],
    candidates: Iterable[int],
    *,
    day: date | None,
) -> dict[int, OtherSeries]:
    """For each candidate series: how the witnesses fared in its hours; `day` is the window's last."""
    of_generation: dict[str, list[int]] = {}
    for index in candidates:
        of_generation.setdefault(generations[index].name, []).append(index)
    found: dict[int, OtherSeries] = {}
    for name, wanted in of_generation.items():
        found |= _in_group(witnesses.of(name, day), measures, wanted)
    return found


def _in_group(group: Group, measures: Measures, wanted: Sequence[int]) -> dict[int, OtherSeries]:
    batch = group.batch
    used = full_hour_states(batch) == USED
    if not used.any():
        return {}
    first = int(min(batch.hour[used].min(), measures.days.hour.min()))
    span = int(max(batch.hour[used].max(), measures.days.hour.max())) - first + 1
    if span > LONGEST_SPAN_HOURS:
        return {}
    tables = np.stack(
        [
            _table(batch, used, values, first, span)
            for values in (batch.requests, batch.input_tokens, batch.cached_tokens)
        ]
    )
    found: dict[int, OtherSeries] = {}
    for start in range(0, len(wanted), BLOCK_SERIES):
        some = np.array(wanted[start : start + BLOCK_SERIES], np.int64)
        found |= _others(_in_hours_of(measures, some, first, span), tables, group.place[some], some)
    return found


def _table(batch: SeriesBatch, used: Bools, values: Floats, first: int, span: int) -> Floats:
    """Values by series and hour (n, span), 0 where an hour is not used."""
    table = np.zeros((len(batch), span))
    table[batch.ids[used], batch.hour[used] - first] = values[used]
    return table


class _Hours(NamedTuple):
    """The hours of falling series that are compared, each (span, f); 1.0 for an hour, else 0.0."""

    reference: Floats
    busy: Floats


def _in_hours_of(measures: Measures, series: Ints, first: int, span: int) -> _Hours:
    days, chosen = measures.days, measures.contrast
    place, lengths = days.hours_of(series)
    group, third, at = days.group[place], measures.thirds.third[place], days.hour[place] - first
    column = np.repeat(np.arange(len(series)), lengths)
    wanted = np.where(chosen.reference_is_middle.ravel()[group], MIDDLE, QUIET)
    kept = chosen.kept.ravel()[group]
    hours = _Hours(np.zeros((span, len(series))), np.zeros((span, len(series))))
    for table, side in zip(hours, (third == wanted, third == BUSY), strict=True):
        table[at[kept & side], column[kept & side]] = 1.0
    return hours


def _products(tables: Floats, side: Floats) -> Floats:
    """tables @ side in parts of one thread each: threads wait for each other on a busy machine."""
    columns = max(1, ONE_THREAD // (tables.shape[1] * tables.shape[2]))
    parts = [tables @ side[:, at : at + columns] for at in range(0, side.shape[1], columns)]
    return np.concatenate(parts, axis=2)


def _others(hours: _Hours, tables: Floats, place: Ints, series: Ints) -> dict[int, OtherSeries]:
    """How all others fared in the hours of some series; `tables` (3, m, span) are whole numbers."""
    (q_reference, i_reference, c_reference), (q_busy, i_busy, c_busy) = (
        _products(tables, side) for side in hours
    )
    share, busy = ratio(c_reference, i_reference), ratio(c_busy, i_busy)
    each, each_busy = (np.maximum(side.sum(axis=0), 1.0) for side in hours)
    flat = q_busy / each_busy <= PROVIDER_SAME_LOAD.default * q_reference / each
    others = np.arange(len(share))[:, None] != place
    counts = others & flat & (share >= PROVIDER_SHARE.default) & ~np.isnan(busy)
    falls = nanmedian(np.where(counts, share - busy, np.nan).T).tolist()
    return {
        index: OtherSeries(count, fall if count else None)
        for index, count, fall in zip(
            series.tolist(), counts.sum(axis=0).tolist(), falls, strict=True
        )
    }
