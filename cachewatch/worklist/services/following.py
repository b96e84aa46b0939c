"""Findings follow decisions: opened, cleared, changed, regressed. Level-triggered: what is due is
found from how things stand, so that a run that was lost or killed is made up by the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from cachewatch.worklist.models import Activity, Finding
from cachewatch.worklist.services.expiring import end_acceptances
from cachewatch.worklist.services.keeping import keep
from cachewatch.worklist.services.locking import try_source
from cachewatch.worklist.services.marking import note_marker_changes
from cachewatch.worklist.services.shipping import note_shipped
from cachewatch.worklist.standing import Standing, standings
from ingest.models import Source

OPEN_AT_ONCE = 500
_FOLLOWS_OTHER_CAUSE = (Finding.State.ACCEPTED, Finding.State.HANDED_OFF)


class Followed(NamedTuple):
    """How many findings a run opened, reopened, moved with their verdict, ended, and shipped."""

    opened: int
    regressed: int
    moved: int
    expired: int
    shipped: int


NOTHING = Followed(0, 0, 0, 0, 0)


def follow_verdicts(source: Source, *, now: datetime) -> Followed:
    """Bring the findings of a source in line with its decisions and its repair markers.

    Safe to run twice, beside itself and to be killed: a series has one unresolved finding by a key
    of the database, and each change is a transaction of its own with its entry in the history.
    """
    standing = standings(source)
    moved = sum(
        _move(finding_id, standing[series_id], now)
        for finding_id, series_id in _out_of_line(source, standing)
    )
    expired = end_acceptances(source, now=now)
    opened, regressed = _open(source, standing, now)
    note_marker_changes(source)
    return Followed(opened, regressed, moved, expired, note_shipped(source, now=now))


def _out_of_line(source: Source, standing: dict[int, Standing]) -> list[tuple[int, int]]:
    """(finding, series) of unresolved findings that say something else than was decided."""
    rows = _unresolved(source).values_list("pk", "series_id", "code", "cleared_code")
    return [
        (pk, series_id)
        for pk, series_id, code, cleared in rows
        if series_id in standing and (code, cleared) != _wanted(code, cleared, standing[series_id])
    ]


def _wanted(code: str, cleared_code: str, found: Standing) -> tuple[str, str]:
    """What a finding should say: its code, and the code after it cleared.

    One that has cleared stays so, whatever else is decided that is no finding.
    """
    return (found.code, "") if found.is_finding else (code, cleared_code or found.code)


@transaction.atomic
def _move(finding_id: int, found: Standing, now: datetime) -> bool:
    held = Finding.objects.select_for_update().filter(pk=finding_id).first()
    if held is None or held.state == Finding.State.RESOLVED:
        return False
    code, cleared = _wanted(held.code, held.cleared_code, found)
    if (held.code, held.cleared_code) == (code, cleared):
        return False
    action, fields = _what_moved(held, code, cleared)
    fields |= _how_firmly(found)
    if action == Activity.Action.VERDICT_CHANGED and held.state in _FOLLOWS_OTHER_CAUSE:
        # It was accepted, or handed over, for another cause than the one that is there now.
        fields["state"] = [held.state, Finding.State.NEW]
        held.state, held.state_since = Finding.State.NEW, now
        held.reason, held.accepted_until, held.handed_to = "", None, ""
    held.code, held.cleared_code = code, cleared
    held.cleared_on = found.day if cleared else None
    keep(held, action, fields, now=now)
    return True


def _how_firmly(found: Standing) -> dict[str, list[str | None]]:
    """For the history: what changed if not the traffic, and from when on it may be confirmed."""
    fields: dict[str, list[str | None]] = {}
    if found.cause:
        fields["cause"] = [None, found.cause]
    if found.provisional_until is not None:
        fields["provisional_until"] = [None, found.provisional_until.isoformat()]
    return fields


def _what_moved(
    held: Finding, code: str, cleared: str
) -> tuple[Activity.Action, dict[str, list[str | None]]]:
    if cleared:
        return Activity.Action.VERDICT_CLEARED, {"verdict": [code, cleared]}
    if held.cleared_code and held.code == code:
        return Activity.Action.VERDICT_RETURNED, {"verdict": [held.cleared_code, code]}
    return Activity.Action.VERDICT_CHANGED, {"verdict": [held.cleared_code or held.code, code]}


def _open(source: Source, standing: dict[int, Standing], now: datetime) -> tuple[int, int]:
    """Open what lacks a finding, some at once; reopen what was resolved and came back."""
    opened = regressed = 0
    while True:
        with transaction.atomic():
            if not try_source(source):
                return opened, regressed
            lacking = _lacking(source, standing)
            back = _after_repair(lacking)
            due = [one for one in lacking if back.get(one.series_id, one) is not None]
            part = due[:OPEN_AT_ONCE]
            relapsed = [
                (old, one)
                for one in part
                if (old := back.get(one.series_id)) and old.code == one.code
            ]
            again = {old.series_id for old, _one in relapsed}
            for old, one in relapsed:
                _regress(old, one, now)
            opened += _open_new([one for one in part if one.series_id not in again], now)
            regressed += len(relapsed)
        if len(due) <= OPEN_AT_ONCE:
            return opened, regressed


def _lacking(source: Source, standing: dict[int, Standing]) -> list[Standing]:
    having = set(_unresolved(source).values_list("series_id", flat=True))
    return [
        standing[series_id]
        for series_id in sorted(standing)
        if standing[series_id].is_finding and series_id not in having
    ]


def _after_repair(lacking: Sequence[Standing]) -> dict[int, Finding | None]:
    """The last resolved finding of each series that has one; None where the verdict is still about
    hours before it was repaired.
    """
    resolved = Finding.objects.filter(
        series__in=[one.series_id for one in lacking], state=Finding.State.RESOLVED
    ).order_by("series_id", "state_since", "pk")
    last = {one.series_id: one for one in resolved}
    first_hour = {one.series_id: one.first_hour for one in lacking}
    return {
        series_id: one if first_hour[series_id] >= (one.relapse_from_hour or 0) else None
        for series_id, one in last.items()
    }


def _regress(old: Finding, found: Standing, now: datetime) -> None:
    fields = {"state": [old.state, Finding.State.REGRESSED], **_how_firmly(found)}
    old.state, old.state_since = Finding.State.REGRESSED, now
    old.relapse_from_hour, old.cleared_on, old.cleared_code = None, None, ""
    keep(old, Activity.Action.REGRESSED, fields, now=now)


def _open_new(part: Sequence[Standing], now: datetime) -> int:
    by_series = {one.series_id: one for one in part}
    made = Finding.objects.bulk_create(
        Finding(series_id=one.series_id, code=one.code, opened_at=now, state_since=now)
        for one in part
    )
    Activity.objects.bulk_create(
        Activity(
            series_id=one.series_id,
            finding=one,
            action=Activity.Action.OPENED,
            fields={"verdict": [None, one.code], **_how_firmly(by_series[one.series_id])},
            at=now,
        )
        for one in made
    )
    return len(made)


def _unresolved(source: Source) -> QuerySet[Finding]:
    return Finding.objects.filter(series__source=source).exclude(state=Finding.State.RESOLVED)
