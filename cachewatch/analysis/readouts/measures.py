"""The table of measures, in fixed order, each with its numbers and what came of it."""

from __future__ import annotations

from collections.abc import Mapping

from cachewatch.analysis.readout_thresholds import MIN_EFFECT, MIN_FIRST_HOURS, SHOWN_CONFIDENCE
from cachewatch.analysis.readouts.comparing import Compared, Interval
from cachewatch.analysis.readouts.gap_and_rho import Change, gap_change, rho_change
from cachewatch.analysis.readouts.kinds import MEASURES, Direction, Kind, Measure, direction_of
from cachewatch.analysis.readouts.material import Material
from cachewatch.analysis.readouts.result import MeasureReading, Reading

# Decimals in which a change is shown: tenths of a point, hundredths of a correlation, whole tokens.
_SHOWN_DIGITS: Mapping[Measure, int] = {
    "busy_share": 3,
    "quiet_share": 3,
    "gap": 3,
    "pooled_share": 3,
    "first_hour_share": 3,
    "rho": 2,
    "cached_per_request": 0,
}
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
        reading=what_came(name, direction, change, interval, compared.before.ratio),
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
        reading=what_came(name, direction, change, interval, found.before),
    )


def _shown(name: Measure, interval: Interval | None) -> Interval | None:
    """The interval in the digits in which it is read: an end shown as 0.0 is zero."""
    digits = _SHOWN_DIGITS.get(name)
    if interval is None or digits is None:
        return interval
    return round(interval[0], digits), round(interval[1], digits)


def what_came(
    name: Measure,
    direction: Direction,
    change: float | None,
    interval: Interval | None,
    before: float | None,
) -> Reading:
    """What came of a measure that should have gone a certain way, by the digits that are shown.

    `change` and `interval` are in the unit of the measure (0.01 = one point of share); None: unknown.
    """
    interval = _shown(name, interval)
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
