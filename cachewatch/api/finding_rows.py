"""From stored findings, steps, notes and activity to the answers about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from cachewatch.accounts.access import Access
from cachewatch.accounts.models import User
from cachewatch.accounts.queries import members
from cachewatch.analysis.vocabulary import verdict_word
from cachewatch.api import finding_shapes as shapes
from cachewatch.api.marker_rows import person
from cachewatch.api.money import money_fields, no_money
from cachewatch.api.shapes import source_ref, verdict_code
from cachewatch.markdown import parsed, safe_html
from cachewatch.verdicts.addresses import NO_NAME, project_label, series_path
from cachewatch.verdicts.browse import newest_verdicts
from cachewatch.verdicts.detail import newest_verdict
from cachewatch.verdicts.models import Verdict
from cachewatch.verdicts.presenting import present
from cachewatch.worklist import models, presenting, queries
from cachewatch.worklist.checklist import Step, checklist, marks_shown, next_step
from cachewatch.worklist.handoff_notes import note_names
from ingest.models import Series

# Characters of a text before and after, such as a team note, in a list of what was done.
LONGEST_VALUE = 200


def person_out(user: User | None) -> shapes.Person | None:
    """Somebody by id and name; None for nobody."""
    return None if user is None else shapes.Person(id=user.pk, name=str(user))


def series_fields(series: Series) -> dict[str, Any]:
    """The fields of SeriesRef; `series` has its source and project name loaded."""
    return {
        "source": source_ref(series.source),
        "series_id": series.pk,
        "project_id": series.project_id,
        "project_name": project_label(series),
        "model": series.model,
        "model_name": series.model or NO_NAME,
        "series_path": series_path(series),
    }


def findings_out(found: Sequence[models.Finding], *, now: datetime) -> list[shapes.Finding]:
    """Findings of one page; two more queries, however many there are."""
    verdicts = newest_verdicts([one.series for one in found])
    marks = queries.marks_of_findings(found)
    return [finding_out(one, verdicts.get(one.series_id), marks[one.pk], now=now) for one in found]


def finding_out(
    row: models.Finding,
    verdict: Verdict | None,
    marks: Mapping[str, models.StepMark],
    *,
    now: datetime,
) -> shapes.Finding:
    """One finding; `row` comes from the queries, with what it shows loaded."""
    series, today = row.series, now.date()
    series.project_name = cast("Any", row).project_name  # type: ignore[attr-defined]
    steps = checklist(verdict, series, dict(marks))
    return shapes.Finding(
        **series_fields(series),
        **_progress(steps),
        **(no_money("not classified yet") if verdict is None else money_fields(verdict)),
        id=row.pk,
        code=verdict_code(row.code),
        word=verdict_word(row.code),
        heading=_heading(verdict, series),
        state=cast("shapes.FindingState", row.state),
        state_word=presenting.state_word(row.state),
        standing=presenting.standing_text(row, today),
        opened_at=row.opened_at,
        state_since=row.state_since,
        days_open=max(0, (today - row.opened_at.date()).days),
        cleared_on=row.cleared_on,
        cleared_sentence=presenting.cleared_sentence(row),
        owner=person_out(row.owner),
        tracker=row.tracker,
        reason=row.reason,
        accepted_until=row.accepted_until,
        handed_to=row.handed_to,
        marker_id=row.marker_id,
        version=row.version,
    )


def work_out(series: Series, caller: Access, *, now: datetime) -> shapes.SeriesWork:
    """The rail of a series page; `series` has its source and project name loaded."""
    verdict = newest_verdict(series)
    row = queries.finding_of(series)
    marks = marks_shown(verdict, series, row)
    steps = checklist(verdict, series, marks)
    counted = _progress(steps)
    can_write = caller.allows("annotate", series.source_id)
    note = queries.team_note(series)
    return shapes.SeriesWork(
        finding=None if row is None else finding_out(row, verdict, marks, now=now),
        checklist=[step_out(step) for step in steps],
        steps_done=counted["steps_done"],
        steps_total=counted["steps_total"],
        team_note=None if note is None else note_out(note),
        notes=[shapes.NoteRef(**one._asdict()) for one in note_names(series)],
        people=people_of(series.source_id) if can_write else [],
        can_write=can_write,
    )


def people_of(source_id: int) -> list[shapes.Person]:
    """Everybody who may read a source, and so own its findings."""
    return [
        shapes.Person(id=one.pk, name=str(one))
        for one in members()
        if one.is_superuser
        or any(held.source_id in (None, source_id) for held in one.memberships.all())
    ]


def step_out(step: Step) -> shapes.Step:
    """One step with what somebody made of it."""
    mark, words = step.mark, step.repair
    return shapes.Step(
        key=words.key,
        number=step.number,
        step=words.step,
        why=words.why,
        how=words.how,
        result=words.result,
        samples=[shapes.Sample(**one._asdict()) for one in step.samples],
        state=cast("shapes.StepState", mark.state if mark else "open"),
        mark=None if mark is None else _mark_out(mark),
        kept_from=verdict_word(step.code) if step.number is None else None,
    )


def note_out(note: models.TeamNote) -> shapes.TeamNote:
    """The team's note as written and as safe HTML."""
    return shapes.TeamNote(
        text=note.text,
        html=safe_html(parsed(note.text)),
        version=note.version,
        changed_by=person(note.changed_by),
        changed_at=note.changed_at,
    )


def activity_out(row: models.Activity, *, whole: bool = False) -> shapes.Activity:
    """One thing that was done; long texts among its `fields` are cut unless `whole`."""
    return shapes.Activity(
        id=row.pk,
        finding_id=row.finding_id,
        action=cast("shapes.ActivityAction", row.action),
        sentence=presenting.activity_sentence(row),
        text=row.text,
        fields=row.fields if whole else {name: _cut(pair) for name, pair in row.fields.items()},
        by=person(row.by),
        at=row.at,
    )


def _cut(pair: Sequence[Any]) -> list[Any]:
    return [
        f"{one[:LONGEST_VALUE]}\u2026" if isinstance(one, str) and len(one) > LONGEST_VALUE else one
        for one in pair
    ]


def _mark_out(mark: models.StepMark) -> shapes.StepMark:
    return shapes.StepMark(
        state=cast("shapes.StepState", mark.state),
        reason=mark.reason,
        by=person(mark.by),
        at=mark.at,
        version=mark.version,
    )


def _progress(steps: Sequence[Step]) -> dict[str, Any]:
    present = [one for one in steps if one.number is not None]
    following = next_step(present)
    return {
        "steps_done": sum(not one.is_open for one in present),
        "steps_total": len(present),
        "next_step": None
        if following is None or following.number is None
        else shapes.StepRef(
            key=following.repair.key, number=following.number, step=following.repair.step
        ),
    }


def _heading(verdict: Verdict | None, series: Series) -> str:
    return "Not classified yet" if verdict is None else str(present(verdict, series)["sentence"])
