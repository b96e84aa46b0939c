"""The hours of one series on both sides of a marker, with their service days."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from cachewatch.analysis.equal_load import grouped_median
from cachewatch.analysis.hour_states import AFTER_GAP, USED, full_hour_states
from cachewatch.analysis.readout_thresholds import (
    BUSY_QUANTILE,
    LOW_DAY,
    MIN_BUSY_HOURS,
    QUIET_QUANTILE,
)
from cachewatch.analysis.readouts.windows import Spans
from cachewatch.analysis.segments import Bools, Floats, Ints, ratio, segment_sums
from cachewatch.analysis.series import SeriesBatch
from cachewatch.analysis.service_days import HOURS_PER_DAY, service_days

WEEKDAY_HOURS = 20  # of a weekday, so that its busy end is among them


@dataclass(frozen=True, eq=False)
class Sides:
    """Hours of one series, in order of time, each array (U,).

    Attributes:
        row: where the hour stands in the series' own batch.
        hour: whole UTC hours since the epoch.
        day: number of the service day since the epoch, by the series' own cut.
        weekend: the service day's middle lies on a Saturday or Sunday.
        after: on the after side; the others lie before.
        requests, input_tokens, cached_tokens: all known, requests and input above zero.

    """

    row: Ints
    hour: Ints
    day: Ints
    weekend: Bools
    after: Bools
    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats

    def __len__(self) -> int:
        return len(self.hour)

    @property
    def before(self) -> Bools:
        """The hours before the marker."""
        return ~self.after

    @property
    def log_load(self) -> Floats:
        """ln of requests an hour."""
        return np.log(self.requests)

    @property
    def clock(self) -> Ints:
        """UTC hour of the day."""
        return self.hour % HOURS_PER_DAY

    def where(self, keep: Bools) -> Sides:
        """The marked hours only."""
        return Sides(*(getattr(self, one.name)[keep] for one in fields(self)))

    def split_at(self, hour: int) -> Sides:
        """The before-hours alone, those from `hour` on taken as after."""
        own = self.where(self.before)
        return replace(own, after=own.hour >= hour)

    @property
    def busy(self) -> Bools:
        """Hours at or above the 60th percentile of load before.

        Where the traffic shrank so far that the hours after hardly reach it: at or above their own.
        """
        limits = self._limits(BUSY_QUANTILE.default)
        limit = limits[0] if self._holds(self.requests >= limits[0]) else min(limits)
        busy: Bools = self.requests >= limit
        return busy

    @property
    def quiet(self) -> Bools:
        """Hours at or below the 34th percentile of load before; likewise where the traffic grew."""
        limits = self._limits(QUIET_QUANTILE.default)
        limit = limits[0] if self._holds(self.requests <= limits[0]) else max(limits)
        quiet: Bools = self.requests <= limit
        return quiet

    def _holds(self, chosen: Bools) -> bool:
        """Enough hours after are among them; or no weekday is there yet that could hold some."""
        enough = int((chosen & self.after).sum()) >= MIN_BUSY_HOURS.default
        weekdays = int((self.after & ~self.weekend).sum())
        return enough or weekdays < WEEKDAY_HOURS

    def _limits(self, part: float) -> tuple[float, float]:
        """The quantile of load before and after; that of the other side where one has no hours."""
        sides = [self.requests[mask] for mask in (self.before, self.after)]
        known = [float(np.quantile(load, part)) for load in sides if len(load)]
        return (known[0], known[-1]) if known else (np.inf, np.inf)


def sides_of(series: SeriesBatch, spans: Spans, *, first_hours: bool = False) -> Sides:
    """The hours of both windows that count: linked and settled, or the first ones after a gap.

    Args:
        series: a batch of one.
        spans: the windows; hours between them and around them are left out.
        first_hours: hours that follow an hour without traffic, in place of the linked ones.

    """
    states = full_hour_states(series)
    counts = states == (AFTER_GAP if first_hours else USED)
    inside = (series.hour >= spans.before_start) & (series.hour < spans.before_end)
    inside |= (series.hour >= spans.after_start) & (series.hour < spans.after_end)
    return _sides(series, counts & inside, spans)


def _sides(series: SeriesBatch, used: Bools, spans: Spans) -> Sides:
    near = (series.hour >= spans.before_start) & (series.hour < spans.after_end)
    rows = np.flatnonzero(near)
    days = service_days(
        series.within(spans.before_start, max(spans.after_end, spans.before_end)), used[near]
    )
    return Sides(
        row=rows[used[near]],
        hour=days.hour,
        day=days.day + days.first_day[0],
        weekend=days.is_weekend()[0][days.day] if len(days.hour) else np.zeros(0, dtype=bool),
        after=days.hour >= spans.after_start,
        requests=days.requests,
        input_tokens=days.input_tokens,
        cached_tokens=days.cached_tokens,
    )


def low_days(sides: Sides) -> Bools:
    """Hours of days on which the series has far less traffic than on its usual such day, (U,).

    A day is measured against the median before-hours of its own clock hours and class. Where more
    than half of a side's days are low, that is the side's level and no day of it is low.
    """
    usual = _usual_load(sides)
    known = ~np.isnan(usual)
    days, place = np.unique(sides.day * 2 + sides.after, return_inverse=True)
    load, expected = (
        segment_sums(np.where(known, values, 0.0), place, len(days))
        for values in (sides.requests, usual)
    )
    part = ratio(load, expected)
    low = part < LOW_DAY.default
    for side in (0, 1):
        own = days % 2 == side
        if 2 * low[own].sum() > own.sum():
            low &= ~own
    chosen: Bools = low[place]
    return chosen


def _usual_load(sides: Sides) -> Floats:
    group = sides.weekend * HOURS_PER_DAY + sides.clock
    before = sides.before
    medians = grouped_median(sides.requests[before], group[before], 2 * HOURS_PER_DAY)
    return np.asarray(medians[group])
