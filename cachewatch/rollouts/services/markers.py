"""Record, change and delete markers, each change with who and when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from cachewatch.accounts.errors import FieldProblem
from cachewatch.accounts.models import User
from cachewatch.rollouts.errors import DecidedError, MarkerConflict, NotProposed
from cachewatch.rollouts.kinds import REPAIRS
from cachewatch.rollouts.models import Marker, MarkerChange, Readout, Rollout
from cachewatch.rollouts.particulars import checked
from cachewatch.rollouts.services.readouts import open_readouts
from cachewatch.rollouts.targets import Target

CHANGEABLE = ("starts_at", "ends_at", "link", "note")
FARTHEST_AHEAD = timedelta(days=366)
LONGEST_RANGE = timedelta(days=92)


@dataclass(frozen=True)
class NewMarker:
    """A marker to record; `starts_at` None: now. `external_id` is the caller's own key, or ""."""

    target: Target
    kind: str
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    link: str = ""
    note: str = ""
    external_id: str = ""
    particulars: Mapping[str, Any] = field(default_factory=dict)


class Recorded(NamedTuple):
    """A stored marker, and whether this call made it."""

    marker: Marker
    created: bool


def record_marker(new: NewMarker, *, by: User | None, now: datetime) -> Recorded:
    """Store a marker, or find the one that was stored before under the same key.

    The key is the external id; without one it is kind, scope and time. A repair gets its rollout
    and its readouts at once. Raises FieldProblem for what cannot be, MarkerConflict where the
    external id belongs to a marker that says something else.
    """
    starts_at = _whole_seconds(new.starts_at or now)
    ends_at = None if new.ends_at is None else _whole_seconds(new.ends_at)
    particulars = checked(new.kind, new.particulars)
    _check_times(starts_at, ends_at, now)
    there = _same_key(new, starts_at).first()
    if there is None:
        try:
            with transaction.atomic():
                return Recorded(_store(new, starts_at, ends_at, particulars, by, now), True)
        except IntegrityError:
            there = _same_key(new, starts_at).first()
            if there is None:
                raise
    _check_same(there, new)
    return Recorded(there, False)


@transaction.atomic
def change_marker(
    marker: Marker,
    changes: Mapping[str, Any],
    *,
    particulars: Mapping[str, Any] | None = None,
    version: int | None = None,
    by: User | None,
    now: datetime,
) -> Marker:
    """Change what a marker says; kind and scope stay. What does not differ is no change.

    `version` is the one that the caller saw. Raises FieldProblem, MarkerConflict where it is not
    the present one, DecidedError where the time of a repair would move under a frozen readout.
    """
    held = _locked(marker, version)
    fields: dict[str, list[Any]] = {}
    for name in CHANGEABLE:
        if name in changes and changes[name] != getattr(held, name):
            fields[name] = [_plain(getattr(held, name)), _plain(changes[name])]
            setattr(held, name, changes[name])
    if particulars is not None:
        fields |= _change_particulars(held, particulars)
    if not fields:
        return held
    _check_times(held.starts_at, held.ends_at, now)
    if {"starts_at", "ends_at"} & set(fields):
        _refuse_under_decision(held)
    _save(held, MarkerChange.Action.CHANGED, fields, by, now)
    return held


@transaction.atomic
def delete_marker(marker: Marker, *, by: User | None, now: datetime) -> None:
    """Take a marker away, with its readouts; the rows stay for the history."""
    held = _locked(marker, None)
    held.deleted_at = now
    _save(held, MarkerChange.Action.DELETED, {}, by, now)


def confirm_marker(marker: Marker, *, by: User | None, now: datetime) -> Marker:
    """Let a proposal count. Safe to run twice. Raises NotProposed."""
    return _settle(marker, Marker.State.IN_FORCE, MarkerChange.Action.CONFIRMED, by, now)


def dismiss_marker(marker: Marker, *, by: User | None, now: datetime) -> Marker:
    """Say that a proposal is none; it will not be proposed again. Raises NotProposed."""
    return _settle(marker, Marker.State.DISMISSED, MarkerChange.Action.DISMISSED, by, now)


@transaction.atomic
def _settle(marker: Marker, state: str, action: str, by: User | None, now: datetime) -> Marker:
    held = _locked(marker, None)
    if not held.proposal_key:
        raise NotProposed
    if held.state != state:
        fields = {"state": [held.state, state]}
        held.state = state
        _save(held, action, fields, by, now)
    return held


def _store(
    new: NewMarker,
    starts_at: datetime,
    ends_at: datetime | None,
    particulars: dict[str, Any],
    by: User | None,
    now: datetime,
) -> Marker:
    target = new.target
    marker = Marker.objects.create(
        source=target.source,
        scope=target.scope,
        project_id=target.project_id,
        series=target.series,
        kind=new.kind,
        starts_at=starts_at,
        ends_at=ends_at,
        link=new.link,
        note=new.note,
        external_id=new.external_id,
        created_by=by,
        created_at=now,
        changed_at=now,
    )
    MarkerChange.objects.create(marker=marker, action=MarkerChange.Action.CREATED, by=by, at=now)
    if new.kind in REPAIRS:
        rollout = Rollout.objects.create(marker=marker, particulars=particulars)
        open_readouts(rollout, now=now)
    return marker


def _same_key(new: NewMarker, starts_at: datetime) -> QuerySet[Marker]:
    known = Marker.objects.filter(source=new.target.source, deleted_at__isnull=True)
    if new.external_id:
        return known.filter(external_id=new.external_id)
    return known.filter(
        external_id="",
        proposal_key="",
        scope=new.target.scope,
        project_id=new.target.project_id,
        series=new.target.series,
        kind=new.kind,
        starts_at=starts_at,
    )


def _check_same(there: Marker, new: NewMarker) -> None:
    """A time that was left out was the clock's, and one that somebody moved since is not the post's."""
    target = new.target
    wanted = (new.kind, target.scope, target.project_id, target.series)
    differs = (there.kind, there.scope, there.project_id, there.series) != wanted
    if new.starts_at is not None and there.version == 1:
        differs |= _whole_seconds(new.starts_at) != there.starts_at
    if differs:
        raise MarkerConflict(
            f"The external id {new.external_id} belongs to marker {there.pk}, which differs in "
            "kind, scope or time. Change that marker, or send another external id."
        )


def _check_times(starts_at: datetime, ends_at: datetime | None, now: datetime) -> None:
    if starts_at > now + FARTHEST_AHEAD:
        raise FieldProblem("at", f"lies more than {FARTHEST_AHEAD.days} days ahead")
    if ends_at is None:
        return
    if ends_at <= starts_at:
        raise FieldProblem("until", "must be later than at")
    if ends_at - starts_at > LONGEST_RANGE:
        raise FieldProblem("until", f"a range has at most {LONGEST_RANGE.days} days")


def _change_particulars(held: Marker, sent: Mapping[str, Any]) -> dict[str, list[Any]]:
    given = checked(held.kind, sent)
    rollout = Rollout.objects.filter(marker=held).first()
    if rollout is None or rollout.particulars == given:
        return {}
    before, rollout.particulars = rollout.particulars, given
    rollout.save(update_fields=["particulars"])
    return {"particulars": [before, given]}


def _refuse_under_decision(held: Marker) -> None:
    if Readout.objects.filter(rollout__marker=held).exclude(outcome="").exists():
        raise DecidedError("A readout of this marker is decided. Reopen it before moving the time.")


def _locked(marker: Marker, version: int | None) -> Marker:
    held = (
        Marker.objects.select_for_update(of=("self",))
        .select_related("source", "series", "created_by")
        .get(pk=marker.pk)
    )
    if held.deleted_at is not None:
        raise MarkerConflict("This marker was deleted meanwhile.")
    if version is not None and version != held.version:
        last = held.changes.select_related("by").order_by("-at", "-pk").first()
        who = str(last.by) if last and last.by else "Somebody"
        raise MarkerConflict(f"{who} changed this marker meanwhile. Look at it again.")
    return held


def _save(
    held: Marker, action: str, fields: Mapping[str, Any], by: User | None, now: datetime
) -> None:
    held.version += 1
    held.changed_at = now
    held.save()
    MarkerChange.objects.create(marker=held, action=action, fields=fields, by=by, at=now)


def _whole_seconds(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value
