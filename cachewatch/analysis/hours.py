"""Hour by hour: the state of each hour of one series, and six-hour points for a small chart."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import isnan
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from cachewatch.analysis.hour_states import HOUR_STATES, full_hour_states
from cachewatch.analysis.load_split import THIRD_NAMES
from cachewatch.analysis.published_rule import apply_rule
from cachewatch.analysis.segments import Floats, Ints, ratio, segment_sums
from cachewatch.analysis.series import SECONDS_PER_HOUR, SeriesBatch, settled_until_hour
from cachewatch.analysis.thresholds import DEFAULTS

NameT = TypeVar("NameT", str, str | None)
POINT_HOURS, POINTS = 6, 28
OPEN, SETTLING_STATE, IDLE = "open", "settling", "no_traffic"
IN_PART, MISSING = "in_part", "missing"
TIMELINE_STATES = (*HOUR_STATES, OPEN, IN_PART, MISSING)


@dataclass(frozen=True)
class SeriesHour:
    """One hour of a series.

    Attributes:
        hour: whole UTC hours since the epoch.
        state: one of TIMELINE_STATES: used, after_gap, unknown_before, settling, open (not over
            yet), no_traffic, missing (not read), in_part (read, but for a row that may be one of
            the series: none of its numbers is known), no_input, no_requests, not_reported.
        requests, input_tokens, cached_tokens, cache_write_tokens: None = not reported; zero in an
            hour that was read and had no traffic.
        share: cached / input; None without input or where one of them is not reported.
        third: "quiet" or "busy" for a used hour of the verdict's window, else None.

    """

    hour: int
    state: str
    requests: int | None
    input_tokens: int | None
    cached_tokens: int | None
    cache_write_tokens: int | None
    share: float | None
    third: str | None


class TimeRange(NamedTuple):
    """Hours start <= hour < end."""

    start: int
    end: int


def hour_timeline(
    batch: SeriesBatch,
    shown: TimeRange,
    window: TimeRange,
    *,
    covered_hours: Collection[int],
    now_seconds: float,
    settle_minutes: float,
    hours_in_part: Collection[int] = (),
) -> list[SeriesHour]:
    """Every hour of `shown`, oldest first, as the rules `full` see it.

    Args:
        batch: a batch of one, with the hours of `shown`.
        shown: the hours to give.
        window: the verdict's hours; the thirds are cut inside it.
        covered_hours: the hours that were read whole.
        now_seconds: now, in seconds since the epoch.
        settle_minutes: an hour is settled when it ended more than that ago.
        hours_in_part: the hours that were read but for a row that may be one of the series.

    """
    states, thirds = _states_and_thirds(batch, window)
    rows = {int(hour): row for row, hour in enumerate(batch.hour)}
    settled_until = settled_until_hour(now_seconds, settle_minutes)
    hours = []
    for hour in range(*shown):
        unread = IN_PART if hour in hours_in_part else MISSING
        idle = IDLE if hour in covered_hours else unread
        state = states.get(hour, idle if hour < settled_until else SETTLING_STATE)
        if (hour + 1) * SECONDS_PER_HOUR > now_seconds:
            state = OPEN
        hours.append(_series_hour(batch, rows.get(hour), hour, state, thirds.get(hour)))
    return hours


def _states_and_thirds(
    batch: SeriesBatch, window: TimeRange
) -> tuple[dict[int, str], dict[int, str | None]]:
    """By hour: states of all hours, the window's own where it differs, and the window's thirds."""
    inside = batch.within(*window)
    codes = full_hour_states(inside)
    split = apply_rule(inside, inside.numbers, codes, [DEFAULTS]).split
    states = _by_hour(batch, full_hour_states(batch), HOUR_STATES)
    states |= _by_hour(inside, codes, HOUR_STATES)
    return states, _by_hour(inside, split.third, THIRD_NAMES)


def _by_hour(
    batch: SeriesBatch, codes: NDArray[np.int8], names: Sequence[NameT]
) -> dict[int, NameT]:
    return {hour: names[code] for hour, code in zip(batch.hour.tolist(), codes, strict=True)}


def _series_hour(
    batch: SeriesBatch, row: int | None, hour: int, state: str, third: str | None
) -> SeriesHour:
    if row is None:
        nothing = 0 if state == IDLE else None
        return SeriesHour(hour, state, nothing, nothing, nothing, nothing, None, None)
    columns = (*batch.numbers, batch.cache_write_tokens)
    requests, tokens, cached, written = (_whole(values[row]) for values in columns)
    share = cached / tokens if cached is not None and tokens else None
    return SeriesHour(hour, state, requests, tokens, cached, written, share, third)


def _whole(value: float) -> int | None:
    return None if isnan(value) else int(value)


class SixHourPoints(NamedTuple):
    """Pooled points of n series, oldest first.

    Attributes:
        start_hour: int64 (points,).
        input_tokens, cached_tokens, share: float64 (n, points); NaN where no settled hour of the
            six has known input and cached tokens.

    """

    start_hour: Ints
    input_tokens: Floats
    cached_tokens: Floats
    share: Floats


def six_hour_points(batch: SeriesBatch, end_hour: int, points: int = POINTS) -> SixHourPoints:
    """Settled hours before `end_hour`, pooled by six."""
    start = end_hour - POINT_HOURS * points
    known = batch.settled & (batch.input_tokens > 0) & ~np.isnan(batch.cached_tokens)
    known &= (batch.hour >= start) & (batch.hour < end_hour)
    cell = batch.ids[known] * points + (batch.hour[known] - start) // POINT_HOURS
    shape, size = (len(batch), points), len(batch) * points
    tokens, cached = (
        segment_sums(values[known], cell, size).reshape(shape)
        for values in (batch.input_tokens, batch.cached_tokens)
    )
    some = tokens > 0
    return SixHourPoints(
        start + POINT_HOURS * np.arange(points, dtype=np.int64),
        np.where(some, tokens, np.nan),
        np.where(some, cached, np.nan),
        ratio(cached, tokens),
    )
