"""An acceptance ends on its day: the finding is new again, and its history says why."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from cachewatch.worklist.models import Activity, Finding
from cachewatch.worklist.services.keeping import keep
from ingest.models import Source


def end_acceptances(source: Source, *, now: datetime) -> int:
    """End the acceptances of a source whose day has come; returns how many. Safe to run twice."""
    due = Finding.objects.filter(
        series__source=source, state=Finding.State.ACCEPTED, accepted_until__lte=now.date()
    )
    return sum(_end(pk, now) for pk in due.values_list("pk", flat=True))


@transaction.atomic
def _end(finding_id: int, now: datetime) -> bool:
    held = Finding.objects.select_for_update().filter(pk=finding_id).first()
    if held is None or held.state != Finding.State.ACCEPTED:
        return False
    if held.accepted_until is None or held.accepted_until > now.date():
        return False
    fields = {
        "state": [held.state, Finding.State.NEW],
        "accepted_until": [held.accepted_until.isoformat(), None],
        "reason": [held.reason, ""],
    }
    held.state, held.state_since = Finding.State.NEW, now
    held.reason, held.accepted_until = "", None
    keep(held, Activity.Action.ACCEPTANCE_ENDED, fields, now=now)
    return True
