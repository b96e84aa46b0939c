"""What people act on: findings that open and are confirmed, from 28 days of daily windows.

As the product does: a window of 168 hours ends with each service day; what is accused has the
busiest day of its window read by the minute and is judged again; the daily decision is taken from
the windows so far. Unlike the product, which looks every hour and takes the same way, this looks
once a day; hours that are restated later already hold their last numbers. Doubts about a fall have their
minutes read by the product alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from cachewatch.analysis.busy_day import busiest_days
from cachewatch.analysis.classify import RULES_VERSION, Classification
from cachewatch.analysis.daily_decision import (
    HOURS_PER_DAY,
    WINDOW_HOURS,
    DailyWindow,
    Decision,
    Judged,
    decision_of,
)
from cachewatch.analysis.gather import evidence_of
from cachewatch.analysis.newest_day import newest_days
from cachewatch.analysis.service_days import quietest_clock_hour
from cachewatch.analysis.thresholds import MINUTE_RENEWAL, MINUTE_SINCE
from cachewatch.analysis.verdict_codes import INCONCLUSIVE, SCATTER
from tests.accuracy.judges import UsageSeen, Window, batch_of, classified, window_of
from tests.accuracy.minutes_again import MinutesAgain
from tests.accuracy.series import LabelledSeries

HISTORY_DAYS = 28
WINDOW_DAYS = WINDOW_HOURS // HOURS_PER_DAY
BY_MINUTES = {"full": False, "full-minutes": True}  # judges whose windows are decided on


class Followed(NamedTuple):
    """One series and when a finding "misses rise with load" was open, and confirmed; None = never.

    `guilty` or innocent. `began`: the cause began inside the 28 days. Days are counted from that
    hour, or from the end of the first daily window, to the end of the one that decided.
    """

    family: str
    seed: int
    guilty: bool
    began: bool
    open_days: float | None
    confirmed_days: float | None


class Look(NamedTuple):
    """One daily window as it was judged; `since_hour`: the first hour of what is said."""

    window: Window
    since_hour: int
    daily: DailyWindow


@dataclass
class Course:
    """One series on its way: the ends of its daily windows, its newest day of minutes, what was
    decided after each window.
    """

    series: LabelledSeries
    ends: Sequence[int]
    minutes: MinutesAgain
    read_from: int | None = None
    read: UsageSeen | None = None
    looks: list[Look] = field(default_factory=list)
    decided: list[Decision] = field(default_factory=list)

    def window(self) -> Window:
        """The next window, with the minutes that hold for it."""
        end = self.ends[len(self.looks)]
        window = window_of(self.series, end_hour=end, days=WINDOW_DAYS)
        return window._replace(minutes=self.read if self._had_for(window) else None)

    def lacks_minutes(self, look: Look) -> bool:
        """It is accused, or minutes kept it from that, and none are of the days in question."""
        kept = look.daily.code == INCONCLUSIVE and self._had_for(look.window)
        if look.daily.code != SCATTER and not kept:
            return False
        first = max(look.window.first_hour, look.since_hour - int(MINUTE_SINCE.default))
        return self.read_from is None or self.read_from < first

    def read_minutes(self, look: Look) -> bool:
        """Read the busiest complete day since what is said began; False where there is none."""
        earliest = {0: max(look.window.first_hour, look.since_hour)}
        day = busiest_days(batch_of([look.window]), earliest, look.window.end_hour).get(0)
        if day is None:
            return False
        self.read_from, self.read = day, self.minutes.day(day)
        return True

    def add(self, look: Look) -> None:
        """Take a window in and decide."""
        self.looks.append(look)
        self.decided.append(decision_of([one.daily for one in self.looks]))

    def _had_for(self, window: Window) -> bool:
        since = window.first_hour - MINUTE_RENEWAL.default
        return self.read_from is not None and self.read_from >= since


def can_be_followed(one: LabelledSeries) -> bool:
    """Guilty, or innocent all the time, and of 28 days."""
    steady = one.current_from == one.first_hour and one.truth.standing == "innocent"
    return one.days == HISTORY_DAYS and (steady or one.truth.standing == "guilty")


def follow(series: Sequence[LabelledSeries], *, by_minutes: bool) -> list[Followed]:
    """Decide day by day on those that can be followed; with minutes, or where none can be read."""
    courses = [
        Course(one, daily_ends(one), MinutesAgain(one)) for one in series if can_be_followed(one)
    ]
    for number in range(max((len(course.ends) for course in courses), default=0)):
        some = [course for course in courses if number < len(course.ends)]
        looks = _looks([course.window() for course in some]) if some else []
        again = [
            by_minutes and course.lacks_minutes(look) and course.read_minutes(look)
            for course, look in zip(some, looks, strict=True)
        ]
        read = [course.window() for course, wanted in zip(some, again, strict=True) if wanted]
        renewed = iter(_looks(read) if read else [])
        for course, look, wanted in zip(some, looks, again, strict=True):
            course.add(next(renewed) if wanted else look)
    return [followed(course) for course in courses]


def daily_ends(one: LabelledSeries) -> list[int]:
    """The hours at which the daily windows of a series end: each UTC day's at its quietest hour."""
    first_day = one.first_hour // HOURS_PER_DAY + WINDOW_DAYS
    midnights = range(first_day * HOURS_PER_DAY, one.end_hour - HOURS_PER_DAY + 1, HOURS_PER_DAY)
    windows = [
        window_of(one, end_hour=midnight + HOURS_PER_DAY, days=WINDOW_DAYS)
        for midnight in midnights
    ]
    cuts = quietest_clock_hour(batch_of(windows)).tolist()
    ends = (
        midnight + (cut or HOURS_PER_DAY) for midnight, cut in zip(midnights, cuts, strict=True)
    )
    return [end for end in ends if end - WINDOW_HOURS >= one.first_hour]


def followed(course: Course) -> Followed:
    """When what was decided was first a finding of scatter, and first a confirmed one."""
    one = course.series
    began = one.current_from > one.first_hour
    since = one.current_from if began else course.ends[0]

    def days(*, confirmed: bool) -> float | None:
        ends = (
            end
            for end, decision in zip(course.ends, course.decided, strict=True)
            if end >= since
            and decision.finding == SCATTER
            and (decision.confirmed or not confirmed)
        )
        first = next(ends, None)
        return None if first is None else (first - since) / HOURS_PER_DAY

    guilty = one.truth.standing == "guilty"
    return Followed(
        one.family, one.seed, guilty, began, days(confirmed=False), days(confirmed=True)
    )


def _looks(windows: Sequence[Window]) -> list[Look]:
    result = classified(windows)
    return [_look(result, place, window) for place, window in enumerate(windows)]


def _look(result: Classification, place: int, window: Window) -> Look:
    evidence = evidence_of(result, place)
    decisions = result.decisions
    assert decisions is not None
    since = window.first_hour if evidence.since_hour is None else evidence.since_hour
    daily = DailyWindow(
        day=datetime.fromtimestamp((window.end_hour - 1) * 3600, UTC).date(),
        end_hour=window.end_hour,
        first_hour=since,
        code=evidence.verdict,
        is_finding=evidence.is_finding,
        judged=Judged(RULES_VERSION, "", by_minutes=place in decisions.minutes),
        fall=evidence.fall.within if evidence.fall else None,
        newest=newest_days(decisions, place),
    )
    return Look(window, since, daily)
