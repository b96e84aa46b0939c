"""One busy day by the minute: within the same hour, do busier minutes cache less?

Requests beyond what one machine takes in a minute leave it in that minute, so the share falls with
the minute's own load. Expiry, other traffic, and a pool that grows by the hour do not depend on
the minute; a short lifetime even reads more in a denser one. In bursts the first requests miss.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cachewatch.analysis.segments import Floats, Ints, segment_sums
from cachewatch.analysis.thresholds import (
    MINUTE_BURST,
    MINUTE_HOURS,
    MINUTE_PART,
    MINUTE_T,
)

MINUTES_PER_HOUR = 60
TWO_ERRORS = 2.0
CONFIRMED, BURSTS, WARMER, NO_EFFECT = (
    "",
    "fan-out",
    "expiring-prefixes",
    "no-minute-effect",
)


@dataclass(frozen=True)
class MinuteTest:
    """The test of one series' minutes.

    Attributes:
        slope: of the share on ln(requests of the minute), inside the hours; None: not testable.
        t: the slope in standard errors; None likewise.
        burstiness: median over hours of a minute's variance over its mean; 1 = evenly at random.
        hours, minutes: used.

    """

    slope: float | None
    t: float | None
    burstiness: float | None
    hours: int
    minutes: int

    def says(self, hourly_slope: float | None) -> str | None:
        """What the minutes show: one of the codes of this module; None = nothing.

        `hourly_slope` is that of the share on ln(requests) from hour to hour, below zero. No effect
        is only said where the minutes would have shown three tenths of it.
        """
        if self.burstiness is None or self.hours < MINUTE_HOURS.default:
            return None
        if self.burstiness >= MINUTE_BURST.default:
            return BURSTS
        if self.t is None or self.slope is None:
            return None
        if self.t <= -MINUTE_T.default:
            return CONFIRMED
        if self.t >= MINUTE_T.default:
            return WARMER
        lower = self.slope - TWO_ERRORS * abs(self.slope / self.t) if self.t else self.slope
        enough = hourly_slope is not None and lower >= MINUTE_PART.default * hourly_slope
        return NO_EFFECT if enough else None


NO_MINUTES = MinuteTest(None, None, None, 0, 0)


def minute_test(
    minute: ArrayLike, requests: ArrayLike, input_tokens: ArrayLike, cached_tokens: ArrayLike
) -> MinuteTest:
    """Test the minutes of one series over a day or more.

    Args:
        minute: whole minutes since the epoch, one row a minute and cell, in any order; minutes
            without a request have none.
        requests, input_tokens, cached_tokens: of the rows; rows with a NaN are left out.

    """
    table = _Minutes.of(minute, requests, input_tokens, cached_tokens)
    table = table.busy_half()
    hours = len(np.unique(table.hour))
    if not hours:
        return NO_MINUTES
    slope, t = table.slope()
    return MinuteTest(slope, t, table.burstiness(), hours, len(table.minute))


@dataclass(frozen=True, eq=False)
class _Minutes:
    """Minutes with requests and input, ascending, each (M,)."""

    minute: Ints
    requests: Floats
    input_tokens: Floats
    cached_tokens: Floats

    @classmethod
    def of(
        cls,
        minute: ArrayLike,
        requests: ArrayLike,
        input_tokens: ArrayLike,
        cached_tokens: ArrayLike,
    ) -> _Minutes:
        at = np.asarray(minute, np.int64)
        columns = [np.asarray(c, np.float64) for c in (requests, input_tokens, cached_tokens)]
        known = ~np.isnan(np.stack(columns)).any(axis=0) if len(at) else np.zeros(0, dtype=bool)
        unique, place = np.unique(at[known], return_inverse=True)
        q, i, c = (segment_sums(column[known], place, len(unique)) for column in columns)
        some = (q > 0) & (i > 0)
        return cls(unique[some], q[some], i[some], c[some])

    @property
    def hour(self) -> Ints:
        return self.minute // MINUTES_PER_HOUR

    def busy_half(self) -> _Minutes:
        """The minutes of the busier half of the hours."""
        hours, place = np.unique(self.hour, return_inverse=True)
        by_hour = segment_sums(self.requests, place, len(hours))
        keep = (by_hour >= np.median(by_hour))[place] if len(hours) else np.zeros(0, dtype=bool)
        return _Minutes(
            self.minute[keep],
            self.requests[keep],
            self.input_tokens[keep],
            self.cached_tokens[keep],
        )

    def burstiness(self) -> float:
        """Median over hours of variance over mean of a minute's requests, empty minutes too."""
        hours, place = np.unique(self.hour, return_inverse=True)
        full = np.zeros((len(hours), MINUTES_PER_HOUR))
        full[place, self.minute % MINUTES_PER_HOUR] = self.requests
        return float(np.median(full.var(axis=1) / full.mean(axis=1)))

    def slope(self) -> tuple[float | None, float | None]:
        """Weighted least squares inside the hours: slope, and slope over its standard error."""
        hours, place = np.unique(self.hour, return_inverse=True)
        weight = self.requests
        total = segment_sums(weight, place, len(hours))

        def inside(values: Floats) -> Floats:
            means = segment_sums(weight * values, place, len(hours)) / total
            return values - means[place]

        x, y = inside(np.log(self.requests)), inside(self.cached_tokens / self.input_tokens)
        squares, free = float((weight * x * x).sum()), len(x) - len(hours) - 1
        if squares <= 0 or free <= 1:
            return None, None
        slope = float((weight * x * y).sum()) / squares
        error = float(np.sqrt((weight * (y - slope * x) ** 2).sum() / free / squares))
        return slope, slope / error if error > 0 else None
