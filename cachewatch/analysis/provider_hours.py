"""Hours that were bad for everybody: other series of the same generation that were not busier.

Who the others are must not hang on which series are classified together, so a caller that takes
series in parts names them (Witnesses).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import Generation, generation_of
from cachewatch.analysis.contrast import BUSY, MIDDLE, QUIET
from cachewatch.analysis.hour_states import USED, full_hour_states
from cachewatch.analysis.measures import Measures
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.thresholds import PROVIDER_PART, PROVIDER_SERIES

LONGEST_SPAN_HOURS = 28 * 24
SAME_LOAD = 1.2  # busy over quiet rate of a series that has no load of its own to fall with
LEAST_SHARE = 0.15
# A median needs no more, and a part of a large source must not read all of it.
WITNESS_SERIES = 500


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


@dataclass(frozen=True, eq=False)
class Witnesses:
    """Series that others are compared with, m of them, over the window of those.

    Attributes:
        batch: their hours.
        models: of each; None = unknown.
        place: int64 (n,), where each series of the batch that is judged stands among them; -1 for
            one that does not.

    """

    batch: SeriesBatch
    models: Sequence[str | None]
    place: Ints

    def __post_init__(self) -> None:
        if len(self.models) != len(self.batch):
            raise ValueError(f"{len(self.models)} models for {len(self.batch)} witnesses")


def first_series(batch: SeriesBatch, models: Sequence[str | None]) -> Witnesses:
    """The first WITNESS_SERIES of the batch that is judged, as its witnesses."""
    count = min(len(batch), WITNESS_SERIES)
    place = np.arange(len(batch))
    place[count:] = -1
    return Witnesses(batch.choose(np.arange(count)), models[:count], place)


def other_series(
    witnesses: Witnesses,
    measures: Measures,
    generations: Sequence[Generation],
    candidates: Iterable[int],
    *,
    day: date | None,
) -> dict[int, OtherSeries]:
    """For each candidate series: how the witnesses fared in its hours; `day` is the window's last."""
    wanted, batch = list(candidates), witnesses.batch
    used = full_hour_states(batch) == USED
    if not wanted or len(batch) <= PROVIDER_SERIES.default or not used.any():
        return {}
    first = int(min(batch.hour[used].min(), measures.days.hour.min()))
    span = int(max(batch.hour[used].max(), measures.days.hour.max())) - first + 1
    if span > LONGEST_SPAN_HOURS:
        return {}
    tables = [
        _table(batch, used, values, first, span)
        for values in (batch.requests, batch.input_tokens, batch.cached_tokens)
    ]
    names = np.array([generation_of(model, day).name for model in witnesses.models])
    found = {}
    for index in wanted:
        others = names == generations[index].name
        if witnesses.place[index] >= 0:
            others[witnesses.place[index]] = False
        found[index] = _others(measures, index, tables, first, others)
    return found


def _table(batch: SeriesBatch, used: Bools, values: Floats, first: int, span: int) -> Floats:
    """Values by series and hour (n, span), 0 where an hour is not used."""
    table = np.zeros((len(batch), span))
    table[batch.ids[used], batch.hour[used] - first] = values[used]
    return table


def _others(
    measures: Measures, index: int, tables: list[Floats], first: int, others: Bools
) -> OtherSeries:
    days, chosen = measures.days, measures.contrast
    low, high = np.searchsorted(days.series, [index, index + 1])
    hours = slice(int(low), int(high))
    day, third = days.day[hours], measures.thirds.third[hours]
    wanted = np.where(chosen.reference_is_middle[index][day], MIDDLE, QUIET)
    kept, at = chosen.kept[index][day], days.hour[hours] - first
    sums = [
        [table[:, at[kept & side]].sum(axis=1) for table in tables]
        for side in (third == wanted, third == BUSY)
    ]
    (q_reference, i_reference, c_reference), (q_busy, i_busy, c_busy) = sums
    share, busy = ratio(c_reference, i_reference), ratio(c_busy, i_busy)
    hours_each = (
        max(int((kept & (third == wanted)).sum()), 1),
        max(int((kept & (third == BUSY)).sum()), 1),
    )
    flat = q_busy / hours_each[1] <= SAME_LOAD * q_reference / hours_each[0]
    falls = (share - busy)[others & flat & (share >= LEAST_SHARE) & ~np.isnan(busy)]
    return OtherSeries(len(falls), float(np.median(falls)) if len(falls) else None)
