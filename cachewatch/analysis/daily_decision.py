"""What people and findings act on: a decision a service day, from the windows that end with one.

A window's verdict may change with every hour that settles. The decision does not: a finding opens
at the wider limit, closes at the narrower, and a flip counts once 2 of 3 consecutive daily windows
agree and the newest day by itself shows it, which is no day of the window that showed it first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal, NamedTuple

from cachewatch.analysis.decision_thresholds import (
    AGREEING_WINDOWS,
    DECISION_WINDOWS,
    FINDING_CLOSES,
    FINDING_OPENS,
    NEW_DAY_HOURS,
    NEW_WINDOW_HOURS,
)
from cachewatch.analysis.newest_day import DayValue, NewestDays
from cachewatch.analysis.thresholds import QUIET_FLOOR
from cachewatch.analysis.verdict_codes import FLAT_LOW, SCATTER, TOO_FEW

Cause = Literal["", "rules", "thresholds", "minutes"]
WINDOW_HOURS = 168
HOURS_PER_DAY = 24
NOT_TOLD = NewestDays(None, None)
DAY = timedelta(days=1)


class Judged(NamedTuple):
    """With what a window was judged: version of the rules, key of the thresholds, and whether a day
    of minutes was read.
    """

    rules: str
    thresholds: str
    by_minutes: bool

    def differs_by(self, before: Judged) -> Cause:
        """What it has that the window before had not; "" for nothing. Minutes that lapse are none."""
        if self.rules != before.rules:
            return "rules"
        if self.thresholds != before.thresholds:
            return "thresholds"
        return "minutes" if self.by_minutes and not before.by_minutes else ""


@dataclass(frozen=True)
class DailyWindow:
    """One window of 168 hours and its verdict.

    Attributes:
        day: UTC day of its last hour.
        end_hour: first hour after it; whole UTC hours since the epoch.
        first_hour: first hour that the verdict is about: the onset inside it, else its start.
        code, is_finding: the verdict, and whether its code is a finding's.
        judged: with what.
        fall: the median day's fall in the same traffic, points of share; None where unknown.
        newest: its newest service days alone.

    """

    day: date
    end_hour: int
    first_hour: int
    code: str
    is_finding: bool
    judged: Judged
    fall: float | None = None
    newest: NewestDays = NOT_TOLD

    def says(self, standing: str | None) -> str | None:
        """The finding that it speaks for, None = no finding; `standing`: the one that stands."""
        if not self.is_finding:
            return None
        limit = FINDING_CLOSES if standing == SCATTER else FINDING_OPENS
        if self.code == SCATTER and self.fall is not None and self.fall < limit.default:
            return None
        return self.code

    def shows_anew(self, first: DailyWindow, says: str | None) -> bool:
        """Whether a day that the window `first` does not hold shows the same by itself.

        No finding, and the verdicts on gaps and sparse hours, are told by windows alone, as is one
        whose days are not known.
        """
        if self.end_hour - first.end_hour < NEW_WINDOW_HOURS.default:
            return False
        if self.newest == NOT_TOLD:
            return True
        if says == SCATTER:
            fall = _if_after(self.newest.fall, first)
            return fall is not None and fall >= FINDING_CLOSES.default
        if says == FLAT_LOW:
            share = _if_after(self.newest.share, first)
            return share is not None and share < QUIET_FLOOR.default
        return True


def _if_after(day: DayValue | None, first: DailyWindow) -> float | None:
    """The value of a day that lies after a window, but for some of its hours."""
    overlap = HOURS_PER_DAY - NEW_DAY_HOURS.default
    return day.value if day is not None and day.start_hour >= first.end_hour - overlap else None


@dataclass(frozen=True)
class Decision:
    """What stands on a series.

    Attributes:
        code: the verdict decided on.
        is_finding: whether it is one that opens a finding: a fall below the opening limit is not.
        since: day of the first window of the run that agrees.
        decided_on: day of the newest window that was asked.
        confirmed: enough windows agreed, the newest of them by a day that the first did not hold.
        agreeing, windows: of the last consecutive windows, how many agree and how many there are.
        cause: what changed, where the run began with other rules, thresholds or minutes and not
            with other traffic; else "".
        pending: what the newest window says where that is something else, not confirmed yet.
        first_hour: first hour that the newest window in agreement is about.

    """

    code: str
    is_finding: bool
    since: date
    decided_on: date
    confirmed: bool
    agreeing: int
    windows: int
    cause: Cause
    pending: str | None
    first_hour: int

    @property
    def finding(self) -> str | None:
        """The finding that stands; None = none."""
        return self.code if self.is_finding else None

    @property
    def may_be_confirmed_on(self) -> date | None:
        """The first day on which what stands may be confirmed; None where it is."""
        return None if self.confirmed else self.decided_on + DAY

    def may_change_on(self, newest: DailyWindow) -> date | None:
        """The first day on which what is provisional may be confirmed; None where nothing is.

        `newest`: the window as it is now, which may be of later hours than the decision.
        """
        if newest.says(self.finding) != self.finding:
            tomorrow = self.decided_on + DAY
            return tomorrow if self.pending == newest.code else tomorrow + DAY
        return self.may_be_confirmed_on


@dataclass(frozen=True)
class _Run:
    """The windows that agree: what they say, the first of them, and whether that is confirmed.

    `turned`: the one that decided; only windows after it speak for another flip, so that one that
    jumps to and fro does not turn the decision every day.
    """

    says: str | None
    first: DailyWindow
    turned: DailyWindow
    confirmed: bool
    cause: Cause = ""


def decision_of(windows: Sequence[DailyWindow], standing: str | None = None) -> Decision:
    """The decision after these windows, in any order. Raises ValueError without any.

    `standing`: the finding that stood before the first of them. Where no earlier window can agree,
    the first one decides at once, without being confirmed: at the beginning, after a week without
    any, and where rules, thresholds or minutes changed what it says. Too few hours begin nothing.
    """
    if not windows:
        raise ValueError("a decision needs a daily window")
    run: _Run | None = None
    asked: list[DailyWindow] = []
    for window in sorted(windows, key=lambda one: one.end_hour):
        if run is None or _stands_alone(asked[-1], window):
            if window.code != TOO_FEW:
                run, asked = _begin(run, asked, window, standing)
        elif window.end_hour - asked[-1].end_hour >= NEW_WINDOW_HOURS.default:
            asked.append(window)
            run = _next(run, asked)
    return _too_few(windows) if run is None else _decided(run, asked)


def _stands_alone(before: DailyWindow, window: DailyWindow) -> bool:
    """No window before it shares its hours and the way it was judged."""
    apart = window.end_hour - before.end_hour >= WINDOW_HOURS
    return apart or window.judged.differs_by(before.judged) != ""


def _begin(
    run: _Run | None, asked: Sequence[DailyWindow], window: DailyWindow, standing: str | None
) -> tuple[_Run, list[DailyWindow]]:
    """The run that a window begins, or goes on with where it says the same; and who was asked."""
    if run is None:
        return _Run(window.says(standing), window, window, confirmed=False), [window]
    says = window.says(run.says)
    if says == run.says:
        return replace(run, turned=window), [*asked, window]
    cause = window.judged.differs_by(asked[-1].judged)
    return _Run(says, window, window, confirmed=False, cause=cause), [window]


def _next(run: _Run, asked: Sequence[DailyWindow]) -> _Run:
    newest = asked[-1]
    says = newest.says(run.says)
    if says == run.says:
        agree = _agreeing(asked, says, run.says) >= AGREEING_WINDOWS.default
        confirmed = run.confirmed or (agree and newest.shows_anew(run.first, says))
        return replace(run, confirmed=confirmed)
    later = [one for one in asked if one.end_hour > run.turned.end_hour]
    agree = _agreeing(later, says, run.says) >= AGREEING_WINDOWS.default
    first = _first_seen(later, says, run.says)
    if agree and newest.shows_anew(first, says):
        return _Run(says, first, newest, confirmed=True)
    return run


def _last(asked: Sequence[DailyWindow]) -> list[DailyWindow]:
    """The consecutive windows up to the newest."""
    earliest = asked[-1].day - (int(DECISION_WINDOWS.default) - 1) * DAY
    return [one for one in asked if one.day >= earliest]


def _agreeing(asked: Sequence[DailyWindow], says: str | None, standing: str | None) -> int:
    return sum(one.says(standing) == says for one in _last(asked))


def _first_seen(
    asked: Sequence[DailyWindow], says: str | None, standing: str | None
) -> DailyWindow:
    """The first of the windows that say so, up to the newest, with no more than one day between."""
    first = asked[-1]
    for window in reversed(asked):
        if (first.day - window.day).days >= DECISION_WINDOWS.default:
            break
        if window.says(standing) == says:
            first = window
    return first


def _decided(run: _Run, asked: Sequence[DailyWindow]) -> Decision:
    newest = asked[-1]
    agreeing = [one for one in asked if one.says(run.says) == run.says]
    shown = agreeing[-1] if agreeing else run.first
    return Decision(
        code=run.says or shown.code,
        is_finding=run.says is not None,
        since=run.first.day,
        decided_on=newest.day,
        confirmed=run.confirmed,
        agreeing=_agreeing(asked, run.says, run.says),
        windows=len(_last(asked)),
        cause=run.cause,
        pending=None if newest.says(run.says) == run.says else newest.code,
        first_hour=shown.first_hour,
    )


def _too_few(windows: Sequence[DailyWindow]) -> Decision:
    ordered = sorted(windows, key=lambda one: one.end_hour)
    first, newest = ordered[0], ordered[-1]
    return Decision(TOO_FEW, False, first.day, newest.day, False, 0, 0, "", None, newest.first_hour)
