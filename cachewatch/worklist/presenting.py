"""Findings in words: where one stands, what cleared, and what was done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from cachewatch.analysis.decision_words import CHANGED
from cachewatch.analysis.vocabulary import VOCABULARY, verdict_word
from cachewatch.worklist.models import Activity, Finding

Fields = Mapping[str, Any]
_OPEN = (Finding.State.ACKNOWLEDGED, Finding.State.IN_PROGRESS, Finding.State.SHIPPED)
_FIELD_WORDS = {
    "owner": "owner",
    "tracker": "tracker link",
    "accepted_until": "accepted until",
    "handed_to": "handed to",
}
_STEP_WORDS = {"done": "Ticked a step", "skipped": "Skipped a step", "open": "Opened a step again"}


def state_word(state: str) -> str:
    """A state as people read it."""
    return str(Finding.State(state).label)


def days_between(start: date, today: date) -> str:
    """1 day, 9 days; never negative."""
    number = max(0, (today - start).days)
    return f"{number} day{'' if number == 1 else 's'}"


def standing_text(finding: Finding, today: date) -> str:
    """The state as a chip says it: "Open 9 days", "Accepted until 24 Dec 2026"."""
    state = finding.state
    if state in _OPEN:
        return f"Open {days_between(finding.opened_at.date(), today)}"
    if state == Finding.State.NEW:
        return f"New, {days_between(finding.state_since.date(), today)}"
    if state == Finding.State.ACCEPTED and finding.accepted_until is not None:
        return f"Accepted until {shown_day(finding.accepted_until)}"
    if state == Finding.State.HANDED_OFF:
        return f"Handed off to {finding.handed_to}"
    return state_word(state)


def cleared_sentence(finding: Finding) -> str | None:
    """That the verdict cleared by itself, on which day, and what it says since; None where not."""
    if finding.cleared_on is None:
        return None
    now = _word(finding.cleared_code)
    return f"The verdict cleared on {shown_day(finding.cleared_on)}; it said then: {now.lower()}."


def shown_day(day: date) -> str:
    """24 Nov 2026."""
    return f"{day.day} {day:%b %Y}"


def activity_sentence(row: Activity) -> str:
    """What was done, in one sentence without who and when."""
    said = _SENTENCES.get(row.action)
    if said is not None:
        return f"{said(row.fields)}{_how_firmly(row.fields)}"
    return "; ".join(_changes(row.fields)) or "Changed"


def _how_firmly(fields: Fields) -> str:
    """What changed where that was not the traffic, and from when on it may be confirmed."""
    said = f"; {CHANGED[fields['cause'][1]]}" if "cause" in fields else ""
    if "provisional_until" not in fields:
        return said
    day = date.fromisoformat(fields["provisional_until"][1])
    return f"{said}; provisional, confirmed on {shown_day(day)} at the earliest"


def _changed_verdict(fields: Fields) -> str:
    before, after = (_word(code).lower() for code in fields["verdict"])
    new = "; new again" if "state" in fields else ""
    return f"The verdict changed from {before} to {after}{new}"


def _verdict_now(fields: Fields) -> str:
    return _word(fields["verdict"][1]).lower()


_SENTENCES: Mapping[str, Callable[[Fields], str]] = {
    Activity.Action.OPENED: lambda fields: f"Finding opened: {_verdict_now(fields)}",
    Activity.Action.VERDICT_CLEARED: lambda fields: f"The verdict cleared: {_verdict_now(fields)}",
    Activity.Action.VERDICT_RETURNED: lambda fields: f"The verdict is back: {_verdict_now(fields)}",
    Activity.Action.VERDICT_CHANGED: _changed_verdict,
    Activity.Action.REGRESSED: lambda _fields: (
        "Regressed: the verdict is back in hours after the repair"
    ),
    Activity.Action.ACCEPTANCE_ENDED: lambda _fields: "The acceptance ended on its day; new again",
    Activity.Action.SHIPPED: lambda fields: (
        f"A repair was marked; shipped, was {state_word(fields['state'][0]).lower()}"
    ),
    Activity.Action.STEP: lambda fields: _STEP_WORDS[fields["step"][1]],
    Activity.Action.TEAM_NOTE: lambda _fields: "Changed the team note",
    Activity.Action.COMMENT: lambda _fields: "Commented",
}


_MARKER_WORDS = {
    "created": "Marked",
    "changed": "Changed the marker",
    "confirmed": "Confirmed the marker",
    "dismissed": "Dismissed the marker",
    "deleted": "Took the marker away",
}


def _marker_sentence(fields: Fields) -> str:
    did, kind, starts_at = (fields[name][1] for name in ("did", "kind", "starts_at"))
    moment = datetime.fromisoformat(starts_at)
    said = f"{kind.replace('-', ' ')}, {shown_day(moment.date())} {moment:%H:%M} UTC"
    return f"{_MARKER_WORDS[did]}: {said}"


def _changes(fields: Fields) -> Iterator[str]:
    if "did" in fields:
        yield _marker_sentence(fields)
    if "marker" in fields:
        yield "Its repair marker counts no more"
    if "state" in fields:
        before, after = fields["state"]
        said = f"{state_word(after)}, was {state_word(before).lower()}"
        yield f"back to {said.lower()}" if "marker" in fields else said
    for name, word in _FIELD_WORDS.items():
        if name in fields:
            before, after = (value or "none" for value in fields[name])
            yield f"{word} {after}, was {before}"


def _word(code: str | None) -> str:
    return verdict_word(code) if code in VOCABULARY else (code or "N/A")
