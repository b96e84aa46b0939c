"""Record, change and delete markers, each change with who and when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from cachewatch.accounts.models import User
from cachewatch.rollouts.errors import MarkerConflict, NotProposed
from cachewatch.rollouts.kinds import REPAIRS
from cachewatch.rollouts.models import Marker, MarkerChange, Rollout
from cachewatch.rollouts.particulars import checked
from cachewatch.rollouts.services.marker_checks import (
    NewMarker,
    Words,
    check_same,
    check_times,
    check_version,
    other_words,
    refuse_under_decision,
    whole_seconds,
)
from cachewatch.rollouts.services.readouts import open_readouts

CHANGEABLE = ("starts_at", "ends_at", "link", "note")


class Recorded(NamedTuple):
    """A stored marker, and whether this call made it; `differs`: what it was sent with in other words."""

    marker: Marker
    created: bool
    differs: tuple[Words, ...] = ()


def record_marker(new: NewMarker, *, by: User | None, now: datetime) -> Recorded:
    """Store a marker, or find the one that was stored before under the same key.

    The key is the external id; without one it is kind, scope and time. A repair gets its rollout
    and its readouts at once. One that was there keeps its link and its note: a job that runs again
    may have another link, and people correct notes. Raises FieldProblem for what cannot be,
    MarkerConflict where the external id belongs to a marker that says something else.
    """
    starts_at = whole_seconds(new.starts_at or now)
    ends_at = None if new.ends_at is None else whole_seconds(new.ends_at)
    particulars = checked(new.kind, new.particulars)
    check_times(starts_at, ends_at, now)
    there = _same_key(new, starts_at).first()
    if there is None:
        try:
            with transaction.atomic():
                return Recorded(_store(new, starts_at, ends_at, particulars, by, now), True)
        except IntegrityError:
            there = _same_key(new, starts_at).first()
            if there is None:
                raise
    check_same(there, new, ends_at, particulars)
    return Recorded(there, False, other_words(there, new))


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
    the present one or another marker is at that time already, DecidedError where the time of a repair would move under a frozen readout.
    """
    held = _locked(marker)
    fields = _differing(held, changes)
    given = None if particulars is None else _other_particulars(held, particulars)
    if given is not None:
        fields["particulars"] = [held.rollout.particulars, given]
    if not fields:
        return held
    check_version(held, version)
    check_times(held.starts_at, held.ends_at, now)
    if {"starts_at", "ends_at"} & set(fields):
        refuse_under_decision(held, "before moving the time")
    if given is not None:
        Rollout.objects.filter(marker=held).update(particulars=given)
    _save_change(held, fields, by, now)
    return held


@transaction.atomic
def delete_marker(marker: Marker, *, by: User | None, now: datetime) -> None:
    """Take a marker away, with its readouts; the rows stay for the history.

    Raises MarkerConflict where it is gone, DecidedError where somebody decided on one of them.
    """
    held = _locked(marker)
    refuse_under_decision(held, "before deleting the marker")
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
    held = _locked(marker)
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


def _differing(held: Marker, changes: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Set what differs; returns it by field, as before and after."""
    fields: dict[str, list[Any]] = {}
    for name in CHANGEABLE:
        wanted, present = changes.get(name), getattr(held, name)
        if isinstance(wanted, datetime):
            wanted = whole_seconds(wanted)
        if name in changes and wanted != present:
            fields[name] = [_plain(present), _plain(wanted)]
            setattr(held, name, wanted)
    return fields


def _other_particulars(held: Marker, sent: Mapping[str, Any]) -> dict[str, Any] | None:
    """The particulars to store; None where they do not differ, or the marker is no repair."""
    given = checked(held.kind, sent)
    rollout = Rollout.objects.filter(marker=held).first()
    return None if rollout is None or rollout.particulars == given else given


def _locked(marker: Marker) -> Marker:
    held = (
        Marker.objects.select_for_update(of=("self",))
        .select_related("source", "series", "created_by")
        .get(pk=marker.pk)
    )
    if held.deleted_at is not None:
        raise MarkerConflict("This marker was deleted meanwhile.")
    return held


def _save_change(held: Marker, fields: Mapping[str, Any], by: User | None, now: datetime) -> None:
    try:
        with transaction.atomic():
            _save(held, MarkerChange.Action.CHANGED, fields, by, now)
    except IntegrityError as error:
        raise MarkerConflict(
            "Another marker of this kind and scope is at that time already. Delete one of the two, "
            "or choose another time."
        ) from error


def _save(
    held: Marker, action: str, fields: Mapping[str, Any], by: User | None, now: datetime
) -> None:
    held.version += 1
    held.changed_at = now
    held.save()
    MarkerChange.objects.create(marker=held, action=action, fields=fields, by=by, at=now)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value
