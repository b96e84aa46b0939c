"""Work on one series: its repair list, the team's note, comments, handoff notes, what was done."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from django.http import HttpRequest
from django.utils import timezone
from ninja import Path, Query, Router, Status

from cachewatch.api.auth import access
from cachewatch.api.finding_rows import activity_out, note_out, step_out, work_out
from cachewatch.api.finding_shapes import (
    Activity,
    ActivityPage,
    HandoffNote,
    NewComment,
    NewTeamNote,
    SeriesWork,
    Step,
    StepChange,
    TeamNote,
)
from cachewatch.api.marker_rows import person
from cachewatch.api.paging import PagingQuery, page_of
from cachewatch.api.series_detail import readable_series, series_to_write
from cachewatch.verdicts.detail import newest_verdict
from cachewatch.worklist import queries, services
from cachewatch.worklist.checklist import checklist, marks_of
from cachewatch.worklist.handoff_notes import NoteKey, note_of

router = Router(tags=["findings"])
Whole = Annotated[
    bool, Query(description="texts before and after in full, not their first 200 characters")
]
StepKey = Annotated[str, Path(max_length=64, pattern="^[a-z0-9-]+$")]


@router.get("/series/{int:series_id}/work", response=SeriesWork)
def get_series_work(request: HttpRequest, series_id: int) -> SeriesWork:
    """The finding, the repair list, the team's note and the handoff notes of a series."""
    series = readable_series(request, series_id)
    return work_out(series, access(request), now=timezone.now())


@router.put("/series/{int:series_id}/steps/{step_key}", response={200: Step, 204: None})
def set_series_step(
    request: HttpRequest, series_id: int, step_key: StepKey, sent: StepChange
) -> Status[Step | None]:
    """Tick a step, skip it, or open it again; 409 with who and when where somebody was faster.

    A token that may not read is answered with 204.
    """
    series = series_to_write(request, series_id, "annotate")
    services.set_step(
        series,
        step_key,
        sent.state,
        sent.reason,
        version=sent.version,
        by=access(request).user,
        now=timezone.now(),
    )
    if not access(request).has_scope("read"):
        return Status(204, None)
    steps = checklist(
        newest_verdict(series), series, marks_of(series, queries.open_finding(series))
    )
    return Status(200, next(step_out(one) for one in steps if one.repair.key == step_key))


@router.put("/series/{int:series_id}/team-note", response={200: TeamNote, 204: None})
def set_series_team_note(
    request: HttpRequest, series_id: int, sent: NewTeamNote
) -> Status[TeamNote | None]:
    """Replace the team's note; an empty text empties it. 409 and 204 as for a step."""
    series = series_to_write(request, series_id, "annotate")
    by, now = access(request).user, timezone.now()
    made = services.set_team_note(series, sent.text, version=sent.version, by=by, now=now)
    if not access(request).has_scope("read"):
        return Status(204, None)
    return Status(200, note_out(made))


@router.post("/series/{int:series_id}/comments", response={201: Activity})
def add_series_comment(request: HttpRequest, series_id: int, sent: NewComment) -> Status[Activity]:
    """Add a comment to what was done with a series."""
    series = series_to_write(request, series_id, "annotate")
    made = services.add_comment(series, sent.text, by=access(request).user, now=timezone.now())
    return Status(201, activity_out(made))


@router.get("/series/{int:series_id}/activity", response=ActivityPage)
def list_series_activity(
    request: HttpRequest, series_id: int, paging: PagingQuery, whole: Whole = False
) -> dict[str, object]:
    """What was done with a series, by whom and when, the latest first; earlier ones by `offset`."""
    series = readable_series(request, series_id)
    return page_of(queries.activity_of(series), paging, partial(activity_out, whole=whole))


@router.get("/series/{int:series_id}/notes/{note_key}", response=HandoffNote)
def get_series_note(request: HttpRequest, series_id: int, note_key: NoteKey) -> HandoffNote:
    """A handoff note filled with the numbers of a series, as Markdown and as HTML."""
    series = readable_series(request, series_id)
    found = queries.finding_of(series)
    owner = None if found is None else person(found.owner)
    return HandoffNote(**note_of(note_key, series, owner)._asdict())
