"""A series whose share falls with load is examined: does anything speak against load as the cause?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cachewatch.analysis.background import Background, constant_background
from cachewatch.analysis.clock import NOT_TESTED, ClockTest, LoadHours, clock_test
from cachewatch.analysis.doubling import DoublingSlope, doubling_slope
from cachewatch.analysis.levelling import TopSlope, top_slope
from cachewatch.analysis.measures import Measures
from cachewatch.analysis.thresholds import (
    CLEAR_CLOCK,
    CLOCK_FRACTION,
    CLOCK_NOISE,
    HINT_CLOCK,
    HINT_NOISE,
    HINT_OF_FALL,
    NOISE_OF_FALL,
    NOISE_RATIO,
    SHAPE_HOURS,
)

LENGTH = "prompt-length"
CLOCK = "time-of-day"
HIDDEN_TRAFFIC = "hidden-traffic"
BACKGROUND = "constant-background"
FAN_OUT = "fan-out"
LEVELS_OFF = "levels-off"


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


def hours_of(measures: Measures, index: int) -> LoadHours:
    """Hours of one series on the days that count, from its reference load up."""
    days = measures.days
    first, end = np.searchsorted(days.series, [index, index + 1])
    hours = slice(int(first), int(end))
    everything = LoadHours(
        days.clock[hours],
        days.day[hours],
        days.requests[hours],
        days.input_tokens[hours],
        measures.adjusted_cached[hours],
    )
    return everything.at(measures.from_reference[hours])


def examine(measures: Measures, index: int) -> Examination:
    """Examine one series; the first cause that holds is the one.

    Prompt length comes first: it explains the fall itself. Then whether the fall follows the clock,
    whether something else than load moves the share, and whether its shape is that of a constant
    background, of a fan-out, or of something that ends before the busiest hours.
    """
    hours = hours_of(measures, index)
    rates = float(measures.reference_rate[index]), float(measures.busy_rate[index])
    clock = clock_test(hours, rates, float(measures.within.median[index]))
    enough = len(hours) >= SHAPE_HOURS.default
    doubling = doubling_slope(hours) if enough else None
    background = constant_background(hours, rates[1] / rates[0]) if enough else None
    shares = float(measures.reference_share[index]), float(measures.busy_share[index])
    shapes = _Shapes(doubling, background, top_slope(hours, rates, shares))
    cause = _cause(measures, index, clock) or _shape(measures, index, shapes)
    return Examination(cause, clock, *shapes)


def _cause(measures: Measures, index: int, clock: ClockTest) -> str | None:
    """Prompt length, the clock, or something else that moves the share at equal load."""
    noise = float(measures.at_equal_load.ratio[index])
    beyond = float(measures.at_equal_load.beyond[index] / measures.within.median[index])
    if not measures.length_leaves[index]:
        return LENGTH
    if clock.follows_clock and (noise > CLOCK_NOISE.default or _surely(clock)):
        return CLOCK
    moved = noise >= NOISE_RATIO.default and beyond >= NOISE_OF_FALL.default
    if moved and not _clearly_by_load(clock):
        return HIDDEN_TRAFFIC
    hinted = noise >= HINT_NOISE.default and beyond >= HINT_OF_FALL.default
    return HIDDEN_TRAFFIC if hinted and _hints(clock) else None


class _Shapes(NamedTuple):
    """What the share looks like over load."""

    doubling: DoublingSlope | None
    background: Background | None
    top: TopSlope | None


def _shape(measures: Measures, index: int, shapes: _Shapes) -> str | None:
    """Other traffic at a constant rate, a fan-out, or a fall that ends early."""
    if shapes.background and shapes.background.explains(float(measures.within.median[index])):
        return BACKGROUND
    level = float(measures.reference_share[index])
    noise = float(measures.at_equal_load.ratio[index])
    if shapes.doubling and shapes.doubling.looks_like_fan_out(level, noise):
        return FAN_OUT
    return LEVELS_OFF if shapes.top and shapes.top.levels_off(noise) else None


def _surely(clock: ClockTest) -> bool:
    """Even the upper bound of the slope left lies below the limit."""
    return clock.high is not None and clock.high < CLOCK_FRACTION.default


def _clearly_by_load(clock: ClockTest) -> bool:
    """At the same clock hour busier days surely lose most of what the slope over load says."""
    return clock.low is not None and clock.low >= CLEAR_CLOCK.default


def _hints(clock: ClockTest) -> bool:
    """At the same clock hour busier days lose clearly less than the slope over load says."""
    return clock.fraction is not None and clock.fraction < HINT_CLOCK.default
