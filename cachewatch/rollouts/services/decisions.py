"""A person decides what a readout means: that freezes it, and can be taken back."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from cachewatch.accounts.errors import FieldProblem
from cachewatch.accounts.models import User
from cachewatch.rollouts.errors import DecidedError, NotMeasured
from cachewatch.rollouts.models import Readout, ReadoutChange


@transaction.atomic
def decide(
    readout: Readout, outcome: str, reason: str, *, by: User | None, now: datetime
) -> Readout:
    """Freeze a readout at what it says now, with the data version it is of.

    The same decision again is no change. Raises FieldProblem without a reason, NotMeasured before
    the first measurement, DecidedError where another decision stands.
    """
    reason = reason.strip()
    if not reason:
        raise FieldProblem("reason", "say in a sentence why")
    held = Readout.objects.select_for_update().get(pk=readout.pk)
    if held.document is None:
        raise NotMeasured
    if held.outcome:
        if (held.outcome, held.reason) == (outcome, reason):
            return held
        raise DecidedError("This readout is decided already. Reopen it first.")
    held.outcome, held.reason, held.decided_by, held.decided_at = outcome, reason, by, now
    held.save(update_fields=["outcome", "reason", "decided_by", "decided_at"])
    _note(held, "decided", outcome, reason, by, now)
    return held


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
