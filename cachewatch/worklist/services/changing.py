"""People change a finding: its state, its owner, the link to their own tracker."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from cachewatch.accounts.errors import FieldProblem
from cachewatch.accounts.models import User
from cachewatch.accounts.queries import access_of
from cachewatch.analysis.written_text import written
from cachewatch.worklist.errors import NotOpen, SaveConflict
from cachewatch.worklist.models import Activity, Finding
from cachewatch.worklist.services.keeping import keep
from cachewatch.worklist.shipped import relapse_hour, repairs_shipped

LONGEST_ACCEPTANCE = timedelta(days=366)
# The product alone says that a finding is new or has regressed.
BY_PEOPLE = (
    Finding.State.ACKNOWLEDGED,
    Finding.State.IN_PROGRESS,
    Finding.State.SHIPPED,
    Finding.State.RESOLVED,
    Finding.State.ACCEPTED,
    Finding.State.HANDED_OFF,
)


@dataclass(frozen=True)
class Changes:
    """What to change; None stays as it is. `owner_id` is (id,) or (None,) for nobody.

    `accepted_until` goes with the state accepted, which needs it and a `reason`, and `handed_to` with
    handed off; `reason` may go with any state. Without a state they change the present one's.
    """

    state: str | None = None
    owner_id: tuple[int | None] | None = None
    tracker: str | None = None
    reason: str | None = None
    accepted_until: date | None = None
    handed_to: str | None = None


def change_finding(
    finding: Finding, wanted: Changes, *, version: int | None, by: User | None, now: datetime
) -> Finding:
    """Change a finding; what does not differ is no change.

    `version` is the one that the caller saw. Raises SaveConflict, with who and when, where
    somebody changed it since; FieldProblem for what cannot be; NotOpen where a resolved one is
    reopened beside a newer finding of its series.
    """
    try:
        with transaction.atomic():
            return _change(finding, wanted, version, by, now)
    except IntegrityError as error:
        raise NotOpen(
            "This series has a newer finding, which is open; work on that one."
        ) from error


def _change(
    finding: Finding, wanted: Changes, version: int | None, by: User | None, now: datetime
) -> Finding:
    held = (
        Finding.objects.select_for_update(of=("self",))
        .select_related("series__source", "owner")
        .get(pk=finding.pk)
    )
    before = _shown(held)
    _apply(held, wanted, now)
    after = _shown(held)
    fields = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
    if not fields:
        return held
    if version is not None and version != held.version:
        raise _conflict(held, now)
    if "state" in fields:
        held.state_since = now
    text = written(wanted.reason)
    keep(held, Activity.Action.CHANGED, fields, text=text, by=by, now=now)
    return held


def _apply(held: Finding, wanted: Changes, now: datetime) -> None:
    if wanted.owner_id is not None:
        held.owner = _owner(held, wanted.owner_id[0])
    if wanted.tracker is not None:
        held.tracker = wanted.tracker
    was = held.state
    if wanted.state is not None:
        _move(held, wanted.state)
    _check_belongs(held, wanted)
    _say(held, wanted, now, keep_said=held.state == was)
    if held.state == Finding.State.RESOLVED:
        if was != Finding.State.RESOLVED:
            held.relapse_from_hour = _relapse_from(held, now)
    else:
        held.relapse_from_hour = None


def _move(held: Finding, state: str) -> None:
    if state not in BY_PEOPLE:
        raise FieldProblem("state", f"people set one of {', '.join(BY_PEOPLE)}")
    held.state = state


def _check_belongs(held: Finding, wanted: Changes) -> None:
    """Refuse what goes with another state, rather than pass it over."""
    if wanted.accepted_until is not None and held.state != Finding.State.ACCEPTED:
        raise FieldProblem("accepted_until", "goes with the state accepted")
    if written(wanted.handed_to) and held.state != Finding.State.HANDED_OFF:
        raise FieldProblem("handed_to", "goes with the state handed-off")


def _say(held: Finding, wanted: Changes, now: datetime, *, keep_said: bool) -> None:
    """Set what is said of a state; `keep_said`: what is left out stays, since the state does."""
    until, to = (held.accepted_until, held.handed_to) if keep_said else (None, "")
    if wanted.reason is not None or not keep_said:
        held.reason = written(wanted.reason)
    held.accepted_until = _expiry(held, wanted.accepted_until or until, until, now)
    held.handed_to = _handed_to(held, to if wanted.handed_to is None else written(wanted.handed_to))


def _expiry(held: Finding, until: date | None, before: date | None, now: datetime) -> date | None:
    if held.state != Finding.State.ACCEPTED:
        return None
    if not held.reason:
        raise FieldProblem("reason", "say in a sentence why it is accepted")
    if until is None:
        raise FieldProblem("accepted_until", "say until which day")
    if until != before and not now.date() < until <= (now + LONGEST_ACCEPTANCE).date():
        raise FieldProblem("accepted_until", "must lie ahead, by at most 366 days")
    return until


def _handed_to(held: Finding, to: str) -> str:
    if held.state != Finding.State.HANDED_OFF:
        return ""
    if not to:
        raise FieldProblem("handed_to", "say to whom it goes")
    return to


def _owner(held: Finding, user_id: int | None) -> User | None:
    if user_id is None:
        return None
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not access_of(user).allows("read", held.series.source_id):
        raise FieldProblem("owner_id", "is nobody who may read this source")
    return user


def _relapse_from(held: Finding, now: datetime) -> int:
    """From which hour on a verdict is a relapse: after the repair that was marked.

    Without one it is after now, since whoever resolves it knows what the verdict says; also where
    the verdict stands and the latest repair was marked, and began, before the finding was opened.
    """
    shipped = repairs_shipped(held.series.source, now=now)
    latest = next((one for one in shipped if one.touches(held.series)), None)
    if latest is None:
        return relapse_hour(now)
    marked_before = max(latest.starts_at, latest.created_at) < held.opened_at
    if held.cleared_on is None and marked_before:
        return relapse_hour(now)
    return relapse_hour(latest.reached_all)


def _shown(held: Finding) -> dict[str, Any]:
    """What the history keeps of a finding, as it is shown."""
    return {
        "state": held.state,
        "owner": None if held.owner is None else str(held.owner),
        "tracker": held.tracker,
        "reason": held.reason,
        "accepted_until": held.accepted_until.isoformat() if held.accepted_until else None,
        "handed_to": held.handed_to,
    }


def _conflict(held: Finding, now: datetime) -> SaveConflict:
    last = (
        Activity.objects.filter(finding=held)
        .exclude(action__in=[Activity.Action.STEP, Activity.Action.COMMENT])
        .select_related("by")
        .order_by("-at", "-pk")
        .first()
    )
    if last is None:
        return SaveConflict("changed this finding", None, held.state_since, now)
    return SaveConflict("changed this finding", last.by, last.at, now)
