"""Hours that were bad for everybody: other series of the same generation that were not busier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.cache_generation import Generation
from cachewatch.analysis.contrast import BUSY, MIDDLE, QUIET
from cachewatch.analysis.measures import Measures
from cachewatch.analysis.segments import Bools, Floats, ratio
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.thresholds import PROVIDER_PART, PROVIDER_SERIES

LONGEST_SPAN_HOURS = 28 * 24
SAME_LOAD = 1.2  # busy over quiet rate of a series that has no load of its own to fall with
LEAST_SHARE = 0.15


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


def other_series(
    batch: SeriesBatch,
    used: Bools,
    measures: Measures,
    generations: Sequence[Generation],
    candidates: Iterable[int],
) -> dict[int, OtherSeries]:
    """For each candidate series: how the others fared in its hours."""
    wanted = list(candidates)
    if not wanted or len(batch) <= PROVIDER_SERIES.default:
        return {}
    first = int(batch.hour[used].min())
    span = int(batch.hour[used].max()) - first + 1
    if span > LONGEST_SPAN_HOURS:
        return {}
    tables = [
        _table(batch, used, values, first, span)
        for values in (batch.requests, batch.input_tokens, batch.cached_tokens)
    ]
    names = np.array([one.name for one in generations])
    return {
        index: _others(measures, index, tables, first, names == names[index]) for index in wanted
    }


def _table(batch: SeriesBatch, used: Bools, values: Floats, first: int, span: int) -> Floats:
    """Values by series and hour (n, span), 0 where an hour is not used."""
    table = np.zeros((len(batch), span))
    table[batch.ids[used], batch.hour[used] - first] = values[used]
    return table


def _others(
    measures: Measures, index: int, tables: list[Floats], first: int, same: Bools
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
    chosen_others = same & flat & (share >= LEAST_SHARE) & ~np.isnan(busy)
    chosen_others[index] = False
    falls = (share - busy)[chosen_others]
    return OtherSeries(len(falls), float(np.median(falls)) if len(falls) else None)
