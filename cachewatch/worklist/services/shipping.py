"""A repair marker that touches an open finding moves it to shipped and ticks the step that asks.

A marker that counts no more, since it was deleted or its time moved, takes that back.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from cachewatch.verdicts.detail import newest_verdict
from cachewatch.worklist.checklist import repairs_of
from cachewatch.worklist.models import Activity, Finding, StepMark
from cachewatch.worklist.services.keeping import keep
from cachewatch.worklist.services.unshipping import MARK_STEP, take_back
from cachewatch.worklist.shipped import Repair, repairs_shipped
from ingest.models import Source

_WAITING = (
    Finding.State.NEW,
    Finding.State.ACKNOWLEDGED,
    Finding.State.IN_PROGRESS,
    Finding.State.REGRESSED,
    Finding.State.HANDED_OFF,
)


def note_shipped(source: Source, *, now: datetime) -> int:
    """Move findings whose repair began since they were opened, and is marked; returns how many.

    A marker moves a finding once: somebody who takes it back to work is not overruled by it.
    """
    repairs = repairs_shipped(source, now=now)
    take_back(source, repairs, now=now)
    if not repairs:
        return 0
    waiting = Finding.objects.filter(series__source=source, state__in=_WAITING)
    found = [(one, _latest(one, repairs)) for one in waiting.select_related("series")]
    return sum(_ship(one.pk, repair, now) for one, repair in found if repair is not None)


def _latest(finding: Finding, repairs: Sequence[Repair]) -> Repair | None:
    since = finding.opened_at
    if finding.state == Finding.State.REGRESSED:
        since = finding.state_since
    for repair in repairs:
        if repair.touches(finding.series):
            if repair.marker_id == finding.marker_id or repair.starts_at < since:
                return None
            return repair
    return None


@transaction.atomic
def _ship(finding_id: int, repair: Repair, now: datetime) -> bool:
    held = (
        Finding.objects.select_for_update(of=("self",))
        .select_related("series")
        .filter(pk=finding_id)
        .first()
    )
    if held is None or held.state not in _WAITING or held.marker_id == repair.marker_id:
        return False
    fields = {
        "state": [held.state, Finding.State.SHIPPED],
        "marker": [held.marker_id, repair.marker_id],
    }
    if held.handed_to:
        fields["handed_to"] = [held.handed_to, ""]
    held.state, held.state_since = Finding.State.SHIPPED, now
    held.handed_to = ""
    held.marker_id = repair.marker_id
    keep(held, Activity.Action.SHIPPED, fields, by=repair.created_by, now=now)
    _tick(held, repair)
    return True


def _tick(held: Finding, repair: Repair) -> None:
    """Tick the step that asks for the marker where it waits, in the name of whoever set it."""
    steps = repairs_of(newest_verdict(held.series), held.series)
    step = next((one for one in steps if one.key == MARK_STEP), None)
    there = StepMark.objects.filter(series=held.series, finding=held, key=MARK_STEP).first()
    if step is None or (there is not None and there.state != StepMark.State.OPEN):
        return
    mark = there or StepMark(series=held.series, finding=held, key=MARK_STEP, version=0)
    mark.step, mark.code, mark.state, mark.reason = step.step, held.code, StepMark.State.DONE, ""
    mark.by, mark.at, mark.version = repair.created_by, repair.created_at, mark.version + 1
    mark.save()
