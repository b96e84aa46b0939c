"""People write: the team's note on a series, and comments."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from cachewatch.accounts.errors import FieldProblem
from cachewatch.accounts.models import User
from cachewatch.analysis.written_text import written
from cachewatch.worklist.errors import SaveConflict
from cachewatch.worklist.models import Activity, TeamNote
from cachewatch.worklist.queries import open_finding
from cachewatch.worklist.services.locking import hold_series
from ingest.models import Series


@transaction.atomic
def set_team_note(
    series: Series, text: str, *, version: int | None, by: User | None, now: datetime
) -> TeamNote:
    """Replace the team's note; the text before stays in the history. The same text is no change.

    `version` is the one that the caller saw, 0 where there was no note. Raises SaveConflict, with
    who and when, where somebody saved since.
    """
    text = written(text)
    hold_series(series)
    held = TeamNote.objects.select_related("changed_by").filter(series=series).first()
    if held is not None and held.text == text:
        return held
    if held is not None and version is not None and version != held.version:
        raise SaveConflict("changed this note", held.changed_by, held.changed_at, now)
    note = held or TeamNote(series=series, version=0)
    before, note.text, note.version = note.text, text, note.version + 1
    note.changed_by, note.changed_at = by, now
    note.save()
    Activity.objects.create(
        series=series,
        finding=open_finding(series),
        action=Activity.Action.TEAM_NOTE,
        fields={"text": [before, text]},
        by=by,
        at=now,
    )
    return note


def add_comment(series: Series, text: str, *, by: User | None, now: datetime) -> Activity:
    """Add a comment to what was done. Raises FieldProblem for an empty one."""
    text = written(text)
    if not text:
        raise FieldProblem("text", "write something")
    return Activity.objects.create(
        series=series,
        finding=open_finding(series),
        action=Activity.Action.COMMENT,
        text=text,
        by=by,
        at=now,
    )
