"""The decision on a series in one sentence, beside what the newest hours say."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from cachewatch.analysis.daily_decision import Cause, DailyWindow, Decision
from cachewatch.analysis.decision_thresholds import FINDING_CLOSES, FINDING_OPENS
from cachewatch.analysis.figures import points
from cachewatch.analysis.verdict_codes import SCATTER, TOO_FEW
from cachewatch.analysis.vocabulary import verdict_word

CHANGED: Mapping[Cause, str] = {
    "rules": "the rules changed, not the traffic",
    "thresholds": "the thresholds changed, not the traffic",
    "minutes": "a day was read by the minute, the traffic did not change",
}


def decision_sentence(
    decision: Decision, newest: DailyWindow, verdict_since: date | None = None
) -> str:
    """What was decided, on which day, by which windows, and what is not confirmed yet.

    `newest`: the window as it is now. `verdict_since`: the first day of the verdict of that window;
    where it is the finding decided on and began on another day than the decision counts from, both
    days are said. None: not known.
    """
    if decision.code == TOO_FEW and not decision.windows:
        return "Not decided yet: no daily window has linked hours enough."
    day = shown_day(decision.decided_on)
    if newest.says(decision.finding) != decision.finding:
        return _differs(decision, newest, day)
    cause = f" {_capital(CHANGED[decision.cause])}." if decision.cause else ""
    also = _other_since(decision, newest, verdict_since)
    if not decision.confirmed:
        return f"{_provisional(decision)}{also}{cause}"
    windows = f"{decision.agreeing} of {decision.windows} daily windows"
    since = _since(decision)
    return f"Decided on {day}; confirmed by {windows}, {since}.{also}{_not_opened(decision)}{cause}"


def _differs(decision: Decision, newest: DailyWindow, day: str) -> str:
    stands = verdict_word(decision.code).lower()
    now = _said_now(newest)
    until = decision.may_change_on(newest)
    on = "" if until is None else f", on {shown_day(until)} at the earliest"
    return (
        f"Provisional: the hours since say {now}. The decision of {day} stands, {stands}, "
        f"until daily windows confirm another{on}."
    )


def _said_now(newest: DailyWindow) -> str:
    word = verdict_word(newest.code).lower()
    if newest.code != SCATTER or newest.fall is None:
        return word
    return f"{word}, by {points(newest.fall)}"


def _other_since(decision: Decision, newest: DailyWindow, verdict_since: date | None) -> str:
    """Why the verdict beside it names another day; daily windows alone count for a decision."""
    if verdict_since in (None, decision.since) or newest.code != decision.finding:
        return ""
    return (
        f" The verdict of every day says so since {shown_day(verdict_since)}; a decision counts "
        "from the first daily window that agrees with it."
    )


def _provisional(decision: Decision) -> str:
    until = decision.may_be_confirmed_on
    when = "" if until is None else f"; confirmed on {shown_day(until)} at the earliest"
    return f"Provisional: {_since(decision)}{when}, by a day that is not in the first window."


def _since(decision: Decision) -> str:
    """Windows without a finding agree in that alone, whatever the verdict of each."""
    day = shown_day(decision.since)
    return f"first seen on {day}" if decision.is_finding else f"no finding since {day}"


def _not_opened(decision: Decision) -> str:
    """Why a verdict that is a finding's opens none."""
    if decision.is_finding or decision.code != SCATTER:
        return ""
    opens, closes = points(FINDING_OPENS.default), points(FINDING_CLOSES.default)
    return f" One opens at a fall of {opens} and closes below {closes}."


def shown_day(day: date) -> str:
    """Thu 26 Nov."""
    return f"{day:%a} {day.day} {day:%b}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
