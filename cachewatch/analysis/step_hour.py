"""The hour of a step: where, around the day on which the level moved, it did so.

A service day in which it moved holds both levels, so the best split of days names a day, and the
hours around that day name the hour.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cachewatch.analysis.contrast import BUSY, DayThirds
from cachewatch.analysis.segments import Floats, Ints
from cachewatch.analysis.service_days import HOURS_PER_DAY, DayHours
from cachewatch.analysis.thresholds import LEVEL_CONTEXT_DAYS


class Step(NamedTuple):
    """First hour of the new level, and the pooled share before it and since, 0..1."""

    hour: int
    before: float
    after: float


def step_hour(
    days: DayHours, series: int, day: int, busy_of: DayThirds | None = None
) -> Step | None:
    """The step of one series near the start of service day `day`; None without hours on both sides.

    It lies in the last day of the old level or the first of the new one: where two pooled levels
    leave the smallest sum of squares, hours weighted by their input tokens. `busy_of`: only the busy
    hours of these count; None: all hours.
    """
    at = days.slice_of(series)
    hour, tokens, cached = days.hour[at], days.input_tokens[at], days.cached_tokens[at]
    split = days.start_hour_of(series, day)
    near = np.abs(hour - split + 0.5) < LEVEL_CONTEXT_DAYS.default * HOURS_PER_DAY
    if busy_of is not None:
        near &= busy_of.third[at] == BUSY
    may_split = np.abs(hour - split + 0.5) < HOURS_PER_DAY
    place = _best_split(tokens * near, cached * near, may_split & near)
    if place is None:
        return None
    before, after = (
        float(cached[part].sum() / tokens[part].sum())
        for part in (slice(None, place), slice(place, None))
    )
    return Step(int(hour[place]), before, after)


def _best_split(tokens: Floats, cached: Floats, may_split: Ints) -> int | None:
    """First row of the second level; rows without weight are passed over."""
    weight, part = np.cumsum(tokens), np.cumsum(cached)
    rows = np.flatnonzero(may_split & (tokens > 0))
    rows = rows[rows > 0]
    rows = rows[weight[rows - 1] > 0]
    if not len(rows):
        return None
    # What two levels explain; the squares of the hours themselves are the same for every split.
    left, left_part = weight[rows - 1], part[rows - 1]
    right, right_part = weight[-1] - left, part[-1] - left_part
    explained = left_part**2 / left + right_part**2 / right
    return int(rows[np.argmax(explained)])
