"""All that the rules `full` read of a batch, in arrays: service days, contrast, parts, onset."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cachewatch.analysis.cells import CellBatch
from cachewatch.analysis.contrast import QUIET, Contrast, DayThirds, contrast, day_thirds, nanmedian
from cachewatch.analysis.equal_load import (
    EqualLoad,
    Hours,
    differ_at_equal_load,
    equal_load_of_hours,
)
from cachewatch.analysis.gap_test import RISE, GapLimits, GapTest, gap_test
from cachewatch.analysis.length_test import LengthTest
from cachewatch.analysis.onset import Onset, find_onset, find_young
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio, segment_sums
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.service_days import DayHours, DayPools, service_days
from cachewatch.analysis.thresholds import (
    BEYOND_LENGTH,
    GAP_CLOSE,
    GAP_POINTS,
    MIN_CONTRAST_DAYS,
    MIN_DAY_HOURS,
    ONSET_POINTS,
)
from cachewatch.analysis.within_cells import (
    CellHoursInDays,
    CellThirds,
    WithinCells,
    cell_hours_in_days,
    cell_thirds,
    within_cells,
)


@dataclass(frozen=True, eq=False)
class Measures:
    """The measures of n series over D service days.

    Attributes:
        days: the used hours, cut into service days.
        thirds: quiet, middle and busy hours of every day.
        onset: since when the daily fall is what it is; earlier days do not count below.
        contrast: reference against busy hours, on the days that count.
        parts: the daily gap and what cells and prompt length leave of it.
        length: the test of the part beyond prompt length.
        whole, within: the gap test of the gap, and of its part within cells.
        rise: the gap test of the opposite direction.
        reference_share, busy_share: float64 (n,), pooled over the days that count.
        reference_rate, busy_rate: float64 (n,), requests an hour of the same hours.
        adjusted_cached: float64 (U,), cached tokens of each hour with every cell at the share
            that the series has: what a change of cells alone brings is taken out.
        from_reference: bool (U,), hours of the days that count, from the reference load up.
        since_onset: bool (U,), hours of the days since the onset.
        load_order: int64 (U,), the hours in ascending order of requests in each series.

    """

    days: DayHours
    thirds: DayThirds
    onset: Onset
    contrast: Contrast
    parts: WithinCells
    length: LengthTest
    whole: GapTest
    within: GapTest
    rise: GapTest
    reference_share: Floats
    busy_share: Floats
    reference_rate: Floats
    busy_rate: Floats
    adjusted_cached: Floats
    from_reference: Bools
    since_onset: Bools
    load_order: Ints

    @cached_property
    def level(self) -> Floats:
        """Pooled share of each day with enough hours, (n, D); NaN elsewhere."""
        by_day = self.days.pools()
        return np.where(by_day.hours >= MIN_DAY_HOURS.default, by_day.share, np.nan)

    @cached_property
    def level_rate(self) -> Floats:
        """Requests an hour of the same days, (n, D)."""
        by_day = self.days.pools()
        return np.where(by_day.hours >= MIN_DAY_HOURS.default, by_day.rate, np.nan)

    @cached_property
    def at_equal_load(self) -> EqualLoad:
        """How much the hours from the reference load up differ at equal load."""
        return equal_load_of_hours(self._hours, self.from_reference)

    def moves(self, ratio: float, beyond: float) -> Bools:
        """Where all used hours since the onset differ by both limits at equal load, (n,)."""
        return differ_at_equal_load(self._hours, self.since_onset, ratio, beyond)

    @property
    def _hours(self) -> Hours:
        days, cached = self.days, self.adjusted_cached
        columns = (days.series, days.requests, days.input_tokens, cached)
        return Hours(*columns, self.load_order, days.count)

    @cached_property
    def size_change(self) -> Floats:
        """Median day's busy over reference input tokens a request, (n,)."""
        return np.exp(nanmedian(self.parts.size))

    @cached_property
    def hourly_slope(self) -> Floats:
        """Slope of the share on ln(requests) from reference to busy hours, (n,)."""
        rates = ratio(self.busy_rate, self.reference_rate)
        return ratio(-self.within.median, np.log(np.where(rates > 1, rates, np.nan)))

    @property
    def young(self) -> Bools:
        """Where the share falls since one or two days, too few to test, (n,).

        They are the last days of a window that did not fall before, or all that it has.
        """
        some, few = self.within.days > 0, self.within.days < MIN_CONTRAST_DAYS.default
        lowest = np.where(np.isnan(self.parts.within), np.inf, self.parts.within).min(axis=1)
        young: Bools = some & few & ((self.onset.day > 0) | (lowest >= ONSET_POINTS.default))
        return young

    def onset_hour(self, index: int) -> int | None:
        """First hour of the present fall of one series; None = it was there from the start."""
        day = int(self.onset.day[index])
        return self.days.start_hour_of(index, day) if day > 0 else None

    @cached_property
    def beyond(self) -> GapTest:
        """The gap test of the part of the gap beyond prompt length."""
        return self.length.of(np.arange(self.days.count))

    def length_leaves(self, series: Ints) -> Bools:
        """Where a change of prompt length leaves enough of the fall of these series, (f,)."""
        part = BEYOND_LENGTH.default * self.within.median[series]
        asked, place = np.unique(series, return_inverse=True)
        left = self.length.of(asked).median[place]
        leaves: Bools = left >= np.maximum(part, GAP_CLOSE.default)
        return leaves


def measure(
    batch: SeriesBatch, used: Bools, cells: CellBatch, load_order: Ints | None = None
) -> Measures:
    """Measure the series of a batch.

    Args:
        used: bool (N,), the hours that count: linked, settled, all numbers known.
        cells: the same series by cell.
        load_order: of the hours that count, where it is known already (see Measures).

    """
    days = service_days(batch, used)
    thirds = day_thirds(days)
    inside = cell_hours_in_days(cells, days)
    by_cell = cell_thirds(cells, days, thirds.third, inside)
    onset = _onset(by_cell, thirds, days.is_weekend())
    since = onset.since(days.days)
    chosen = contrast(thirds, since)
    parts = within_cells(by_cell, chosen)
    reference, busy = (side.where(chosen.kept).total for side in (chosen.reference, chosen.busy))
    points = _points(parts.within, reference.share)
    limits = GapLimits(points)
    return Measures(
        days=days,
        thirds=thirds,
        onset=onset,
        contrast=chosen,
        parts=parts,
        length=LengthTest(cells, days, thirds.third, inside, by_cell, chosen, points),
        whole=gap_test(parts.gap, reference.share, limits),
        within=gap_test(parts.within, reference.share, limits),
        rise=gap_test(-parts.gap, busy.share, RISE),
        reference_share=reference.share,
        busy_share=busy.share,
        reference_rate=reference.rate,
        busy_rate=busy.rate,
        adjusted_cached=_composition_taken_out(cells, days, inside),
        from_reference=_from_reference(days, thirds, chosen),
        since_onset=since.ravel()[days.group],
        load_order=days.load_order() if load_order is None else load_order,
    )


def _points(gap: Floats, level: Floats) -> Floats:
    """Where a fall is a finding, (n,): it opens at the wider limit and closes at the narrower.

    Open: the days of the window before its last one show it. So a verdict follows from its own
    hours, whatever other days were classified, and in whichever order.
    """
    known = ~np.isnan(gap)
    days_left = known[:, ::-1].cumsum(axis=1)[:, ::-1]
    opened = gap_test(np.where(days_left > 1, gap, np.nan), level).yes
    return np.where(opened, GAP_CLOSE.default, GAP_POINTS.default)


def _onset(by_cell: CellThirds, thirds: DayThirds, weekend: Bools) -> Onset:
    """Since when the daily fall is what it is, where enough days have followed.

    One of them must be a weekday (`weekend`, (n, D)) with the traffic of other days: a weekend and
    the hours of a day that has only begun differ by their traffic.
    """
    whole = contrast(thirds)
    falls, usual = within_cells(by_cell, whole).within, whole.kept & ~weekend
    found = find_onset(falls)
    since = found.since(weekend.shape[1])
    days_since = contrast(thirds, since).kept.sum(axis=1)
    found = found.where((usual & since).any(axis=1) & (days_since >= MIN_CONTRAST_DAYS.default))
    return found.or_else(_young(falls, usual, thirds))


def _young(falls: Floats, usual: Bools, thirds: DayThirds) -> Onset:
    """A fall of one or two days, where the quiet hours lost less than half of what busy ones did."""
    found, known = find_young(falls, usual), ~np.isnan(falls)
    since = found.since(falls.shape[1])

    def lost(third: DayPools) -> Floats:
        before, after = (third.where(known & days).total.share for days in (~since, since))
        loss: Floats = before - after
        return loss

    return found.where(lost(thirds.quiet) < lost(thirds.busy) / 2)


def _from_reference(days: DayHours, thirds: DayThirds, chosen: Contrast) -> Bools:
    """The hours of days that count, from the reference load up, (N,)."""
    quieter = chosen.reference_is_middle.ravel()[days.group] & (thirds.third == QUIET)
    hours: Bools = chosen.kept.ravel()[days.group] & ~quieter
    return hours


def _composition_taken_out(cells: CellBatch, days: DayHours, inside: CellHoursInDays) -> Floats:
    """Cached tokens by hour, minus what the hour's cells alone make of it: nothing for one cell."""
    several = np.flatnonzero(np.bincount(cells.series_of_cell, minlength=days.count) > 1)
    if not len(several):
        return days.cached_tokens
    row, place = inside.of_series(cells, several)
    hours, cell = cells.hours, cells.hours.ids[row]
    tokens, cached = hours.input_tokens[row], hours.cached_tokens[row]
    series = cells.series_of_cell
    by_cell = [segment_sums(values, cell, len(cells)) for values in (tokens, cached)]
    by_series = [segment_sums(values, series, days.count) for values in by_cell]
    own = ratio(by_cell[1], by_cell[0]) - ratio(by_series[1], by_series[0])[series]
    brought = segment_sums(tokens * np.nan_to_num(own)[cell], place, len(days.hour))
    return days.cached_tokens - brought
