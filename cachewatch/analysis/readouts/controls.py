"""Control series: what happened to others at the same time. Chosen on the days before alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt
from statistics import median

import numpy as np

from cachewatch.analysis.cache_generation import day_of_hour, generation_of
from cachewatch.analysis.readout_thresholds import (
    CONTROL_AFTER_HOURS,
    CONTROL_BEFORE_HOURS,
    CONTROL_HIGH,
    CONTROL_LOW,
    CONTROL_TREND,
    MIN_CONTROLS,
    MOST_CANDIDATES,
    MOST_CONTROLS,
)
from cachewatch.analysis.readouts.comparing import Compared, Interval, compare, interval_of
from cachewatch.analysis.readouts.question import Question
from cachewatch.analysis.readouts.sides import Sides, sides_of
from cachewatch.analysis.readouts.smoothing import by_load, rows_of
from cachewatch.analysis.readouts.windows import Spans
from cachewatch.analysis.segments import Bools, segment_sums

MEDIAN_OVER_MEAN = 1.2533  # standard error of a median over that of a mean, normal values
MAD_TO_DEVIATION = 1.4826  # median absolute deviation to standard deviation, likewise


@dataclass(frozen=True)
class ControlSeries:
    """One control: its index and its change in busy hours (points of share), with both shares."""

    index: int
    before: float
    after: float
    change: float
    interval: Interval | None


@dataclass(frozen=True)
class Controls:
    """The controls together.

    Attributes:
        series: those used, the steadiest before first.
        change: their median change; None with fewer than three.
        error: standard error of that median; 0 without a change.

    """

    series: tuple[ControlSeries, ...]
    change: float | None
    error: float

    def interval(self, confidence: float) -> Interval | None:
        """Bounds of the median change; None where there is none."""
        if self.change is None:
            return None
        return interval_of(self.change, self.error, len(self.series) - 1.0, confidence)


NO_CONTROLS = Controls((), None, 0.0)


def rank_controls(question: Question, spans: Spans) -> tuple[int, ...]:
    """Series fit to be controls, the steadiest first: a choice that sees no hour after.

    Of many, those whose traffic is nearest in size are looked at.
    """
    before = spans._replace(after_end=spans.after_start)
    fit = []
    for index in _nearest_in_traffic(question, spans):
        spread = _spread_if_fit(sides_of(question.batch.one(index), before))
        if spread is not None:
            fit.append((spread, index))
    return tuple(index for _, index in sorted(fit))


def controls_of(question: Question, ranked: Sequence[int], spans: Spans) -> Controls:
    """The median change of the steadiest of the ranked series that have enough hours after."""
    used: list[ControlSeries] = []
    for index in ranked:
        if len(used) == int(MOST_CONTROLS.default):
            break
        sides = sides_of(question.batch.one(index), spans)
        change = busy_change(sides)
        if int(sides.after.sum()) >= CONTROL_AFTER_HOURS.default and change.after.hours:
            used.append(_control(index, change))
    if len(used) < MIN_CONTROLS.default:
        return Controls(tuple(used), None, 0.0)
    changes = [one.change for one in used]
    middle = float(median(changes))
    spread = MAD_TO_DEVIATION * float(median(abs(one - middle) for one in changes))
    return Controls(tuple(used), middle, MEDIAN_OVER_MEAN * spread / sqrt(len(changes)))


def _nearest_in_traffic(question: Question, spans: Spans) -> list[int]:
    """Candidates of the target's generation, those of similar input before the marker first."""
    day = day_of_hour(question.marker.from_hour)
    generation = generation_of(question.model, day).name
    batch = question.batch
    inside = (batch.hour >= spans.before_start) & (batch.hour < spans.before_end)
    tokens = np.where(inside, np.nan_to_num(batch.input_tokens), 0.0)
    size = np.log1p(segment_sums(tokens, batch.ids, len(batch)))
    apart = np.abs(size - size[question.target])
    alike = [
        index
        for index in question.candidates
        if generation_of(question.models[index], day).name == generation
    ]
    nearest = sorted(alike, key=lambda index: (apart[index], index))
    return nearest[: int(MOST_CANDIDATES.default)]


def busy_change(sides: Sides) -> Compared:
    """The change of the busy-hour share at equal load."""
    return compare(sides, by_load(sides), sides.cached_tokens, sides.input_tokens, sides.busy)


def points_at_equal_load(sides: Sides, where: Bools) -> tuple[float, int]:
    """The change of the share in the marked hours (U,), in points, and the hours it is of.

    As busy_change for busy hours, but without its error: a fraction of the work.
    """
    wanted = where & sides.after
    kernel = by_load(sides, wanted)
    base, ours = sides.where(sides.before), sides.where(wanted)
    rows = rows_of(kernel, base.input_tokens)
    residual = ours.cached_tokens - ours.input_tokens * (
        rows @ (base.cached_tokens / base.input_tokens)
    )
    known = ~np.isnan(residual)
    total = float(ours.input_tokens[known].sum())
    return (float(residual[known].sum()) / total if total > 0 else nan), int(known.sum())


def _control(index: int, change: Compared) -> ControlSeries:
    expected = change.expected if change.expected is not None else 0.0
    return ControlSeries(
        index, expected, expected + change.change, change.change, change.interval(0.9)
    )


def _spread_if_fit(sides: Sides) -> float | None:
    """Day-to-day spread of the busy share before, if the series may serve as a control."""
    own = sides.where(sides.before)
    if len(own) < CONTROL_BEFORE_HOURS.default:
        return None
    share = float(own.cached_tokens.sum() / own.input_tokens.sum())
    if not CONTROL_LOW.default <= share <= CONTROL_HIGH.default:
        return None
    halves = busy_change(own.split_at(int((own.hour[0] + own.hour[-1]) // 2)))
    if not abs(halves.change) <= CONTROL_TREND.default:  # NaN fails too
        return None
    values = halves.days_after.value
    return float(np.std(values)) if len(values) > 1 else abs(halves.change)
