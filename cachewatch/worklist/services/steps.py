"""People tick a step, skip it with a reason, or open it again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from cachewatch.accounts.errors import FieldProblem
from cachewatch.accounts.models import User
from cachewatch.analysis.written_text import written
from cachewatch.verdicts.detail import newest_verdict
from cachewatch.worklist.checklist import repairs_of
from cachewatch.worklist.errors import NotOpen, SaveConflict
from cachewatch.worklist.models import Activity, Finding, StepMark
from cachewatch.worklist.queries import open_finding
from cachewatch.worklist.services.locking import hold_series
from ingest.models import Series

_DID = {
    StepMark.State.DONE: "ticked this",
    StepMark.State.SKIPPED: "skipped this",
    StepMark.State.OPEN: "opened this again",
}


@transaction.atomic
def set_step(
    series: Series,
    key: str,
    state: str,
    reason: str = "",
    *,
    version: int | None = None,
    by: User | None,
    now: datetime,
) -> StepMark | None:
    """Say that a step is done, skipped or open again; the same again is no change.

    None for a step that nobody has touched and that is to be open, as it is.

    `version` is that of the step as the caller saw it, 0 where nobody had touched it. Raises
    SaveConflict, with who and when, where somebody touched it since; FieldProblem for a skip
    without a reason; NotOpen for a step that is in no list of this series.
    """
    reason = _reason(state, written(reason))
    hold_series(series)
    finding = open_finding(series)
    held = StepMark.objects.filter(series=series, finding=finding, key=key).first()
    before = StepMark.State.OPEN if held is None else held.state
    if held is not None and (held.state, held.reason) == (state, reason):
        return held
    _check_version(held, version, now)
    step, code = _words(series, key, held)
    if held is None and state == StepMark.State.OPEN:
        return None
    mark = held or StepMark(series=series, finding=finding, key=key, version=0)
    mark.step, mark.code, mark.state, mark.reason = step, code, state, reason
    mark.by, mark.at, mark.version = by, now, mark.version + 1
    mark.save()
    fields = {"step": [before, state], **_begin(finding, state, now)}
    Activity.objects.create(
        series=series,
        finding=finding,
        action=Activity.Action.STEP,
        fields=fields,
        text=f"{step}: {reason}" if reason else step,
        by=by,
        at=now,
    )
    return mark


def _reason(state: str, reason: str) -> str:
    if state == StepMark.State.SKIPPED and not reason:
        raise FieldProblem("reason", "say in a sentence why it is skipped")
    return reason


def _check_version(held: StepMark | None, version: int | None, now: datetime) -> None:
    if version is None or version == (0 if held is None else held.version):
        return
    if held is None:
        raise NotOpen("This step belongs to a finding that is closed by now.")
    raise SaveConflict(_DID[StepMark.State(held.state)], held.by, held.at, now)


def _words(series: Series, key: str, held: StepMark | None) -> tuple[str, str]:
    """What the step is called, and the verdict whose list it stands in."""
    verdict = newest_verdict(series)
    for one in repairs_of(verdict, series):
        if one.key == key and verdict is not None:
            return one.step, verdict.code
    if held is None:
        raise NotOpen("This step is in no list of this series; the verdict may have changed.")
    return held.step, held.code


def _begin(finding: Finding | None, state: str, now: datetime) -> dict[str, list[str]]:
    """A first step that is done begins the work on a new finding."""
    if finding is None or state != StepMark.State.DONE:
        return {}
    held = Finding.objects.select_for_update().get(pk=finding.pk)
    if held.state != Finding.State.NEW:
        return {}
    held.state, held.state_since = Finding.State.IN_PROGRESS, now
    held.version += 1
    held.save()
    return {"state": [Finding.State.NEW, Finding.State.IN_PROGRESS]}
