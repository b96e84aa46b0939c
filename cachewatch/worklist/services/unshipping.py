"""A repair marker that counts no more takes back what it did to findings: it was deleted, or its time
lies ahead of now or before the finding by now.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from django.db import transaction

from cachewatch.worklist.models import Activity, Finding, StepMark
from cachewatch.worklist.services.keeping import keep
from cachewatch.worklist.shipped import Repair
from ingest.models import Source

MARK_STEP = "mark-and-read"


def take_back(source: Source, repairs: Sequence[Repair], *, now: datetime) -> int:
    """Take back what markers that are not among `repairs` any more did; returns of how many findings.

    A finding that still stands where the marker moved it goes back to the state before. One that
    somebody moved since stays, and loses its marker alone. Safe to run twice.
    """
    counting = {one.marker_id: one for one in repairs}
    held_by = Finding.objects.filter(series__source=source, marker__isnull=False)
    return sum(_take_back(one.pk, counting, now) for one in held_by if not _counts(one, counting))


def _counts(finding: Finding, counting: Mapping[int, Repair]) -> bool:
    if finding.marker_id is None:
        return True
    repair = counting.get(finding.marker_id)
    return repair is not None and repair.starts_at >= finding.opened_at


@transaction.atomic
def _take_back(finding_id: int, counting: Mapping[int, Repair], now: datetime) -> bool:
    held = (
        Finding.objects.select_for_update(of=("self",))
        .select_related("series__source", "marker")
        .filter(pk=finding_id)
        .first()
    )
    if held is None or _counts(held, counting):
        return False
    while not _counts(held, counting):
        _undo(held, now)
    return True


def _undo(held: Finding, now: datetime) -> None:
    """Undo one marker, back to the one before it."""
    moved = (
        Activity.objects.filter(
            finding=held, action=Activity.Action.SHIPPED, fields__marker__1=held.marker_id
        )
        .order_by("-pk")
        .first()
    )
    _untick(held, now)
    before = {} if moved is None else moved.fields
    was = _stored_marker(held, before.get("marker", [None])[0])
    fields: dict[str, list[Any]] = {"marker": [held.marker_id, was]}
    if moved is not None and moved == _last_move(held):
        fields |= _state_before(held, moved)
    held.marker_id = was
    keep(held, Activity.Action.CHANGED, fields, now=now)


def _state_before(held: Finding, moved: Activity) -> dict[str, list[Any]]:
    """Put a finding back to the state before, and when that began; what the history says of it."""
    was, to = moved.fields["state"][0], moved.fields.get("handed_to", [""])[0]
    fields: dict[str, list[Any]] = {"state": [held.state, was]}
    if to:
        fields["handed_to"] = [held.handed_to, to]
    began = _last_move(held, before=moved)
    held.state, held.handed_to = was, to
    held.state_since = held.opened_at if began is None else began.at
    return fields


def _last_move(held: Finding, before: Activity | None = None) -> Activity | None:
    found = Activity.objects.filter(finding=held, fields__has_key="state").order_by("-pk")
    return (found if before is None else found.filter(pk__lt=before.pk)).first()


def _stored_marker(held: Finding, marker_id: int | None) -> int | None:
    # Over the relation: rollouts stand beside this step, so that neither may import the other.
    markers = cast("Any", held.series.source).markers
    return marker_id if markers.filter(pk=marker_id).exists() else None


def _untick(held: Finding, now: datetime) -> None:
    """Open the step again where the tick is the marker's own."""
    marker = held.marker
    mark = StepMark.objects.filter(series=held.series, finding=held, key=MARK_STEP).first()
    if marker is None or mark is None or mark.state != StepMark.State.DONE:
        return
    if (mark.by_id, mark.at) != (marker.created_by_id, marker.created_at):
        return
    mark.state, mark.by, mark.at, mark.version = StepMark.State.OPEN, None, now, mark.version + 1
    mark.save()
