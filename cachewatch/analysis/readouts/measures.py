"""The table of measures, in fixed order, each with its numbers and what came of it."""

from __future__ import annotations

from cachewatch.analysis.readout_thresholds import MIN_EFFECT, MIN_FIRST_HOURS, SHOWN_CONFIDENCE
from cachewatch.analysis.readouts.comparing import Compared, Interval
from cachewatch.analysis.readouts.gap_and_rho import Change, gap_change, rho_change
from cachewatch.analysis.readouts.kinds import MEASURES, Direction, Kind, Measure, direction_of
from cachewatch.analysis.readouts.material import Material
from cachewatch.analysis.readouts.result import MeasureReading, Reading

_NOT_ALWAYS = ("input_cost_per_request", "first_hour_share")


def measures_of(
    material: Material, kind: Kind, seed: int, *, claims: bool
) -> tuple[MeasureReading, ...]:
    """Every measure that was taken. Without `claims` (still collecting) raw numbers only."""
    found = []
    for name in MEASURES:
        reading = _reading_of(material, kind, name, seed, claims)
        if reading is not None:
            found.append(reading)
    return tuple(found)


def _reading_of(
    material: Material, kind: Kind, name: Measure, seed: int, claims: bool
) -> MeasureReading | None:
    direction = direction_of(kind, name)
    if name == "gap":
        gap = gap_change(material.compared["quiet_share"], material.compared["busy_share"])
        return _of_change(name, gap, material, direction, claims)
    if name == "rho":
        return _of_change(name, rho_change(material.sides, seed), material, direction, claims)
    compared = material.compared[name]
    few = MIN_FIRST_HOURS.default if name == "first_hour_share" else 1
    if name in _NOT_ALWAYS and compared.before.hours < few:
        return None
    return _of_compared(name, compared, direction, claims)


def _of_compared(
    name: Measure, compared: Compared, direction: Direction, claims: bool
) -> MeasureReading:
    known = claims and compared.known
    interval = compared.interval(SHOWN_CONFIDENCE.default) if known else None
    change = compared.change if known else None
    return MeasureReading(
        name=name,
        before=compared.before.ratio,
        after=compared.after.ratio,
        expected=compared.expected if known else None,
        change=change,
        interval=interval,
        before_numerator=compared.before.numerator,
        before_denominator=compared.before.denominator,
        after_numerator=compared.after.numerator,
        after_denominator=compared.after.denominator,
        before_hours=compared.before.hours,
        after_hours=compared.after.hours,
        direction=direction,
        reading=_reading(direction, change, interval, compared.before.ratio),
    )


def _of_change(
    name: Measure, found: Change, material: Material, direction: Direction, claims: bool
) -> MeasureReading:
    change, interval = (found.change, found.interval) if claims else (None, None)
    return MeasureReading(
        name=name,
        before=found.before,
        after=found.after,
        expected=None,
        change=change,
        interval=interval,
        before_numerator=None,
        before_denominator=None,
        after_numerator=None,
        after_denominator=None,
        before_hours=int(material.sides.before.sum()),
        after_hours=int(material.sides.after.sum()),
        direction=direction,
        reading=_reading(direction, change, interval, found.before),
    )


def _reading(
    direction: Direction, change: float | None, interval: Interval | None, before: float | None
) -> Reading:
    """What came of a measure that should have gone a certain way."""
    if change is None or interval is None:
        return "unknown"
    if direction == "same":
        return "as-expected" if abs(change) < MIN_EFFECT.default else "moved"
    if interval[0] <= 0.0 <= interval[1]:
        return "no-change-seen"
    if direction == "any" or before is None:
        return "moved"
    upward = before < 0 if direction == "to-zero" else direction == "up"
    return "as-expected" if (change > 0) == upward else "opposite"
