"""A marker as it is sent, and what can stand against recording, changing or deleting one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args

from cachewatch.accounts.errors import FieldProblem
from cachewatch.rollouts.errors import DecidedError, MarkerConflict
from cachewatch.rollouts.models import Marker, Readout, Rollout
from cachewatch.rollouts.presenting import decided_sentence
from cachewatch.rollouts.targets import Target

Words = Literal["link", "note"]
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


def whole_seconds(moment: datetime) -> datetime:
    """The same moment in UTC, without its fraction of a second."""
    return moment.astimezone(UTC).replace(microsecond=0)


def check_same(
    there: Marker, new: NewMarker, ends_at: datetime | None, particulars: Mapping[str, Any]
) -> None:
    """Refuse a marker that comes back with other content. Raises MarkerConflict.

    A time that was left out was the clock's, and what somebody changed since is not the post's.
    """
    target = new.target
    wanted = (new.kind, target.scope, target.project_id, target.series)
    differs = (there.kind, there.scope, there.project_id, there.series) != wanted
    if there.version == 1:
        if new.starts_at is not None:
            differs |= whole_seconds(new.starts_at) != there.starts_at
        differs |= ends_at is not None and ends_at != there.ends_at
        differs |= _says_anything(new) and particulars != _particulars_of(there)
    if differs:
        raise MarkerConflict(_other_content(there))


def other_words(there: Marker, new: NewMarker) -> tuple[Words, ...]:
    """Which of link and note were sent, and are not what is stored."""
    return tuple(
        name
        for name in get_args(Words)
        if getattr(new, name) and getattr(new, name) != getattr(there, name)
    )


def _says_anything(new: NewMarker) -> bool:
    return any(value not in (None, "") for value in new.particulars.values())


def _particulars_of(marker: Marker) -> Mapping[str, Any]:
    rollout = Rollout.objects.filter(marker=marker).first()
    return {} if rollout is None else rollout.particulars


def _other_content(there: Marker) -> str:
    if there.external_id:
        return (
            f"The external id {there.external_id} belongs to marker {there.pk}, which differs in "
            "kind, scope, time or particulars. Change that marker, or send another external id."
        )
    return (
        f"Marker {there.pk} is of this kind, scope and time already, and differs in its end or its "
        "particulars. Change that marker, or send an external id."
    )


def check_times(starts_at: datetime, ends_at: datetime | None, now: datetime) -> None:
    """Refuse a time too far ahead and a range that cannot be. Raises FieldProblem."""
    if starts_at > now + FARTHEST_AHEAD:
        raise FieldProblem("at", f"lies more than {FARTHEST_AHEAD.days} days ahead")
    if ends_at is None:
        return
    if ends_at <= starts_at:
        raise FieldProblem("until", "must be later than at")
    if ends_at - starts_at > LONGEST_RANGE:
        raise FieldProblem("until", f"a range has at most {LONGEST_RANGE.days} days")


def refuse_under_decision(held: Marker, before: str) -> None:
    """Refuse where somebody decided on a readout of the marker. Raises DecidedError."""
    decided = Readout.objects.filter(rollout__marker=held).exclude(outcome="")
    one = decided.select_related("decided_by").order_by("pk").first()
    if one is not None:
        raise DecidedError(f"{decided_sentence(one)} Reopen it first, {before}.")


def check_version(held: Marker, version: int | None) -> None:
    """Refuse a change of what somebody changed since it was seen. Raises MarkerConflict."""
    if version is not None and version != held.version:
        last = held.changes.select_related("by").order_by("-at", "-pk").first()
        who = str(last.by) if last and last.by else "Somebody"
        raise MarkerConflict(f"{who} changed this marker meanwhile. Look at it again.")
