"""What a daily decision reads of a verdict row: taken as JSON when it is written, read back here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from cachewatch.analysis.classify import Classification
from cachewatch.analysis.daily_decision import HOURS_PER_DAY, DailyWindow, Decision, Judged
from cachewatch.analysis.evidence import Evidence, is_finding
from cachewatch.analysis.newest_day import DayValue, NewestDays, newest_days
from cachewatch.verdicts import models

Facts = Mapping[str, Any]


def facts_of(
    result: Classification,
    index: int,
    evidence: Evidence,
    window: tuple[int, int],
    judged_by: tuple[str, str],
) -> dict[str, Any]:
    """The facts of one classified series over the hours [start, end).

    `judged_by`: the version of the rules, and the key of the thresholds.
    """
    decisions = result.decisions
    days = NewestDays(None, None) if decisions is None else newest_days(decisions, index)
    since = evidence.since_hour
    return {
        "end_hour": window[1],
        "cut": 0 if decisions is None else int(decisions.measures.days.cut[index]),
        "first_hour": window[0] if since is None else since,
        "code": evidence.verdict,
        "is_finding": evidence.is_finding,
        "fall": evidence.fall.within if evidence.fall else None,
        "newest_fall": days.fall,
        "newest_share": days.share,
        "rules": judged_by[0],
        "thresholds": judged_by[1],
        "by_minutes": decisions is not None and index in decisions.minutes,
    }


def kept_facts(facts: Facts, stored: Facts | None, decided: Judged | None) -> Facts | None:
    """The facts of the daily window of a row, given those stored of its day; None = not yet.

    They are kept from the hour on in which the service day ended. What is judged with other rules,
    thresholds or minutes than before takes their place at once. `decided`: the standing decision's.
    """
    before = decided if stored is None else _judged(stored)
    if before is not None and _judged(facts).differs_by(before):
        return facts
    if stored is not None:
        return stored
    return facts if facts["end_hour"] >= _end_of_service_day(facts) else None


def _end_of_service_day(facts: Facts) -> int:
    """The hour of the row's UTC day at which a service day ends; midnight counts to the day before."""
    midnight: int = (facts["end_hour"] - 1) // HOURS_PER_DAY * HOURS_PER_DAY
    return midnight + (facts["cut"] or HOURS_PER_DAY)


def _judged(facts: Facts) -> Judged:
    return Judged(facts["rules"], facts["thresholds"], facts["by_minutes"])


def window_of(facts: Facts) -> DailyWindow:
    """The window that facts are about."""
    last = datetime.fromtimestamp((facts["end_hour"] - 1) * 3600, UTC)
    return DailyWindow(
        day=last.date(),
        end_hour=facts["end_hour"],
        first_hour=facts["first_hour"],
        code=facts["code"],
        is_finding=facts["is_finding"],
        fall=facts["fall"],
        newest=NewestDays(_day(facts["newest_fall"]), _day(facts["newest_share"])),
        judged=_judged(facts),
    )


def _day(pair: tuple[int, float] | None) -> DayValue | None:
    return None if pair is None else DayValue(*pair)


def window_now(verdict: models.Verdict) -> DailyWindow:
    """The window of a row as it is."""
    if verdict.window_facts is not None:
        return window_of(verdict.window_facts)
    mean = verdict.input_tokens
    if mean is not None and verdict.requests:
        per_request: float | None = mean / verdict.requests
    else:
        per_request = None
    return DailyWindow(  # a row from before facts were kept
        day=verdict.day,
        end_hour=verdict.window_end_hour,
        first_hour=verdict.window_start_hour,
        code=verdict.code,
        is_finding=is_finding(verdict.code, per_request, "full"),
        judged=Judged(verdict.rules_version, verdict.thresholds_key, by_minutes=False),
    )


def daily_windows(rows: list[models.Verdict]) -> list[DailyWindow]:
    """The daily windows of the rows of one series, oldest first.

    The newest row is asked once its service day has ended, or where there is nothing else.
    """
    past = [
        window_of(row.daily_facts) if row.daily_facts else window_now(row)
        for row in rows
        if row.daily_facts or not row.is_newest or row.window_facts is None
    ]
    return past or [window_now(row) for row in rows]


def standing(row: models.Decision) -> Decision:
    """A stored decision."""
    return Decision(
        code=row.code,
        is_finding=row.is_finding,
        since=row.since_day,
        decided_on=row.decided_on,
        confirmed=row.confirmed,
        agreeing=row.agreeing,
        windows=row.windows,
        cause=row.cause,  # type: ignore[arg-type]  # only what Decision gave is stored
        pending=row.pending_code or None,
        first_hour=row.first_hour,
    )


def since_of(before: models.Decision | None, found: Decision, first: models.Verdict) -> date:
    """Since when: also where the run began before `first`, the first row that was read again."""
    if found.since != first.day:
        return found.since
    days = [found.since]
    if first.code == found.code:
        days.append(first.since_day)
    if before is not None and (before.code, before.is_finding) == (found.code, found.is_finding):
        days.append(before.since_day)
    return min(days)
