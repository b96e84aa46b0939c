"""How many requests an hour brings: the day's curve, the week, noise, and hours without any."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ingest.simulator.seeding import standard_normal

HOURS_PER_DAY = 24
SATURDAY = 5
EPOCH_WEEKDAY = 3  # 1970-01-01 was a Thursday; Monday is 0


@dataclass(frozen=True)
class Openings:
    """Traffic only in the first `open_hours` of every `period_hours`, from UTC hour `first_hour`."""

    period_hours: int
    open_hours: int
    first_hour: int = 0

    def hours_since_opening(self, hour: int) -> int | None:
        """0 in an opening hour, 1 in the next ...; None while closed."""
        phase = (hour - self.first_hour) % self.period_hours
        return phase if phase < self.open_hours else None


@dataclass(frozen=True)
class Load:
    """Expected requests an hour, between `quiet_per_hour` and `peak_per_hour`.

    The curve is a cosine over the UTC day on a logarithmic scale; `sharpness` above 1 makes the
    peak narrower. `weekend_factor` multiplies Saturdays and Sundays. `hour_sigma` and `day_sigma`
    are standard deviations of logarithmic noise with mean 1.
    """

    quiet_per_hour: float
    peak_per_hour: float
    peak_utc_hour: float = 14.0
    sharpness: float = 1.0
    weekend_factor: float = 0.6
    hour_sigma: float = 0.12
    day_sigma: float = 0.08
    openings: Openings | None = None

    def expected(self, hour: int) -> float:
        """Requests expected in a UTC hour (whole hours since the epoch), before noise."""
        if self.openings is not None and self.openings.hours_since_opening(hour) is None:
            return 0.0
        turn = 2.0 * math.pi * ((hour % HOURS_PER_DAY) - self.peak_utc_hour) / HOURS_PER_DAY
        height = ((1.0 + math.cos(turn)) / 2.0) ** self.sharpness
        rate: float = self.quiet_per_hour * (self.peak_per_hour / self.quiet_per_hour) ** height
        return rate * (self.weekend_factor if is_weekend(hour) else 1.0)

    def intensity(self, seed: int, anchor_hour: int, stream: str, hour: int) -> float:
        """The hour's expected requests with its noise; the count itself is Poisson around it."""
        expected = self.expected(hour)
        if expected == 0.0:
            return 0.0
        by_day = standard_normal(seed, anchor_hour, stream, "day", hour // HOURS_PER_DAY)
        by_hour = standard_normal(seed, anchor_hour, stream, "hour", hour)
        return expected * _lognormal(by_day, self.day_sigma) * _lognormal(by_hour, self.hour_sigma)

    def busyness(self, intensity: float) -> float:
        """0 at the quiet rate, 1 at the peak rate, on the logarithmic scale; clipped."""
        span = math.log(self.peak_per_hour / self.quiet_per_hour)
        if span <= 0.0 or intensity <= 0.0:
            return 0.0
        return min(1.0, max(0.0, math.log(intensity / self.quiet_per_hour) / span))


def is_weekend(hour: int) -> bool:
    """True on Saturdays and Sundays, UTC."""
    return (hour // HOURS_PER_DAY + EPOCH_WEEKDAY) % 7 >= SATURDAY


def _lognormal(normal: float, sigma: float) -> float:
    return math.exp(sigma * normal - sigma * sigma / 2.0)
