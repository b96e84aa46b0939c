"""Which hours lie before and after, and on which days a readout is looked at."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from cachewatch.analysis.cache_generation import day_of_hour, generation_of
from cachewatch.analysis.readout_thresholds import (
    BEFORE_DAYS,
    LOOKS,
    WASHOUT_HOURS,
    Look,
)
from cachewatch.analysis.readouts.kinds import EXPECTATIONS
from cachewatch.analysis.readouts.question import Marker, Question
from cachewatch.analysis.service_days import HOURS_PER_DAY

MINUTES_PER_HOUR = 60


class Spans(NamedTuple):
    """Both windows, half-open, whole UTC hours since the epoch.

    `ramp_end`: from it on all traffic has the repair; days after are counted from here, so that a
    week after lies beside a week before. `after_start` lies the washout later.
    """

    before_start: int
    before_end: int
    ramp_end: int
    after_start: int
    after_end: int

    @property
    def windows(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The one before and the one after."""
        return (self.before_start, self.before_end), (self.after_start, self.after_end)

    @property
    def washout_hours(self) -> int:
        """Hours left out after the ramp."""
        return self.after_start - self.ramp_end

    @property
    def hours_after(self) -> int:
        """Hours since the ramp that are settled, the washout among them."""
        return self.after_end - self.ramp_end

    def hour_of(self, look: Look) -> int:
        """The hour in which a look is reached."""
        return self.ramp_end + look.days * HOURS_PER_DAY

    def before_of(self, days: float) -> Spans:
        """The same with that many days before."""
        return self._replace(before_start=self.before_end - int(days) * HOURS_PER_DAY)

    def after_of(self, days: float) -> Spans:
        """The same with at most that many days after the ramp."""
        end = self.ramp_end + int(days) * HOURS_PER_DAY
        return self._replace(after_end=max(min(end, self.after_end), self.after_start))


def washout_of(marker: Marker, model: str | None) -> int:
    """Hours left out after the ramp: one, or one lifetime of an entry where the kind asks for it.

    The lifetime is the usual one at its longest, in whole hours.
    """
    hours = int(WASHOUT_HOURS.default)
    if not EXPECTATIONS[marker.kind].whole_lifetime:
        return hours
    lifetime = generation_of(model, day_of_hour(marker.from_hour)).lifetime
    return max(hours, ceil(lifetime.usual[1] / MINUTES_PER_HOUR))


def spans_of(question: Question) -> Spans:
    """The windows up to now: 7 days before, and everything settled after."""
    marker = question.marker
    start = marker.to_hour + washout_of(marker, question.model)
    before = marker.from_hour - int(BEFORE_DAYS.default) * HOURS_PER_DAY
    return Spans(before, marker.from_hour, marker.to_hour, start, max(start, question.last_hour))


def looks_reached(spans: Spans) -> list[Look]:
    """The looks whose days have passed, the earliest first."""
    return [look for look in LOOKS if look.days * HOURS_PER_DAY <= spans.hours_after]


def next_look(spans: Spans) -> Look | None:
    """The look that comes next; None after the last."""
    return next((one for one in LOOKS if one.days * HOURS_PER_DAY > spans.hours_after), None)
