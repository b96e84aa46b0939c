"""The change that gives the word: in which units, net of whom, and whether it is there."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, inf, isnan, nan

from scipy.stats import t as student_t

from cachewatch.analysis.readout_thresholds import (
    COST_EFFECT,
    DETECTED,
    LONE_FACTOR,
    MIN_EFFECT,
    SHOWN_CONFIDENCE,
)
from cachewatch.analysis.readouts.comparing import Interval, interval_of
from cachewatch.analysis.readouts.controls import Controls
from cachewatch.analysis.readouts.kinds import Measure
from cachewatch.analysis.readouts.material import Material

COMPARABLE: tuple[Measure, ...] = ("busy_share", "pooled_share")  # with the controls' busy share


@dataclass(frozen=True)
class Effect:
    """The primary change.

    Attributes:
        raw: after minus expected: points of share, or the ratio of cost that it adds.
        net: the same beyond the controls; equal to raw where they are not comparable.
        error, degrees: of net.
        good: 1 where up is good, -1 for costs.
        least: the smallest size that is called a change.

    """

    raw: float
    net: float
    error: float
    degrees: float
    good: int
    least: float

    @property
    def known(self) -> bool:
        """Whether there is a change and an error to state."""
        return not isnan(self.net) and self.error < inf

    @property
    def improves(self) -> bool:
        """The change goes the wanted way."""
        return self.net * self.good > 0

    def interval(self, confidence: float) -> Interval | None:
        """Bounds of net."""
        return interval_of(self.net, self.error, self.degrees, confidence)

    def is_there(self, confidence: float, least: float | None = None) -> bool:
        """Large enough, and its interval lies off zero."""
        bounds = self.interval(confidence)
        large = abs(self.net) >= (self.least if least is None else least)
        return bounds is not None and large and not bounds[0] <= 0.0 <= bounds[1]

    @property
    def half_width(self) -> float:
        """Half of the 90 % interval; infinite where there is none."""
        bounds = self.interval(SHOWN_CONFIDENCE.default)
        return inf if bounds is None else (bounds[1] - bounds[0]) / 2.0

    def detectable(self, confidence: float) -> float | None:
        """The true change that is called one at this confidence in 80 % of cases; None if unknown.

        What is measured scatters around it by the error, and must be the least change and lie off
        zero: so the larger of both, and the part of the scatter that 80 % of cases stay above.
        """
        if not self.known:
            return None
        off_zero, above = (
            float(student_t.ppf(part, self.degrees)) * self.error
            for part in (0.5 + confidence / 2.0, DETECTED.default)
        )
        return max(self.least, off_zero) + above


def effect_of(material: Material, controls: Controls, measure: Measure | None = None) -> Effect:
    """The effect in the primary measure, or in another share of the same hours."""
    name = measure or material.expectation.primary
    compared = material.compared[name]
    alone = LONE_FACTOR.default if controls.change is None else 1.0
    if name == "input_cost_per_request":
        scale = compared.expected or nan
        change, error = compared.change / scale, abs(compared.error / scale)
        return Effect(change, change, error, compared.degrees, -1, alone * COST_EFFECT.default)
    least = alone * MIN_EFFECT.default
    if controls.change is None or name not in COMPARABLE:
        return Effect(compared.change, compared.change, compared.error, compared.degrees, 1, least)
    net, error = compared.change - controls.change, hypot(compared.error, controls.error)
    return Effect(compared.change, net, error, compared.degrees, 1, least)
