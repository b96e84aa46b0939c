"""A person decides what a readout means: that freezes it, and can be taken back."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from cachewatch.accounts.errors import FieldProblem
from cachewatch.accounts.models import User
from cachewatch.analysis.written_text import written
from cachewatch.rollouts.due import inputs_of
from cachewatch.rollouts.errors import DecidedError, MarkerConflict, NotMeasured, ReadoutMoved
from cachewatch.rollouts.models import Marker, Readout, ReadoutChange
from cachewatch.rollouts.presenting import awaits_hours, decided_sentence, heading, version_of
from ingest.queries import complete_to


@transaction.atomic
def decide(
    readout: Readout,
    outcome: str,
    reason: str,
    *,
    version: str | None = None,
    by: User | None,
    now: datetime,
) -> Readout:
    """Freeze a readout at what it says now, with the data version it is of.

    The same decision again is no change. `version` is the one that the caller saw; None: whatever
    it says. Raises FieldProblem without a reason, NotMeasured before the first measurement and
    while hours are collected, DecidedError where another decision stands, MarkerConflict without
    the marker, ReadoutMoved where it was or has to be measured again since.
    """
    reason = written(reason)
    if not reason:
        raise FieldProblem("reason", "say in a sentence why")
    held = _held(readout)
    if held.outcome:
        if (held.outcome, held.reason) == (outcome, reason):
            return held
        raise DecidedError(f"{decided_sentence(held)} Reopen it first.")
    _check_can_be_decided(held, version, now)
    held.outcome, held.reason, held.decided_by, held.decided_at = outcome, reason, by, now
    held.save(update_fields=["outcome", "reason", "decided_by", "decided_at"])
    _note(held, "decided", outcome, reason, by, now)
    return held


def _held(readout: Readout) -> Readout:
    """The readout, locked after its marker: nobody moves or deletes that meanwhile."""
    marker = Marker.objects.select_for_update().get(rollout__readouts=readout.pk)
    if marker.deleted_at is not None:
        raise MarkerConflict("The marker of this readout was deleted meanwhile.")
    return (
        Readout.objects.select_for_update(of=("self",))
        .select_related("rollout__marker", "series__source", "decided_by")
        .get(pk=readout.pk)
    )


def _check_can_be_decided(held: Readout, version: str | None, now: datetime) -> None:
    if held.document is None:
        raise NotMeasured
    if held.problem:
        raise ReadoutMoved(f"{held.problem} It can be decided once it was.")
    settled = complete_to([held.series.source_id], now=now).get(held.series.source_id)
    if settled is None or inputs_of([held], settled)[0].make_due(held):
        raise ReadoutMoved(
            "Hours or markers changed since this readout was measured. It is measured again within "
            "a minute; look at it then."
        )
    if version is not None and version != version_of(held):
        raise ReadoutMoved(f"This readout was measured again. It says now: {heading(held)}.")
    if awaits_hours(held):
        raise NotMeasured("This readout is still collecting hours; there is nothing to decide yet.")


@transaction.atomic
def reopen(readout: Readout, *, by: User | None, now: datetime) -> Readout:
    """Take a decision back: the readout is measured again. Without a decision there is no change."""
    held = Readout.objects.select_for_update().get(pk=readout.pk)
    if not held.outcome:
        return held
    _note(held, "reopened", held.outcome, held.reason, by, now)
    held.outcome, held.reason, held.decided_by, held.decided_at = "", "", None, None
    held.late_state, held.late_document, held.late_at, held.measured_key = "", None, None, ""
    held.save()
    return held


def _note(
    held: Readout, action: str, outcome: str, reason: str, by: User | None, now: datetime
) -> None:
    ReadoutChange.objects.create(
        readout=held,
        action=action,
        state=held.state,
        outcome=outcome,
        reason=reason,
        data_version=held.data_version,
        by=by,
        at=now,
    )
