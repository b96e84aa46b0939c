"""A series whose share falls with load is examined: does anything speak against load as the cause?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.background import Background, constant_backgrounds
from cachewatch.analysis.clock import NOT_TESTED, ClockTest, clock_tests
from cachewatch.analysis.doubling import DoublingSlope, doubling_slopes
from cachewatch.analysis.equal_load import Hours, equal_load_of_hours
from cachewatch.analysis.levelling import TopSlope, top_slopes
from cachewatch.analysis.load_hours import LoadHours
from cachewatch.analysis.measures import Measures
from cachewatch.analysis.segments import Ints, ascending_order
from cachewatch.analysis.thresholds import (
    CLEAR_CLOCK,
    CLOCK_FRACTION,
    CLOCK_NOISE,
    HINT_CLOCK,
    HINT_NOISE,
    HINT_OF_FALL,
    NOISE_OF_FALL,
    NOISE_RATIO,
)

LENGTH = "prompt-length"
CLOCK = "time-of-day"
HIDDEN_TRAFFIC = "hidden-traffic"
BACKGROUND = "constant-background"
FAN_OUT = "fan-out"
LEVELS_OFF = "levels-off"
# Doubts about a fall that the minutes of a busy day outweigh.
SETTLED_BY_MINUTES = frozenset({CLOCK, HIDDEN_TRAFFIC, BACKGROUND, FAN_OUT, LEVELS_OFF})
BLOCK_SERIES = 512  # falling series whose hours are compared at a time


@dataclass(frozen=True)
class Examination:
    """The tests of one falling series.

    Attributes:
        cause: what speaks against load as the cause; None where nothing does.
        clock: the slope left at fixed clock hours.
        doubling: the shape of the fall; None where too few hours are given.
        background: a constant background; likewise.
        top: how the fall goes on in the busiest hours; likewise.

    """

    cause: str | None
    clock: ClockTest
    doubling: DoublingSlope | None
    background: Background | None
    top: TopSlope | None


NOT_EXAMINED = Examination(None, NOT_TESTED, None, None, None)


class _Falling(NamedTuple):
    """A falling series, and what is known of it beside its hours.

    Attributes:
        fall, level: fall of the median day, and reference share.
        noise, beyond: difference at equal load over chance; and beyond it, as a part of the fall.
        length_leaves: a change of prompt length leaves enough of the fall.

    """

    fall: float
    level: float
    noise: float
    beyond: float
    length_leaves: bool


def hours_of(measures: Measures, series: Ints) -> LoadHours:
    """Hours of some series on the days that count, from their reference load up."""
    days = measures.days
    place, counts = days.hours_of(series)
    everything = LoadHours(
        days.clock[place],
        days.day[place],
        days.requests[place],
        days.input_tokens[place],
        measures.adjusted_cached[place],
        np.concatenate(([0], np.cumsum(counts))),
    )
    return everything.at(measures.from_reference[place])


def examine_all(measures: Measures, series: Ints) -> list[Examination]:
    """Examine some series (f,), all at once; the first cause that holds is the one.

    Prompt length comes first: it explains the fall itself. Then whether the fall follows the clock,
    whether something else than load moves the share, and whether its shape is that of a constant
    background, of a fan-out, or of something that ends before the busiest hours.
    """
    found: list[Examination] = []
    for first in range(0, len(series), BLOCK_SERIES):
        found += _examine_some(measures, series[first : first + BLOCK_SERIES])
    return found


def _examine_some(measures: Measures, series: Ints) -> list[Examination]:
    hours = hours_of(measures, series)
    rates = measures.reference_rate[series], measures.busy_rate[series]
    shares = measures.reference_share[series], measures.busy_share[series]
    clocks = clock_tests(hours, rates, measures.within.median[series])
    shapes = map(
        _Shapes,
        doubling_slopes(hours),
        constant_backgrounds(hours, rates[1] / rates[0]),
        top_slopes(hours, rates, shares),
    )
    known = _falling(measures, series, hours)
    return [
        Examination(_cause(one, clock) or _shape(one, shape), clock, *shape)
        for one, clock, shape in zip(known, clocks, shapes, strict=True)
    ]


def _falling(measures: Measures, series: Ints, hours: LoadHours) -> list[_Falling]:
    """What is known of the series beside the shape of their hours."""
    order = ascending_order(hours.requests, hours.offsets)
    columns = (hours.ids, hours.requests, hours.input_tokens, hours.cached_tokens)
    every = np.ones(len(order), dtype=bool)
    differ = equal_load_of_hours(Hours(*columns, order, len(series)), every)
    fall = measures.within.median[series]
    rows = (
        fall,
        measures.reference_share[series],
        differ.ratio,
        differ.beyond / fall,
        measures.length_leaves(series),
    )
    return [_Falling(*one) for one in zip(*(row.tolist() for row in rows), strict=True)]


def _cause(one: _Falling, clock: ClockTest) -> str | None:
    """Prompt length, the clock, or something else that moves the share at equal load."""
    if not one.length_leaves:
        return LENGTH
    if clock.follows_clock and (one.noise > CLOCK_NOISE.default or _surely(clock)):
        return CLOCK
    moved = one.noise >= NOISE_RATIO.default and one.beyond >= NOISE_OF_FALL.default
    if moved and not _clearly_by_load(clock):
        return HIDDEN_TRAFFIC
    hinted = one.noise >= HINT_NOISE.default and one.beyond >= HINT_OF_FALL.default
    return HIDDEN_TRAFFIC if hinted and _hints(clock) else None


class _Shapes(NamedTuple):
    """What the share looks like over load."""

    doubling: DoublingSlope | None
    background: Background | None
    top: TopSlope | None


def _shape(one: _Falling, shapes: _Shapes) -> str | None:
    """Other traffic at a constant rate, a fan-out, or a fall that ends early."""
    if shapes.background and shapes.background.explains(one.fall):
        return BACKGROUND
    if shapes.doubling and shapes.doubling.looks_like_fan_out(one.level, one.noise):
        return FAN_OUT
    return LEVELS_OFF if shapes.top and shapes.top.levels_off(one.noise) else None


def _surely(clock: ClockTest) -> bool:
    """Even the upper bound of the slope left lies below the limit."""
    return clock.high is not None and clock.high < CLOCK_FRACTION.default


def _clearly_by_load(clock: ClockTest) -> bool:
    """At the same clock hour busier days surely lose most of what the slope over load says."""
    return clock.low is not None and clock.low >= CLEAR_CLOCK.default


def _hints(clock: ClockTest) -> bool:
    """At the same clock hour busier days lose clearly less than the slope over load says."""
    return clock.fraction is not None and clock.fraction < HINT_CLOCK.default
