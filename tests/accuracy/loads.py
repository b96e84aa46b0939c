"""Loads with the traits of real weeks: local weekends, two peaks, special days, growth."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ingest.simulator.load import HOURS_PER_DAY, Load, is_weekend


@dataclass(frozen=True)
class LocalLoad(Load):
    """A Load whose weekend follows local time.

    Attributes:
        utc_offset_hours: local time minus UTC; weekend and special days are local.
        second_peak_after_hours, second_peak_height: another peak later in the day, its height on
            the same logarithmic scale from 0 (none) to 1.
        day_factors: (local day number since the epoch, factor) of holidays, campaigns, outages.
        growth_per_day, growth_from_hour: logarithmic growth of the rate after an hour.

    """

    utc_offset_hours: int = 0
    second_peak_after_hours: float = 6.0
    second_peak_height: float = 0.0
    day_factors: tuple[tuple[int, float], ...] = ()
    growth_per_day: float = 0.0
    growth_from_hour: int = 0

    def expected(self, hour: int) -> float:
        """Requests expected in a UTC hour (whole hours since the epoch), before noise."""
        if self.openings is not None and self.openings.hours_since_opening(hour) is None:
            return 0.0
        local = hour + self.utc_offset_hours
        height = max(
            self._bump(hour, self.peak_utc_hour),
            self.second_peak_height
            * self._bump(hour, self.peak_utc_hour + self.second_peak_after_hours),
        )
        rate = self.quiet_per_hour * (self.peak_per_hour / self.quiet_per_hour) ** height
        rate *= self.weekend_factor if is_weekend(local) else 1.0
        rate *= dict(self.day_factors).get(local // HOURS_PER_DAY, 1.0)
        days_grown = (hour - self.growth_from_hour) / HOURS_PER_DAY
        return float(rate * math.exp(self.growth_per_day * days_grown))

    def _bump(self, hour: int, peak: float) -> float:
        turn = 2.0 * math.pi * (hour % HOURS_PER_DAY - peak) / HOURS_PER_DAY
        return float(((1.0 + math.cos(turn)) / 2.0) ** self.sharpness)
